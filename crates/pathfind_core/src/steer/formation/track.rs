//! The line along which the centre of a formation moves.

use glam::Vec2;

/// A line of straight legs, by the length along it from its beginning. Before its beginning and beyond its end it goes
/// straight on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    points: Vec<Vec2>,
    /// The length from the beginning to each point.
    lengths: Vec<f32>,
}

impl Track {
    /// The line through some points. Points that are not finite are left out, and each that is equal to the one before.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut track = Self::default();
        for point in points.into_iter().filter(|point| point.is_finite()) {
            let leg = track.points.last().map_or(0.0, |last| last.distance(point));
            if leg > 1e-4 || track.points.is_empty() {
                track.lengths.push(track.length() + leg);
                track.points.push(point);
            }
        }
        track
    }

    /// The length from the beginning to the end.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// The points of a part of the line, between two lengths from its beginning.
    pub fn part(&self, from: f32, to: f32) -> impl Iterator<Item = Vec2> {
        let [first, last] = [from, to].map(|end| self.lengths.partition_point(|&length| length < end));
        let inner = self.points[first..last.max(first)].iter().copied();
        [self.point(from)].into_iter().chain(inner).chain([self.point(to)])
    }

    /// The point at a length from the beginning; the origin for a line without points.
    #[must_use]
    pub fn point(&self, at: f32) -> Vec2 {
        let Some(leg) = self.leg(at) else { return self.points.first().copied().unwrap_or_default() };
        let (from, to) = (self.points[leg], self.points[leg + 1]);
        from + (to - from) * ((at - self.lengths[leg]) / (self.lengths[leg + 1] - self.lengths[leg]))
    }

    /// The direction at a length from the beginning, of length 1: that of the chord between the points `reach` before
    /// and behind it, so that it turns gradually round a corner. The x axis for a line without length.
    #[must_use]
    pub fn direction(&self, at: f32, reach: f32) -> Vec2 {
        let reach = reach.max(1e-3);
        let chord = self.point(at + reach) - self.point(at - reach);
        // Where the line turns back, the two points may be the same.
        let leg = || self.leg(at).map_or(Vec2::X, |leg| self.points[leg + 1] - self.points[leg]);
        chord.try_normalize().or_else(|| leg().try_normalize()).unwrap_or(Vec2::X)
    }

    /// The length from the beginning to the point of the line that is nearest to another point; beyond its ends too.
    #[must_use]
    pub fn project(&self, point: Vec2) -> f32 {
        let last = self.points.len().saturating_sub(2);
        let on_leg = |leg: usize| {
            let (from, to) = (self.points[leg], self.points[leg + 1]);
            let length = self.lengths[leg + 1] - self.lengths[leg];
            let along = (point - from).dot(to - from) / length;
            let low = if leg == 0 { f32::NEG_INFINITY } else { 0.0 };
            let along = along.clamp(low, if leg == last { f32::INFINITY } else { length });
            let squared = point.distance_squared(from + (to - from) * (along / length));
            (squared, self.lengths[leg] + along)
        };
        let legs = (0..self.points.len().saturating_sub(1)).map(on_leg);
        legs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, at)| at)
    }

    /// The leg at a length from the beginning; `None` without legs.
    fn leg(&self, at: f32) -> Option<usize> {
        let legs = self.points.len().checked_sub(1).filter(|&legs| legs > 0)?;
        Some(self.lengths.partition_point(|&length| length <= at).clamp(1, legs) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_along_a_line_are_points_on_it_and_back() {
        let points = [(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 3.0), (f32::NAN, 0.0)];
        let track = Track::new(points.map(Vec2::from));
        assert_eq!(track.length(), 7.0);
        for (at, x, y) in
            [(-1.0, -1.0, 0.0), (0.0, 0.0, 0.0), (4.0, 4.0, 0.0), (5.0, 4.0, 1.0), (9.0, 4.0, 5.0)]
        {
            assert_eq!(track.point(at), Vec2::new(x, y), "at {at}");
            assert_eq!(track.project(Vec2::new(x, y)), at, "back from {at}");
        }
        assert_eq!(track.project(Vec2::new(2.0, -1.0)), 2.0, "from beside it");
        assert_eq!(track.direction(1.0, 0.5), Vec2::X);
        assert_eq!(track.direction(4.0, 2.0), Vec2::splat(0.5_f32.sqrt()), "half round the corner");
        let part = Track::new(track.part(1.0, 5.0));
        assert_eq!((part.length(), part.point(3.0)), (4.0, Vec2::new(4.0, 0.0)), "with the corner");
    }

    #[test]
    fn a_line_without_length_is_a_point() {
        for track in [Track::default(), Track::new([Vec2::ONE, Vec2::ONE])] {
            assert_eq!((track.length(), track.project(Vec2::ZERO)), (0.0, 0.0));
            assert_eq!(track.direction(0.0, 1.0), Vec2::X);
            assert!(track.point(3.0).is_finite());
        }
    }
}
