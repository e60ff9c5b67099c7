//! The settings of pursuit.

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};

/// The point that a hunter aims at. Basic, line of sight and intercept are the three modes of Bourg & Seemann, *AI
/// for Game Developers* (2004), chapter 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum PursuitMode {
    /// Each axis on its own, as in an arcade game: first along the diagonal, then straight.
    ///
    /// Never past the prey, and faster than the top speed by √2 on a diagonal (√3 in space) unless that is
    /// [normalised](PursuitSettings::normalize_diagonal).
    Basic,
    /// Straight at the prey's present position.
    LineOfSight,
    /// The point where both arrive at the same time if the prey keeps its velocity: exact.
    #[default]
    Intercept,
    /// The point where the prey will be after |gap| / |relative velocity|, as in most tutorials; for comparison.
    ///
    /// Known defects: the time has no bound where the two velocities are equal (it is cut off at the
    /// [horizon](PursuitSettings::horizon)), a gap that opens counts as one that closes, and the aim changes with
    /// the hunter's own turns.
    ClosingTime,
}

impl PursuitMode {
    /// Every mode, in the order of their declaration.
    pub const ALL: &'static [Self] = &[Self::Basic, Self::LineOfSight, Self::Intercept, Self::ClosingTime];
}

/// What [`PursuitMode::Intercept`] does if it cannot catch the prey.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Hash, Serialize, Deserialize))]
#[non_exhaustive]
pub enum UncatchablePolicy {
    /// Aims where the prey passes at the least distance, and catches it if it slows down or turns towards the
    /// hunter.
    #[default]
    LeastMiss,
    /// Moves straight at the prey.
    LineOfSight,
    /// Stands until the prey can be caught.
    Hold,
    /// Stands, and reports [`InterceptForecast::Abandoned`](super::InterceptForecast::Abandoned).
    GiveUp,
}

/// The settings of pursuit.
#[derive(Copy, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PursuitSettings {
    /// The point that it aims at. Default: [`PursuitMode::Intercept`].
    pub mode: PursuitMode,
    /// The distance between the centres at which the prey counts as caught. Unit: lengths. Range: 0 and up.
    /// Default: `0.8`.
    pub catch_radius: f32,
    /// How far ahead the prey's movement is extrapolated. Unit: seconds. Range: 0 and up. Default: `10.0`.
    pub horizon: f32,
    /// What to do if the prey is too fast. Default: [`UncatchablePolicy::LeastMiss`].
    pub uncatchable: UncatchablePolicy,
    /// Whether the basic mode keeps to the top speed on diagonals. Default: `true`.
    pub normalize_diagonal: bool,
    /// Whether it brakes as it comes near, to move along with the prey instead of running into it.
    /// Default: `false`.
    pub arrives: bool,
}

impl Default for PursuitSettings {
    fn default() -> Self {
        Self {
            mode: PursuitMode::default(),
            catch_radius: 0.8,
            horizon: 10.0,
            uncatchable: UncatchablePolicy::default(),
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

    /// With another reaction to a prey that is too fast.
    #[must_use]
    pub const fn with_uncatchable(mut self, uncatchable: UncatchablePolicy) -> Self {
        self.uncatchable = uncatchable;
        self
    }
}
