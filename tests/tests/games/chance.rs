//! Many deals and tricks that nobody thought of.

use tests::cards::canonical;
use tests::v1::{self, event::Fact};
use tests::views::{facts, playable, public};
use tests::{NewTable, Server, Table, text};

use crate::judge::{Judged, judge, order};

/// Deals that are scored: 10,000 tricks.
const SCORED: u64 = 1_250;
/// Matches that are played.
const PLAYED: u64 = 3;

/// Numbers that look like chance and are the same each time (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ z >> 31) % bound as u64).unwrap()
    }

    fn shuffled(&mut self) -> Vec<v1::Card> {
        let mut cards = canonical();
        for last in (1..cards.len()).rev() {
            cards.swap(last, self.below(last + 1));
        }
        cards
    }
}

/// A deal of `classic` where each trick is the next four cards of a pack.
fn tricks(pack: &[v1::Card]) -> Vec<Judged> {
    let mut leader = 1;
    let one = |cards: &[v1::Card]| {
        let judged = judge(leader, 4, cards);
        leader = judged.winner;
        judged
    };
    pack.chunks(4).map(one).collect()
}

/// Points and game points of seats 1 and 3, and of 2 and 4.
fn deal(tricks: &[Judged]) -> [(i32, i32); 2] {
    let of = |side: i32| tricks.iter().filter(move |trick| trick.winner % 2 == side);
    let last = tricks.last().unwrap().winner % 2;
    let cards = [1, 0].map(|side| of(side).map(|trick| trick.points).sum::<i32>());
    let points = [cards[0] + 10 * last, cards[1] + 10 * (1 - last)];
    let worth = |side: usize| match (points[side] >= 50, of([0, 1][side]).count(), cards[side]) {
        (false, ..) => 0,
        (true, 0, _) => 3,
        (true, _, 80) => 2,
        (true, ..) => 1,
    };
    [(points[0], worth(0)), (points[1], worth(1))]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deals_are_scored_as_the_rule_says() {
    let server = Server::memory().await;
    let client = server.platform().await;
    for seed in 0..SCORED {
        let judged = tricks(&Dice(seed).shuffled());
        let scored = judged.iter().map(|trick| v1::ScoredTrick { plays: trick.plays.clone() }).collect();
        let request = v1::ScoreDealRequest { tricks: scored, ..v1::ScoreDealRequest::default() };
        let told = client.score_deal(request).await.expect("a score");
        let sides: Vec<_> = told.sides.iter().map(|side| (side.points, side.game_points)).collect();
        assert_eq!(sides, deal(&judged), "seed {seed}");
        for (told, trick) in told.tricks.iter().zip(&judged) {
            assert_eq!((told.winner_seat, told.points), (trick.winner, trick.points), "seed {seed}");
        }
    }
    server.stop().await;
}

/// Plays a match with cards at random, and answers everything that a watcher is told of it.
async fn play(table: &Table, dice: &mut Dice) -> Vec<v1::Update> {
    let watch = table.seat(1).watch_after(0, &[]).await;
    let mut view = table.view_of(&[1, 2, 3, 4]).await;
    while public(&view).phase() == v1::TablePhase::Playing {
        let seat = public(&view).turn_seat;
        let choice = playable(&view, seat);
        let card = text([&choice[dice.below(choice.len())]]);
        table.seat(seat).play_at(public(&view).revision, &card).await.expect("a legal action");
        view = table.view_of(&[1, 2, 3, 4]).await;
    }
    let (messages, status) = watch.rest().await;
    assert!(status.is_none(), "{status:?}");
    let updates = messages.into_iter().filter_map(|message| match message.payload {
        Some(v1::watch_table_response::Payload::Update(update)) => Some(update),
        _ => None,
    });
    updates.collect()
}

/// Reads a match as a watcher tells it, and judges it once more.
fn check(updates: &[v1::Update]) -> [i32; 2] {
    let mut totals = [0, 0];
    let (mut trick, mut taken, mut leader): (Vec<v1::Card>, Vec<Judged>, i32) = (vec![], vec![], 0);
    for (update, fact) in
        updates.iter().flat_map(|update| facts(update).into_iter().map(move |f| (update, f)))
    {
        match fact {
            Fact::Dealt(dealt) => leader = dealt.leader_seat,
            Fact::CardPlayed(played) => {
                assert_eq!(Some(played.seat), order(leader, 4).nth(trick.len()), "{update:?}");
                trick.push(played.card.unwrap());
            }
            Fact::TrickWon(won) => {
                let judged = judge(leader, 4, &trick);
                assert_eq!((won.seat, won.points, &won.cards), (judged.winner, judged.points, &trick));
                (leader, trick) = (judged.winner, vec![]);
                taken.push(judged);
            }
            Fact::DealEnded(ended) => {
                let expected = deal(&taken);
                let sides: Vec<_> = ended.sides.iter().map(|side| (side.points, side.game_points)).collect();
                assert_eq!((taken.len(), sides.as_slice()), (8, expected.as_slice()), "deal {}", ended.deal);
                totals = [totals[0] + expected[0].1, totals[1] + expected[1].1];
                let told: Vec<i32> = ended.totals.iter().map(|side| side.game_points).collect();
                assert_eq!(told, totals);
                taken.clear();
            }
            Fact::MatchEnded(ended) => {
                let winners = if totals[0] >= 4 { [1, 3] } else { [2, 4] };
                assert_eq!(ended.winner_seats, winners, "{totals:?}");
            }
            _ => {}
        }
    }
    totals
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_are_told_as_the_rule_says() {
    let server = Server::memory().await;
    let client = server.platform().await;
    for seed in 0..PLAYED {
        let mut new = NewTable::classic();
        new.request.script.as_mut().unwrap().root = vec![u8::try_from(seed).unwrap(); 32].into();
        let table = new.start(&client).await;
        let updates = play(&table, &mut Dice(seed)).await;
        let totals = check(&updates);
        assert!(totals[0].max(totals[1]) >= 4, "a match that has ended: {totals:?}");
    }
    server.stop().await;
}
