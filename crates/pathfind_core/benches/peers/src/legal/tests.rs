use super::*;

const RULES: [CornerRule; 3] = [CornerRule::Never, CornerRule::OneFree, CornerRule::Always];

/// Whether a path is legal under each rule.
fn rules(map: &str, path: &[Point]) -> [bool; 3] {
    let board = Board::from_ascii(map);
    RULES.map(|corners| is_legal(&board, corners, path))
}

#[test]
fn open_ground_is_legal() {
    assert_eq!(rules("...\n...", &[(0.5, 0.5), (2.5, 1.5)]), [true; 3]);
}

#[test]
fn walls_and_the_outside_are_not() {
    assert_eq!(rules(".#.", &[(0.5, 0.5), (2.5, 0.5)]), [false; 3]);
    assert_eq!(rules("...", &[(0.5, 0.5), (0.5, -0.5)]), [false; 3]);
}

#[test]
fn corners_are_passed_by_rule() {
    assert_eq!(rules("#.\n..", &[(1.5, 0.5), (0.5, 1.5)]), [false, true, true]);
    assert_eq!(rules("#.\n.#", &[(1.5, 0.5), (0.5, 1.5)]), [false, false, true]);
    assert_eq!(rules("#.\n.#", &[(1.5, 0.5), (1.0, 1.0), (0.5, 1.5)]), [false, false, true], "with a bend");
    assert_eq!(rules("#.\n.#", &[(1.5, 0.5), (1.0, 1.0), (1.5, 0.5)]), [false, true, true], "and back");
}

#[test]
fn walls_are_slid_along_but_not_between() {
    assert_eq!(rules("...\n.#.", &[(0.5, 0.5), (1.0, 1.0), (2.0, 1.0)]), [false, true, true]);
    assert_eq!(rules("..\n##\n..", &[(0.0, 1.0), (2.0, 1.0)]), [false, true, true]);
    assert_eq!(rules("##\n##", &[(0.0, 1.0), (2.0, 1.0)]), [false; 3]);
}
