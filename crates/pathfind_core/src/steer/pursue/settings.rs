//! How a hunter goes for its prey.

/// Where a hunter aims. Basic, line of sight and intercept are the three of Bourg & Seemann, *AI for Game
/// Developers* (2004), chapter 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PursuitMode {
    /// Each axis for itself, as in an arcade game: first along the diagonal, then straight. Never past the
    /// prey, and faster than the top speed by √2 on a diagonal (√3 in space) unless that is
    /// [normalised](PursuitSettings::normalize_diagonal).
    Basic,
    /// Straight at where the prey is now.
    LineOfSight,
    /// At where both arrive together, if the prey keeps its velocity: exact.
    #[default]
    Intercept,
    /// At where the prey will be after |gap| / |relative velocity|, as most tutorials have it; for learners.
    ///
    /// Its defects are its own: the time grows beyond all bounds where the two velocities match (it is cut
    /// off at the [horizon](PursuitSettings::horizon)), it counts a gap that opens as one that closes, and it
    /// changes with the hunter's own turns.
    ClosingTime,
}

/// What [`PursuitMode::Intercept`] does about a prey that it cannot catch.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Uncatchable {
    /// Aims where the prey passes by at the least distance, and catches it if it errs.
    #[default]
    LeastMiss,
    /// Runs straight at it.
    LineOfSight,
    /// Stands and waits until it can be caught.
    Hold,
    /// Stands, and says so as [`InterceptForecast::Abandoned`](super::InterceptForecast::Abandoned).
    GiveUp,
}

/// The settings of a hunter.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PursuitSettings {
    /// Where it aims. Default: [`PursuitMode::Intercept`].
    pub mode: PursuitMode,
    /// How near counts as caught, in units between the centres. Range: 0 and up. Default: `0.8`.
    pub catch_radius: f32,
    /// How far ahead the prey's way is trusted, in seconds. Range: 0 and up. Default: `10.0`.
    pub horizon: f32,
    /// What to do about a prey that is too fast. Default: [`Uncatchable::LeastMiss`].
    pub uncatchable: Uncatchable,
    /// Whether the basic mode keeps to the top speed on diagonals. Default: `true`.
    pub normalize_diagonal: bool,
    /// Whether it brakes as it comes near, to be with the prey and not to run into it. Default: `false`.
    pub arrives: bool,
}

impl Default for PursuitSettings {
    fn default() -> Self {
        Self {
            mode: PursuitMode::default(),
            catch_radius: 0.8,
            horizon: 10.0,
            uncatchable: Uncatchable::default(),
            normalize_diagonal: true,
            arrives: false,
        }
    }
}

impl PursuitSettings {
    /// The defaults in another mode.
    #[must_use]
    pub fn new(mode: PursuitMode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// With another catch radius, in units.
    #[must_use]
    pub const fn with_catch_radius(mut self, catch_radius: f32) -> Self {
        self.catch_radius = catch_radius;
        self
    }

    /// With another horizon, in seconds.
    #[must_use]
    pub const fn with_horizon(mut self, horizon: f32) -> Self {
        self.horizon = horizon;
        self
    }

    /// With another way to deal with a prey that is too fast.
    #[must_use]
    pub const fn with_uncatchable(mut self, uncatchable: Uncatchable) -> Self {
        self.uncatchable = uncatchable;
        self
    }
}
