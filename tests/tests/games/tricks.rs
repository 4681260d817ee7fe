//! One trick each: who takes it, for how much, who draws first and who leads.

use tests::v1::{self, PlayEffect as Effect};
use tests::views::{facts, game, playable, public};
use tests::{Client, NewTable, Server, cards, text};

use crate::judge::judge;
use crate::plan::{Plan, drew};

/// A trick, whose it is, and what its cards are worth.
struct Example {
    name: &'static str,
    cards: &'static str,
    winner: i32,
    points: i32,
}

const fn example(name: &'static str, cards: &'static str, winner: i32, points: i32) -> Example {
    Example { name, cards, winner, points }
}

/// Seat 1 leads each.
const EXAMPLES: [Example; 13] = [
    example("the last card of the led rank", "9c Ac 9d Kc", 3, 10),
    example("nobody matches", "9c Ac Kc 8c", 1, 10),
    example("a seven, then the rank", "10c 7c 10d Kc", 3, 20),
    example("the rank, then a seven", "10c 10d Kc 7c", 4, 20),
    example("a seven is led and a seven follows", "7c 7d Ac Kc", 2, 10),
    example("a seven is led and nothing else matches it", "7c Ac 10c Kc", 1, 20),
    example("three sevens", "Ac 7c 7d 7h", 4, 10),
    example("the partner takes it", "Ac Kc Ad 8c", 3, 20),
    example("the last equal or seven", "8h 7c Kd 8s", 4, 0),
    example("four cards of hearts", "Ah 10h Kh Qh", 1, 20),
    example("eights and a seven", "8c 8d 7c 8h", 4, 0),
    example("a led seven is taken by a seven", "7h 8c 7s Ac", 3, 10),
    example("a led seven is no eight", "7h 8c 9c 8d", 1, 0),
];

async fn score(client: &Client, example: &Example, last_trick: bool) -> v1::ScoreTrickResponse {
    let plays = judge(1, 4, &cards(example.cards)).plays;
    client.score_trick(v1::ScoreTrickRequest { rules: None, plays, last_trick }).await.expect("a score")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_scored() {
    let server = Server::memory().await;
    let client = server.platform().await.with_authorization("Nobody knows me");
    for example in &EXAMPLES {
        println!("{}", example.name);
        for (last_trick, bonus) in [(false, 0), (true, 10)] {
            let score = score(&client, example, last_trick).await;
            let told = (score.winner_seat, score.points, score.last_trick_bonus);
            assert_eq!(told, (example.winner, example.points, bonus));
            let of_each: i32 = score.reasons.iter().map(|reason| reason.points).sum();
            assert_eq!((score.reasons.len(), of_each), (4, example.points));
            let taking = |reason: &&v1::PlayReason| reason.effect() != Effect::Unmatched;
            assert_eq!(score.reasons.iter().rfind(taking).unwrap().seat, example.winner);
        }
    }
    let third = score(&client, &EXAMPLES[2], false).await;
    let effects: Vec<Effect> = third.reasons.iter().map(v1::PlayReason::effect).collect();
    assert_eq!(effects, [Effect::Led, Effect::Wild, Effect::Matched, Effect::Unmatched]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_is_played() {
    let server = Server::memory().await;
    let client = server.platform().await;
    for example in &EXAMPLES {
        println!("{}", example.name);
        let plan = Plan::new(4, &[example.cards]);
        assert_eq!((plan.tricks()[0].winner, plan.tricks()[0].points), (example.winner, example.points));
        let (table, last) = plan.play(NewTable::classic(), &client).await;

        let view = last.view.as_ref().unwrap();
        assert_eq!((public(view).turn_seat, game(view).leader_seat), (example.winner, example.winner));
        let taken = game(view).last_trick.as_ref().unwrap();
        assert_eq!((taken.winner_seat, taken.points), (example.winner, example.points));
        assert_eq!(text(taken.plays.iter().filter_map(|play| play.card.as_ref())), example.cards);
        let order: Vec<i32> = crate::judge::order(example.winner, 4).collect();
        assert_eq!(drew(last.update.as_ref().unwrap()), order, "the winner draws first");
        assert_eq!(
            (game(view).stock_count, game(view).hand_counts.as_slice()),
            (12, [4, 4, 4, 4].as_slice())
        );
        assert_eq!(playable(&table.seat(example.winner).view().await, example.winner).len(), 4);
    }
    server.stop().await;
}

/// The leader holds another nine and a seven, and still may not go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trick_of_classic_is_one_round() {
    let server = Server::memory().await;
    let plan = Plan::new(4, &["9c Ac 9d Kc"]).keeping(&["9h 7c 8c"]);
    let (table, last) = plan.play(NewTable::classic(), &server.platform().await).await;
    let update = last.update.as_ref().unwrap();
    assert!(!facts(update).iter().any(|fact| matches!(fact, v1::event::Fact::RoundEnded(_))), "{update:?}");
    let view = table.seat(1).view().await;
    assert_eq!((public(&view).turn_seat, playable(&view, 1)), (3, vec![]));
    assert_eq!(table.seat(1).legal_actions().await.unwrap().legal_actions, []);
    server.stop().await;
}
