//! Who is present: what follows from leases, wherever they are kept.

use std::collections::BTreeMap;

use sedma_rules::Seat;
use sedma_table::store::Present;

/// The seats of a table that are present now, in their order, from when each of their leases is over. A lease is over
/// at its last instant.
pub(crate) fn present(leases: impl IntoIterator<Item = (Seat, i64)>, now_ms: i64) -> Vec<Present> {
    let mut seats: BTreeMap<Seat, i64> = BTreeMap::new();
    for (seat, until_ms) in leases {
        if until_ms > now_ms {
            let last = seats.entry(seat).or_insert(until_ms);
            *last = until_ms.max(*last);
        }
    }
    seats.into_iter().map(|(seat, until_ms)| Present { seat, until_ms }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_present_until_the_last_of_its_leases_is_over() {
        let leases = [(Seat::Three, 70), (Seat::One, 50), (Seat::Three, 90), (Seat::Three, 80)];
        let seats = |now_ms| {
            present(leases, now_ms).iter().map(|present| (present.seat, present.until_ms)).collect::<Vec<_>>()
        };
        assert_eq!(seats(49), [(Seat::One, 50), (Seat::Three, 90)]);
        assert_eq!(seats(50), [(Seat::Three, 90)]);
        assert_eq!(seats(89), [(Seat::Three, 90)]);
        assert_eq!(seats(90), []);
    }
}
