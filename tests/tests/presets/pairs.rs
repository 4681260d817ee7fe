//! The presets and the numbers of seats that they are played with.

/// Every preset in the order in which they are listed, with its numbers of seats.
pub(crate) const PRESETS: [(&str, &[i32]); 14] = [
    ("classic", &[4]),
    ("two", &[2]),
    ("three_24", &[3]),
    ("three_red_king", &[3]),
    ("cervena", &[2, 4]),
    ("pagat", &[2, 3, 4]),
    ("marias_sedma", &[4]),
    ("hola", &[2, 4]),
    ("ristikontra", &[4]),
    ("zsirozas", &[2, 4]),
    ("septica", &[2, 3, 4]),
    ("sedmice", &[2, 4]),
    ("lusti_kartln", &[4]),
    ("schmierer", &[2, 4]),
];

/// Every preset with every number of seats.
pub(crate) fn pairs() -> impl Iterator<Item = (&'static str, i32)> {
    PRESETS.iter().flat_map(|(preset, counts)| counts.iter().map(move |seats| (*preset, *seats)))
}

#[test]
fn there_are_twenty_three_pairs() {
    assert_eq!(pairs().count(), 23);
}
