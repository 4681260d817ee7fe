//! Who deals next.

use super::book::{Book, Company, Rotation, Tie};
use super::settle::Outcome;

pub(crate) fn next_dealer(book: &Book, dealer: usize, outcome: &Outcome) -> usize {
    let next = book.seat_after(dealer, 1);
    if book.tie == Tie::SameDealer && outcome.winners.is_empty() {
        return dealer;
    }
    let won = |seat: &usize| outcome.winners.contains(seat);
    let lost = |seat: &usize| !won(seat);
    let somebody_won_and_lost =
        (1..=book.seats).any(|seat| won(&seat)) && (1..=book.seats).any(|seat| lost(&seat));
    match book.rotation {
        Rotation::Next => next,
        Rotation::KeepOnMajority => {
            let all: u32 = outcome.sides.iter().map(super::settle::Side::points).sum();
            if outcome.side_of(dealer).points() * 2 > all { dealer } else { next }
        }
        _ if !somebody_won_and_lost => next,
        Rotation::LoserDeals => after_a_deal(book, dealer, lost, won),
        Rotation::WinnerDeals => after_a_deal(book, dealer, won, lost),
    }
}

/// Who deals where the deal goes to one that did `deals`, and one that did `leads` is to lead.
fn after_a_deal(
    book: &Book,
    dealer: usize,
    deals: impl Fn(&usize) -> bool,
    leads: impl Fn(&usize) -> bool,
) -> usize {
    if book.company == Company::Pairs {
        return book.seat_after(dealer, if deals(&dealer) { 2 } else { 1 });
    }
    let left_neighbour_leads = |seat: &usize| leads(&book.seat_after(*seat, 1));
    book.seats_from(dealer).find(|seat| deals(seat) && left_neighbour_leads(seat)).unwrap_or(dealer)
}
