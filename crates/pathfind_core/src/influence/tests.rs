use super::*;
use crate::steer::CounterRng;

fn cell(x: i32, y: i32) -> GridCell {
    GridCell::new(x, y)
}

/// Whatever is painted and stamped in whichever order, a value is the sum of what a plain array says, and every
/// changed cell lies in a rectangle that `update` names.
#[test]
fn values_are_what_a_plain_array_says() {
    let mut rng = CounterRng::new(51, 0, 0);
    for _ in 0..60 {
        let (width, height) = (1 + rng.below(70) as i32, 1 + rng.below(50) as i32);
        let mut layer = InfluenceLayer::new(width as u32, height as u32).unwrap();
        let all: Vec<GridCell> = layer.bounds().cells().collect();
        let mut painted: BTreeMap<(i32, i32), f32> = all.iter().map(|it| ((it.y, it.x), 0.0)).collect();
        let mut stamps = BTreeMap::new();
        for _ in 0..12 {
            let stamp = InfluenceStamp {
                center: Vec2::new(rng.unit() * 80.0 - 5.0, rng.unit() * 60.0 - 5.0),
                radius: rng.unit() * 12.0,
                strength: rng.unit() * 6.0 - 3.0,
                falloff: [Falloff::Constant, Falloff::Linear, Falloff::Smooth][rng.below(3) as usize],
            };
            match rng.below(5) {
                0 => {
                    let corner = || cell(0, 0);
                    let rect = CellRect::new(corner(), cell(rng.below(90) as i32, rng.below(60) as i32));
                    layer.paint(rect, |_, old| old + 1.0);
                    let inside = all.iter().filter(|&&cell| rect.contains(cell));
                    inside.for_each(|it| *painted.get_mut(&(it.y, it.x)).unwrap() += 1.0);
                }
                1 => {
                    assert!(layer.paint_stamp(stamp));
                    all.iter().for_each(|it| *painted.get_mut(&(it.y, it.x)).unwrap() += stamp.value(*it));
                }
                2 => {
                    layer.fade(0.5);
                    painted.values_mut().for_each(|value| *value = least(*value * 0.5));
                }
                _ => {
                    let (source, stamp) = (u64::from(rng.below(4)), (rng.below(3) > 0).then_some(stamp));
                    layer.set_stamp(source, stamp);
                    stamps.insert(source, stamp);
                }
            }
            let before = layer.clone();
            let changed = layer.update();
            for &at in &all {
                let stamped: f32 = stamps.values().flatten().map(|stamp| stamp.value(at)).sum();
                let (value, right) = (layer.value(at), painted[&(at.y, at.x)] + stamped);
                assert!((value - right).abs() < 1e-4, "{at}: {value}, not {right}");
                let is_named = changed.iter().any(|rect| rect.contains(at));
                assert!(is_named || before.value(at) == value, "{at} is named");
                assert!(value == 0.0 || layer.filled().any(|rect| rect.contains(at)));
            }
        }
    }
}

#[test]
fn what_spreads_stays_in_the_room() {
    let mut layer = InfluenceLayer::new(40, 9).unwrap();
    let is_open = |cell: GridCell| cell.x != 20;
    layer.paint(CellRect::new(cell(18, 4), cell(18, 4)), |_, _| 100.0);
    for _ in 0..200 {
        layer.spread(0.25, is_open);
    }
    layer.update();
    let sum: f32 = layer.bounds().cells().map(|it| layer.value(it)).sum();
    assert!((sum - 100.0).abs() < 2.0, "nothing is lost but what is too small: {sum}");
    assert!(layer.bounds().cells().all(|it| it.x < 20 || layer.value(it) == 0.0), "nothing behind the wall");
    let [near, far] = [layer.value(cell(18, 4)), layer.value(cell(2, 4))];
    assert!(near > far && far > 0.0, "{near} {far}");
}

#[test]
fn what_fades_gives_back_its_memory() {
    let mut layer = InfluenceLayer::new(256, 256).unwrap();
    layer.paint(layer.bounds(), |_, _| 1.0);
    layer.update();
    for _ in 0..12 {
        layer.fade(0.5);
    }
    layer.update();
    assert!(layer.is_empty() && layer.filled().next().is_none());
}

#[test]
fn a_stamp_that_makes_no_sense_is_refused() {
    let mut layer = InfluenceLayer::new(9, 9).unwrap();
    let good =
        InfluenceStamp { center: Vec2::splat(4.5), radius: 0.0, strength: 2.0, falloff: Falloff::Linear };
    assert!(layer.set_stamp(7, Some(good)) && layer.update().len() == 1);
    assert_eq!((layer.value(cell(4, 4)), layer.value(cell(5, 4))), (2.0, 0.0), "one cell");
    for bad in [
        InfluenceStamp { radius: f32::NAN, ..good },
        InfluenceStamp { radius: 1e6, ..good },
        InfluenceStamp { radius: -1.0, ..good },
        InfluenceStamp { strength: f32::INFINITY, ..good },
        InfluenceStamp { center: Vec2::NAN, ..good },
    ] {
        assert!(!layer.paint_stamp(bad) && !layer.set_stamp(7, Some(bad)), "{bad:?}");
        layer.update();
        assert_eq!(layer.value(cell(4, 4)), 0.0, "the former stamp is removed");
        assert!(layer.is_empty() && layer.set_stamp(7, Some(good)));
    }
    layer.paint(layer.bounds(), |_, _| f32::NAN);
    layer.fade(f32::NAN);
    layer.spread(f32::NAN, |_| true);
    assert_eq!(layer.value_at(Vec2::NAN) + layer.gradient(Vec2::INFINITY).length(), 0.0);
    assert!(InfluenceLayer::new(0, 3).is_err());
}

#[test]
fn a_layer_moves_with_its_canvas() {
    let mut layer = InfluenceLayer::new(70, 70).unwrap();
    layer.paint(CellRect::new(cell(3, 66), cell(3, 66)), |_, _| 5.0);
    let mut moved = layer.on_canvas(UVec2::new(200, 200), IVec2::new(2, -1)).unwrap();
    moved.update();
    assert_eq!(moved.value(cell(131, 2)), 5.0);
    assert_eq!(moved.filled().count(), 1);
}
