//! Which situations a game can come to, and so which ones a run of it must meet.

use super::book::{Book, Bound, BurnedHand, Company, GoOnIf, GoingOn, Rotation, Tie, Worth};
use super::situation::Situation::{self, *};

type Rows<'a> = Vec<(bool, &'a [Situation])>;

/// Every situation that a run of these rules must meet.
pub(crate) fn expected(book: &Book) -> Vec<Situation> {
    let rows = [in_play(book), in_score(book), in_match(book)].concat();
    rows.into_iter().filter(|(can_be, _)| *can_be).flat_map(|(_, situations)| situations.to_vec()).collect()
}

fn in_play(book: &Book) -> Rows<'static> {
    let same_trick = book.going_on == GoingOn::SameTrick;
    let new_trick = book.going_on == GoingOn::NewTrick;
    let burns = book.burned_hand != BurnedHand::Never;
    let soloist = book.company == Company::Soloist;
    vec![
        (!book.wild_ranks.is_empty(), &[WildLed]),
        (!book.wild_ranks.is_empty() && (same_trick || book.seats > 2), &[LedRankBeatsAWild]),
        (same_trick, &[GoesOn, GoesOnWithAWild, EndsTheTrick, GoesOnUntilHandsAreEmpty, ShortStock]),
        (same_trick && book.go_on_if != GoOnIf::Always, &[HasTheCardsButMayNotGoOn]),
        (new_trick, &[Fights, FightsAgain, EndsTheTrick, GoesOnUntilHandsAreEmpty, ShortStock]),
        (book.bound == Bound::AfterTwoEqual && book.seats > 2, &[BoundToARank]),
        (book.bound == Bound::MustMatch, &[BoundToMatch]),
        (book.leads_of_a_rank > 0, &[RankLedTooOften, NothingButTheWornOutRank]),
        (book.blind_play, &[PlaysBlind, LeadsBlind]),
        (book.exchange, &[HandsExchanged, HandsKept]),
        (burns, &[HandBurned]),
        (burns && soloist, &[HandBurnedByPartnerOfSoloist, HandBurnedWithSoloistsCardInStock]),
        (book.burned_hand == BurnedHand::DealtOrDrawn, &[HandBurnedAsDealt]),
        (book.burned_trick, &[TrickBurned]),
        (book.marriages, &[Marriage, MarriageOfForty, MarriageOfALosingTrick]),
        (soloist, &[SoloistsCardDrawn, SoloistsCardLed, SoloistsCardMatches]),
    ]
}

fn in_score(book: &Book) -> Rows<'static> {
    let categories = match &book.worth {
        Worth::Categories(worth) => worth.len(),
        Worth::Points(_) => 0,
    };
    let played_out = book.stop_at == 0;
    let shares = book.tie == Tie::Share;
    let in_three_parts = (book.all_card_points() + book.last_trick).is_multiple_of(3);
    vec![
        (book.stop_at > 0, &[Stopped, StopsAtTheLastTrick]),
        (categories == 0, &[AllTricksForPoints]),
        (categories > 0 && played_out, &[Wins]),
        (categories > 1 && played_out, &[TakesAllPoints]),
        (categories > 2 && played_out, &[TakesAllTricks]),
        (book.last_trick > 0 && played_out, &[AllCardPointsButNotTheBonus]),
        (book.tie != Tie::SameDealer, &[LevelOnTop]),
        (shares && in_three_parts, &[AllThreeLevel]),
        (book.company == Company::Soloist, &[SoloistWins, SoloistLoses]),
    ]
}

fn in_match(book: &Book) -> Rows<'static> {
    let by_result = book.rotation != Rotation::Next;
    let pairs = book.company == Company::Pairs;
    let to_losers = by_result && book.rotation != Rotation::KeepOnMajority;
    vec![
        (true, &[NextSeatDeals, MatchWon]),
        (to_losers && pairs, &[DealersPartnerDeals]),
        (by_result && !(to_losers && pairs), &[SameDealerAgain]),
        (book.company == Company::Soloist, &[SeveralWinTheMatch]),
    ]
}
