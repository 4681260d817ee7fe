//! Where packs and the first dealer come from: the seed chain, or a script.

use sedma_rules::{Fact, Pack, Seat};

use crate::decide::Draft;
use crate::fairness::Draw;
use crate::limits::MAX_DEALS;
use crate::refusal::{Reason, Refusal};
use crate::setup::BetweenDeals;
use crate::table::Table;
use crate::update::{CloseReason, TableFact};

/// Deals the next deal, or ends the table where it has had as many as it may.
pub(crate) fn next_deal(draft: &mut Draft) -> Result<(), Refusal> {
    // A hand can be burned as it is dealt; where deals follow at once, the next one then does. MAX_DEALS bounds it.
    while deal_once(draft)? {}
    Ok(())
}

/// Whether the deal was over as soon as it was dealt and another one follows at once.
fn deal_once(draft: &mut Draft) -> Result<bool, Refusal> {
    let deal = draft.table.game.deal_number().saturating_add(1);
    if deal > MAX_DEALS {
        draft.push(TableFact::Closed(CloseReason::Limit))?;
        return Ok(false);
    }
    let (dealer, pack) = chance(&draft.table, deal);
    let mut facts = Vec::new();
    draft.table.game.start_deal(&draft.table.setup.rules, dealer, pack, &mut facts).map_err(|_| broken())?;
    push_game(draft, facts)
}

/// Adds a game's facts; the end of a deal reveals its seed. Says whether the next deal follows at once.
pub(crate) fn push_game(draft: &mut Draft, facts: Vec<Fact>) -> Result<bool, Refusal> {
    let ended = facts.iter().any(|fact| matches!(fact, Fact::DealEnded(_)));
    for fact in facts {
        draft.push(TableFact::Game(fact))?;
    }
    if !ended {
        return Ok(false);
    }
    let deal = draft.table.game.deal_number();
    let link = draft.table.link(deal);
    draft.push(TableFact::SeedRevealed { deal, link })?;
    let setup = &draft.table.setup;
    let at_once = setup.between_deals == BetweenDeals::AtOnce && setup.timing.between_deals_ms == 0;
    Ok(!draft.table.is_ended() && at_once)
}

/// The first dealer and deal k's pack.
fn chance(table: &Table, deal: u16) -> (Seat, Pack) {
    let setup = &table.setup;
    let entropies: Vec<&[u8]> = table.seats.iter().map(|seat| seat.entropy.as_slice()).collect();
    let link = table.link(deal);
    let draw = Draw { table: setup.id, deal: u32::from(deal), link: &link, entropies: &entropies };
    let script = setup.script.as_ref();
    let dealer = match script.and_then(|script| script.first_dealer) {
        Some(seat) => seat,
        None if deal == 1 => draw.first_dealer(setup.seats()),
        None => Seat::One, // deals after the first follow the rotation
    };
    if let Some(pack) = script.and_then(|script| script.packs.get(usize::from(deal).checked_sub(1)?)) {
        return (dealer, *pack);
    }
    let mut pack = setup.rules.canonical_pack();
    draw.shuffle(&mut pack);
    (dealer, pack)
}

fn broken() -> Refusal {
    Refusal::new(Reason::Invariant, "The next deal could not be dealt; please report this.")
}
