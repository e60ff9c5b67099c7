//! The kinds of agents of the world, which every grid has.

use bevy::prelude::*;
use pathfind_core::{AgentKind, Grid, GridError, KindId};

use super::NavGrid;
use super::nav_grid::kinds_of;

/// The kinds of agents: what terrain costs them, how large they are, and how steep they climb. Every grid has these
/// kinds, whether it is there already or comes later; the default kind, of id 0, is always among them.
///
/// A change is seen from the next [`NavSystems::World`](crate::stage::NavSystems::World) on; every path is then
/// checked again. As long as no kind is added or set, a grid keeps the kinds that it was made with, such as those of a
/// map file.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pathfind::prelude::*;
/// const MUD: Terrain = Terrain(20);
///
/// fn set_up(mut kinds: ResMut<AgentKinds>, mut commands: Commands) -> Result {
///     kinds.set(KindId::default(), AgentKind::default().with_cost(MUD, 3.0)?)?;
///     let giant = kinds.add(AgentKind::default().with_size(AgentSize::Disc(0.8)))?;
///     commands.spawn(Agent::new(4.0).with_radius(0.8).with_kind(giant));
///     Ok(())
/// }
/// ```
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct AgentKinds {
    /// Empty until the first change; then the default kind is the first.
    kinds: Vec<AgentKind>,
}

impl AgentKinds {
    /// Adds a kind, and returns its id for [`Agent::kind`](crate::agent::Agent::kind).
    ///
    /// # Errors
    /// [`GridError::BadSize`], [`GridError::BadClimb`], and [`GridError::TooManyKinds`] beyond [`Grid::MAX_KINDS`].
    pub fn add(&mut self, kind: AgentKind) -> Result<KindId, GridError> {
        kind.check()?;
        let kinds = self.filled();
        if kinds.len() == Grid::MAX_KINDS {
            return Err(GridError::TooManyKinds);
        }
        kinds.push(kind);
        Ok(KindId(kinds.len() as u8 - 1))
    }

    /// Replaces a kind, for example to open a gate for its owners or to let a tank swim.
    ///
    /// # Errors
    /// [`GridError::BadSize`], [`GridError::BadClimb`] and [`GridError::UnknownKind`].
    pub fn set(&mut self, id: KindId, kind: AgentKind) -> Result<(), GridError> {
        kind.check()?;
        let place = self.filled().get_mut(usize::from(id.0)).ok_or(GridError::UnknownKind(id))?;
        *place = kind;
        Ok(())
    }

    /// The kind with an id, to change and [set](Self::set) again; `None` if there is none. As long as no kind is added
    /// or set, the default kind has its default costs here, whatever the grids have.
    #[must_use]
    pub fn get(&self, id: KindId) -> Option<AgentKind> {
        let kind = self.kinds.get(usize::from(id.0)).cloned();
        kind.or_else(|| (id == KindId::default()).then(AgentKind::default))
    }

    /// All kinds, in the order of their ids; none as long as no kind is added or set.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &AgentKind> {
        self.kinds.iter()
    }

    fn filled(&mut self) -> &mut Vec<AgentKind> {
        if self.kinds.is_empty() {
            self.kinds.push(AgentKind::default());
        }
        &mut self.kinds
    }
}

/// Gives the kinds to all grids once they have changed, and to grids that are new or were replaced.
pub(super) fn give_kinds(kinds: Res<AgentKinds>, mut grids: Query<&mut NavGrid>) {
    if kinds.kinds.is_empty() {
        return;
    }
    for mut nav in grids.iter_mut().filter(|nav| kinds.is_changed() || nav.is_changed()) {
        if !kinds_of(nav.grid()).take(kinds.kinds.len()).eq(&kinds.kinds) {
            nav.set_kinds(&kinds.kinds);
        }
    }
}
