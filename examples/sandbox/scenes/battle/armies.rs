//! The armies: their companies, where these begin, and the orders of the side that the user does not command.

use bevy::prelude::*;
use bevy_pathfind::prelude::*;

use super::{BattleSettings, SCENE};
use crate::{
    actors::{Look, Shape, TrueSize, standing_at},
    orders::is_at_rest,
    theme,
};

/// The two sides of the battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Theirs,
}

impl Side {
    pub(super) fn color(self) -> Color {
        match self {
            Self::Ours => theme::FRIEND,
            Self::Theirs => theme::HUNTER,
        }
    }

    /// -1 for the left bank of the river, 1 for the right one.
    fn bank(self) -> f32 {
        if self == Self::Ours { -1.0 } else { 1.0 }
    }
}

/// A sort of troops.
pub(super) struct Troop {
    pub(super) name: &'static str,
    /// Its soldiers, as a share of those of the largest company.
    share: f32,
    radius: f32,
    speed: f32,
    /// How far it strikes, in cells, beyond its radius.
    pub(super) reach: f32,
    /// How many strikes it bears.
    health: u32,
    shape: Shape,
    /// Where the company begins, from the middle of the field; for the left bank.
    at: Vec2,
}

/// The companies of each side.
pub(super) const TROOPS: [Troop; 5] = [
    troop("spears", 1.0, (0.4, 4.5), (1.3, 5), Shape::Disc, Vec2::new(-26.0, 12.0)),
    troop("swords", 1.0, (0.4, 5.0), (0.9, 6), Shape::Disc, Vec2::new(-26.0, -1.0)),
    troop("guard", 1.0, (0.45, 4.2), (1.1, 9), Shape::Disc, Vec2::new(-26.0, -14.0)),
    troop("archers", 0.7, (0.35, 5.0), (11.0, 3), Shape::Arrow, Vec2::new(-38.0, 2.0)),
    troop("riders", 0.5, (0.5, 8.0), (1.2, 7), Shape::Arrow, Vec2::new(-40.0, -17.0)),
];

const fn troop(
    name: &'static str,
    share: f32,
    (radius, speed): (f32, f32),
    (reach, health): (f32, u32),
    shape: Shape,
    at: Vec2,
) -> Troop {
    Troop { name, share, radius, speed, reach, health, shape, at }
}

/// A company of soldiers: a group in formation.
#[derive(Component, Debug, Clone, Copy)]
pub(super) struct Company {
    pub(super) side: Side,
    /// Its index in [`TROOPS`].
    pub(super) troop: usize,
}

#[derive(Component, Debug, Clone, Copy)]
pub(super) struct Soldier {
    pub(super) side: Side,
    pub(super) troop: usize,
    pub(super) health: u32,
    /// When it can strike again, in seconds from now.
    pub(super) rest: f32,
}

/// Spawns both armies, each company at its place, facing the river.
pub(super) fn muster(commands: &mut Commands, settings: &BattleSettings) {
    for side in [Side::Ours, Side::Theirs] {
        for (troop, of) in TROOPS.iter().enumerate() {
            let formation = Formation {
                spacing: settings.spacing,
                keeps_together: settings.keeps_together,
                ..Formation::line().with_facing(Vec3::X * -side.bank())
            };
            let (middle, facing) = (of.at * Vec2::new(-side.bank(), 1.0), Vec2::X * -side.bank());
            let count = (settings.company as f32 * of.share).ceil() as usize;
            let places = formation.shape.places(count, None);
            let company = commands
                .spawn((
                    Name::new(of.name),
                    Company { side, troop },
                    formation,
                    standing_at(middle.extend(0.0)),
                    SCENE.despawn_on_exit(),
                ))
                .id();
            for place in places {
                let off = (facing * place.y - facing.perp() * place.x) * of.radius * 2.5 * settings.spacing;
                let agent =
                    Agent { radius: of.radius, ..Agent::new(of.speed).with_facing(AgentFacing::Right) };
                let heading = Quat::from_rotation_z(facing.to_angle());
                let color = side.color().mix(&theme::TEXT, 0.14 * (troop % 3) as f32);
                commands.spawn((
                    Soldier { side, troop, health: of.health, rest: 0.0 },
                    FormationOf::new(company),
                    agent,
                    Avoider::default(),
                    standing_at((middle + off).extend(0.0)).with_rotation(heading),
                    (Look { shape: of.shape, color, path: 0.0 }, TrueSize, SCENE.despawn_on_exit()),
                ));
            }
        }
    }
}

/// How often a company of the others that has nothing to do looks for an enemy, in seconds, and how long they wait at
/// the beginning.
const DECISION: f32 = 3.0;
const DELAY: f32 = 4.0;

/// Each company of the others that is at rest attacks the nearest of ours; archers keep their distance.
pub(super) fn attack(
    companies: Query<(Entity, &Company, &Transform, &PathStatus)>,
    settings: Res<BattleSettings>,
    time: Res<Time>,
    mut due: Local<f32>,
    mut commands: Commands,
    fresh: Query<(), Added<Company>>,
) {
    if !fresh.is_empty() {
        *due = DELAY;
    }
    *due -= time.delta_secs();
    if *due > 0.0 || !settings.attack {
        return;
    }
    *due = DECISION;
    for (company, of, at, status) in &companies {
        if of.side != Side::Theirs || !is_at_rest(status) {
            continue;
        }
        let gap = |other: &Transform| at.translation.distance(other.translation);
        let ours = companies.iter().filter(|it| it.1.side == Side::Ours);
        let Some((.., target, _)) = ours.min_by(|a, b| gap(a.2).total_cmp(&gap(b.2))) else { continue };
        let reach = TROOPS[of.troop].reach;
        if gap(target) > reach {
            let goal = target.translation.move_towards(at.translation, 0.7 * reach);
            commands.entity(company).go_to(goal.with_z(0.0));
        }
    }
}
