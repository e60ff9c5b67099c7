//! Steering behaviours of the game's own: their numbers, their names, and how they join the tick.

use bevy::prelude::*;

use super::SteerSystems;
use crate::stage::{NavStage, NavSystems};

/// Names a steering behaviour of the game's own. It is given when the behaviour is added, by [`AddSteering`].
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[type_path = "bevy_pathfind"]
#[reflect(Default, Debug, PartialEq)]
pub struct SteeringId(u16);

impl SteeringId {
    #[cfg(test)]
    pub(super) const fn new(number: u16) -> Self {
        Self(number)
    }

    /// The number of behaviours that were added before it: of two goals the one with the lower number counts.
    pub(super) const fn number(self) -> u16 {
        self.0
    }
}

/// The names of the game's own steering behaviours, as in the sentence "It goes where … leads" of the panel.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct SteeringNames(Vec<String>);

impl SteeringNames {
    /// The name of a behaviour; `None` for one that was added to another application.
    #[must_use]
    pub fn name(&self, behaviour: SteeringId) -> Option<&str> {
        self.0.get(usize::from(behaviour.0)).map(String::as_str)
    }

    /// The behaviour with a name, the first of several; `None` if there is none.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<SteeringId> {
        let index = self.0.iter().position(|known| known == name)?;
        u16::try_from(index).ok().map(SteeringId)
    }
}

/// Adds steering behaviours of the game's own to an [`App`].
///
/// The system of a behaviour gets its [`SteeringId`] as input and states goal velocities with
/// [`SteeringGoal`](super::SteeringGoal). These go before pursuits, paths, fields and simple behaviours; of two
/// behaviours of the game, the one that was added first counts. The name is that of the panel's sentence "It goes where …
/// leads": `"its fear"`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// #[derive(Component)]
/// struct Hurt {
///     home: Vec3,
/// }
///
/// fn run_home(fear: In<SteeringId>, mut hurt: Query<(&Hurt, &Transform, &Agent, SteeringGoal)>) {
///     for (hurt, at, agent, mut goal) in &mut hurt {
///         goal.set(*fear, (hurt.home - at.translation).normalize_or_zero() * agent.speed);
///     }
/// }
///
/// /// Wind: agents drift with it wherever they go.
/// fn drift(wind: In<SteeringId>, mut agents: Query<SteeringGoal>) {
///     for mut goal in &mut agents {
///         goal.adjust(*wind, |velocity| velocity + Vec3::X);
///     }
/// }
///
/// fn plug_in(app: &mut App) {
///     app.add_steering("its fear", run_home).adjust_steering("the wind", drift);
/// }
/// ```
pub trait AddSteering {
    /// Adds a behaviour that states goal velocities, beside those of the plugin.
    ///
    /// # Panics
    /// With more than 65,536 behaviours.
    fn add_steering<M>(
        &mut self,
        name: impl Into<String>,
        system: impl IntoSystem<In<SteeringId>, (), M> + 'static,
    ) -> &mut Self;

    /// Adds a behaviour that reads and changes the goal velocities that all others, those of the plugin included, have
    /// stated.
    ///
    /// # Panics
    /// With more than 65,536 behaviours.
    fn adjust_steering<M>(
        &mut self,
        name: impl Into<String>,
        system: impl IntoSystem<In<SteeringId>, (), M> + 'static,
    ) -> &mut Self;
}

impl AddSteering for App {
    fn add_steering<M>(
        &mut self,
        name: impl Into<String>,
        system: impl IntoSystem<In<SteeringId>, (), M> + 'static,
    ) -> &mut Self {
        add(self, name.into(), system, SteerSystems::Goals)
    }

    fn adjust_steering<M>(
        &mut self,
        name: impl Into<String>,
        system: impl IntoSystem<In<SteeringId>, (), M> + 'static,
    ) -> &mut Self {
        add(self, name.into(), system, SteerSystems::Adjust)
    }
}

fn add<M>(
    app: &mut App,
    name: String,
    system: impl IntoSystem<In<SteeringId>, (), M> + 'static,
    step: SteerSystems,
) -> &mut App {
    let mut names = app.world_mut().get_resource_or_init::<SteeringNames>();
    let id = SteeringId(u16::try_from(names.0.len()).expect("at most 65,536 behaviours"));
    names.0.push(name);
    app.add_systems(NavStage(NavSystems::Steer), (move || id).pipe(system).in_set(step))
}
