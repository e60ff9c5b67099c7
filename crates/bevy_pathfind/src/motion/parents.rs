//! World transforms of the parents of agents, as of this tick.

use bevy::ecs::entity::EntityHashMap;
use bevy::math::Affine3A;
use bevy::prelude::*;

use crate::agent::Agent;

/// The world transforms of the parents of agents. `GlobalTransform` would lag by a frame.
#[derive(Resource, Debug, Default)]
pub(super) struct ParentTransforms(EntityHashMap<Affine3A>);

impl ParentTransforms {
    /// From an agent's local space to the world; `None` without a parent.
    pub(super) fn of(&self, parent: Option<&ChildOf>) -> Option<Affine3A> {
        parent.map(|child| self.0.get(&child.parent()).copied().unwrap_or_default())
    }
}

/// Computes the world transforms of all parents of agents.
pub(super) fn place(
    mut parents: ResMut<ParentTransforms>,
    children: Query<&ChildOf, With<Agent>>,
    transforms: TransformHelper,
) {
    parents.0.clear();
    for child in &children {
        let parent = child.parent();
        parents.0.entry(parent).or_insert_with(|| {
            let global = transforms.compute_global_transform(parent);
            global.map_or(Affine3A::IDENTITY, |global| global.affine())
        });
    }
}
