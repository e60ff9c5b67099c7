//! The shapes of formations, as places for a number of bodies.

use core::f32::consts::TAU;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
use glam::Vec2;

use crate::rng::CounterRng;

/// How many places lie abreast for each one behind another in a line; a column has as many behind one another. Not
/// measured.
const ASPECT: f32 = 4.0;
/// The spacing in a loose formation, relative to that of the others, and how far a place lies off its row and file.
const LOOSE: f32 = 1.8;
const LOOSENESS: f32 = 0.3;

/// The shape of a formation.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect), type_path = "bevy_pathfind")]
#[cfg_attr(feature = "bevy_reflect", reflect(Default, Debug, PartialEq, Serialize, Deserialize))]
#[non_exhaustive]
pub enum FormationShape {
    /// Few rows, four times as wide as deep.
    #[default]
    Line,
    /// Few files, four times as deep as wide.
    Column,
    /// A filled triangle with its tip in front.
    Wedge,
    /// A filled square.
    Box,
    /// A circle.
    Ring,
    /// A square with wide, uneven gaps.
    Loose,
    /// A place at each of these points: x to the right, y forward, in units of the spacing. Those for whom there is no
    /// point stand in rows behind.
    Offsets(Vec<Vec2>),
}

impl FormationShape {
    /// The places of `count` bodies, in units of the spacing: the foremost first, of those in one row the middle ones
    /// first. The middle of the area that they cover is the origin. `abreast` replaces the number of places in a row of
    /// a line, column, box or loose formation; 0 counts as 1.
    #[must_use]
    pub fn places(&self, count: usize, abreast: Option<usize>) -> Vec<Vec2> {
        let n = count as f32;
        let side = |size: f32| abreast.unwrap_or(size as usize).clamp(1, count.max(1));
        // Files of a line so that it has a whole number of rows.
        let wide = || n / (n / ASPECT).sqrt().floor().max(1.0);
        let mut places = match self {
            Self::Line => rows(count, side(wide().ceil()), 1.0),
            Self::Column => rows(count, side((n / ASPECT).sqrt().floor()), 1.0),
            Self::Box => rows(count, side(n.sqrt().ceil()), 1.0),
            Self::Loose => {
                let off = |index: usize| {
                    let mut rng = CounterRng::new(0, index as u64, 0);
                    Vec2::new(rng.signed(), rng.signed()) * LOOSENESS
                };
                let places = rows(count, side(n.sqrt().ceil()), 1.0);
                places.into_iter().enumerate().map(|(index, place)| place * LOOSE + off(index)).collect()
            }
            Self::Wedge => wedge(count),
            Self::Ring => ring(count),
            Self::Offsets(points) => {
                let taken = &points[..points.len().min(count)];
                let (low, high) = extent(taken);
                let behind = rows(count - taken.len(), side((high.x - low.x).floor() + 1.0), 1.0);
                let drop = low.y - 1.0 - extent(&behind).1.y;
                let behind = behind.into_iter().map(|place| place + Vec2::new((low.x + high.x) / 2.0, drop));
                taken.iter().copied().chain(behind).collect()
            }
        };
        let (low, high) = extent(&places);
        places.iter_mut().for_each(|place| *place -= (low + high) / 2.0);
        places.sort_by(|a, b| {
            b.y.total_cmp(&a.y).then(a.x.abs().total_cmp(&b.x.abs())).then(a.x.total_cmp(&b.x))
        });
        places
    }
}

/// Rows of `abreast` places, `across` apart, with rows 1 apart behind one another; the last row is in the middle.
#[must_use]
pub fn rows(count: usize, abreast: usize, across: f32) -> Vec<Vec2> {
    let abreast = abreast.max(1);
    let depth = count.div_ceil(abreast).saturating_sub(1) as f32;
    let place = |index: usize| {
        let (row, file) = (index / abreast, index % abreast);
        let in_row = abreast.min(count - row * abreast);
        Vec2::new((file as f32 - (in_row - 1) as f32 / 2.0) * across, depth / 2.0 - row as f32)
    };
    (0..count).map(place).collect()
}

/// The corners of the area that places cover; zeros without places.
#[must_use]
pub fn extent(places: &[Vec2]) -> (Vec2, Vec2) {
    let Some(&first) = places.first() else { return (Vec2::ZERO, Vec2::ZERO) };
    places.iter().fold((first, first), |(low, high), &place| (low.min(place), high.max(place)))
}

/// Rows of 1, 2, 3, ... places.
fn wedge(count: usize) -> Vec<Vec2> {
    let (mut places, mut row) = (Vec::with_capacity(count), 0);
    while places.len() < count {
        let in_row = (row + 1).min(count - places.len());
        let place = |file: usize| Vec2::new(file as f32 - (in_row - 1) as f32 / 2.0, -(row as f32));
        places.extend((0..in_row).map(place));
        row += 1;
    }
    places
}

/// A circle on which neighbours are 1 apart.
fn ring(count: usize) -> Vec<Vec2> {
    let angle = TAU / count.max(1) as f32;
    let radius = if count > 1 { 0.5 / libm::sinf(angle / 2.0) } else { 0.0 };
    (0..count)
        .map(|index| index as f32 * angle)
        .map(|at| Vec2::new(libm::sinf(at), libm::cosf(at)) * radius)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places as rows of text, foremost first, half a spacing a character across.
    fn picture(places: &[Vec2]) -> String {
        let (low, high) = extent(places);
        let column = |place: &Vec2| ((place.x - low.x) * 2.0).round() as usize;
        let line = |row: i32| {
            let mut line = vec![b'.'; ((high.x - low.x) * 2.0).round() as usize + 1];
            let in_row = places.iter().filter(|place| (high.y - place.y).round() as i32 == row);
            in_row.for_each(|place| line[column(place)] = b'o');
            String::from_utf8(line).expect("it is ASCII")
        };
        (0..=(high.y - low.y).round() as i32).map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn shapes_are_what_their_names_say() {
        use FormationShape::{Box, Column, Line, Offsets, Wedge};
        let shown = |shape: FormationShape, count| picture(&shape.places(count, None));
        assert_eq!(shown(Line, 5), "o.o.o.o.o");
        assert_eq!(shown(Line, 17), "o.o.o.o.o.o.o.o.o\n.o.o.o.o.o.o.o.o.");
        assert_eq!(shown(Column, 5), "o\no\no\no\no");
        assert_eq!(shown(Wedge, 8), "..o..\n.o.o.\no.o.o\n.o.o.");
        assert_eq!(shown(Box, 8), "o.o.o\no.o.o\n.o.o.");
        let tail = Offsets(vec![Vec2::new(1.0, 0.0), Vec2::new(-1.0, 0.0)]);
        assert_eq!(shown(tail, 6), "o...o\no.o.o\n..o..");
        assert_eq!(picture(&Line.places(6, Some(2))), "o.o\no.o\no.o", "two abreast");
    }

    #[test]
    fn places_keep_their_distance_whatever_the_number() {
        use FormationShape::{Box, Column, Line, Loose, Offsets, Ring, Wedge};
        for shape in [Line, Column, Wedge, Box, Ring, Loose, Offsets(vec![Vec2::ZERO])] {
            for count in (0..60).chain([200, 1000]) {
                let places = shape.places(count, None);
                assert_eq!(places.len(), count, "{shape:?}");
                let (low, high) = extent(&places);
                assert!(
                    (low + high).abs().max_element() < 1e-3,
                    "{shape:?} of {count} lies round the origin"
                );
                assert!(places.is_sorted_by(|a, b| a.y >= b.y), "{shape:?}: the foremost come first");
                let apart =
                    |i: usize| places[..i].iter().map(|at| at.distance(places[i])).fold(2.0, f32::min);
                let nearest = (0..count.min(200)).map(apart).fold(2.0, f32::min);
                assert!(nearest > 0.92, "{shape:?} of {count}: two are {nearest} apart");
            }
        }
        assert_eq!(Box.places(3, Some(0)).len(), 3, "a row has at least one place");
    }
}
