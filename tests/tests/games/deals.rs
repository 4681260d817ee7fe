//! Whole deals: points, tiers, game points, and that everybody is told the same of them at the same revision.

use tests::deals::{AN_ACE_AT_LAST, EVERY_TRICK};
use tests::v1::{self, DealTier as Tier};
use tests::views::{facts, game, hand, public};
use tests::{Client, NewTable, Server, card, text};

use crate::plan::{Plan, drew, ended};

/// They take every ace and ten, and seat 2 a blank last trick.
const EVERY_POINT: [&str; 8] = [
    "7c 9d 9h 9s",
    "7d 10c 10d 10h",
    "7h 10s Jc Jd",
    "8c Jh Js Qc",
    "8d Qd Qh Qs",
    "8h Ac Ad Ah",
    "9c As Kc Kd",
    "8s 7s Kh Ks",
];
/// They take 90, and seat 2 a blank first trick.
const BLANK_FIRST_TRICK: [&str; 8] = [
    "8s 7s Kh Ks",
    "9d Kc Kd 9c",
    "7c 9h 9s 10c",
    "7d 10d 10h 10s",
    "7h Jc Jd Jh",
    "8c Js Qc Qd",
    "8d Qh Qs Ac",
    "8h Ad Ah As",
];
/// 40 against 50.
const FORTY_FIFTY: [&str; 8] = [
    "7c 10c 10d 10h",
    "7d 10s Jc Jd",
    "8s 7s Kh Ks",
    "7h Ac Ad Ah",
    "8c As Jh Js",
    "8d Qc Qd Qh",
    "8h 9c 9d 9h",
    "9s Qs Kc Kd",
];

/// What a side made of the deal: points, tricks, game points.
type Side = (i32, i32, i32);

fn sides(scores: &[v1::SideScore]) -> Vec<Side> {
    let seats: Vec<&[i32]> = scores.iter().map(|side| side.seats.as_slice()).collect();
    assert!(seats == [[1, 3].as_slice(), &[2, 4]] || seats == [[1].as_slice(), &[2]], "{scores:?}");
    scores.iter().map(|side| (side.points, side.tricks, side.game_points)).collect()
}

/// Scores the deal, then plays it, and holds both against what is expected.
async fn check(client: &Client, tricks: &[&str], tier: Tier, last_seat: i32, expected: [Side; 2]) {
    let plan = Plan::new(4, tricks);
    let request = v1::ScoreDealRequest { tricks: plan.scored(), ..v1::ScoreDealRequest::default() };
    let scored = client.score_deal(request).await.expect("a score");
    assert_eq!((scored.tier(), sides(&scored.sides)), (tier, expected.to_vec()));
    assert_eq!((scored.last_trick_bonus, scored.last_trick_seat), (10, last_seat));
    let judged: Vec<_> = plan.tricks().iter().map(|trick| (trick.winner, trick.points)).collect();
    let told: Vec<_> = scored.tricks.iter().map(|trick| (trick.winner_seat, trick.points)).collect();
    assert_eq!(told, judged);

    let (table, last) = plan.play(NewTable::classic().pausing_between_deals(), client).await;
    let deal = ended(last.update.as_ref().unwrap());
    assert_eq!((deal.deal, deal.tier(), sides(&deal.sides)), (1, tier, expected.to_vec()));
    assert_eq!((deal.last_trick_bonus, deal.last_trick_seat), (10, last_seat));
    let totals: Vec<i32> = deal.totals.iter().map(|side| side.game_points).collect();
    assert_eq!(totals, expected.map(|(_, _, game_points)| game_points));
    assert_eq!(expected[0].0 + expected[1].0, 90);

    // The same in a score, in a view, and in the view of a watcher who comes late.
    let request = v1::GetScoreRequest { name: table.name.clone(), min_revision: None };
    let score = client.get_score(request).await.expect("a score");
    assert_eq!((score.revision, score.deals[0].tier()), (last.revision, tier));
    assert_eq!((&score.deals[0].sides, &score.sides), (&deal.sides, &deal.totals));
    let view = table.view().await;
    assert_eq!(public(&view).revision, last.revision);
    let shown = game(&view).last_deal.as_ref().expect("a deal that ended");
    assert_eq!((shown.tier(), &shown.sides, &game(&view).sides), (tier, &deal.sides, &deal.totals));
    assert_eq!(table.seat(4).watch().await.snapshot().await, table.seat(4).view().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tier_of_classic() {
    let server = Server::memory().await;
    let client = server.platform().await;
    check(&client, &FORTY_FIFTY, Tier::Win, 2, [(40, 2, 0), (50, 6, 1)]).await;
    check(&client, &EVERY_POINT, Tier::SweepPoints, 2, [(80, 7, 2), (10, 1, 0)]).await;
    check(&client, &BLANK_FIRST_TRICK, Tier::SweepPoints, 1, [(90, 7, 2), (0, 1, 0)]).await;
    check(&client, &EVERY_TRICK, Tier::SweepCards, 1, [(90, 8, 3), (0, 0, 0)]).await;
    check(&client, &AN_ACE_AT_LAST, Tier::Win, 2, [(70, 7, 1), (20, 1, 0)]).await;
    server.stop().await;
}

/// The answer, the watch's last update and a read agree at one revision.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_trick_is_told_once_and_to_all() {
    let server = Server::memory().await;
    let plan = Plan::new(4, &AN_ACE_AT_LAST);
    let new = NewTable::classic().pausing_between_deals();
    let (table, last) = plan.play(new, &server.platform().await).await;
    let mut watch = table.seat(4).watch_after(last.revision - 1, &[]).await;
    watch.heartbeat().await;
    let told = watch.update().await;
    assert_eq!(told.revision, last.revision);
    assert_eq!(ended(&told), ended(last.update.as_ref().unwrap()));
    assert_eq!(told.after.unwrap(), table.seat(4).view().await);
    let phase = public(&table.view().await).phase();
    assert_eq!((phase, public(&table.view().await).revision), (v1::TablePhase::BetweenDeals, last.revision));
    server.stop().await;
}

/// The first to fifty ends the deal, and playing on would not have changed who wins.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_to_fifty() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let plan = Plan::new(2, &["10c Ac", "10d Ad", "10h Kc"]);
    let (table, last) = plan.play(NewTable::two().pausing_between_deals(), &client).await;
    let deal = ended(last.update.as_ref().unwrap());
    assert_eq!((deal.tier(), sides(&deal.sides)), (Tier::Win, vec![(50, 3, 1), (0, 0, 0)]));
    assert_eq!((deal.last_trick_bonus, deal.last_trick_seat), (0, 0), "not played to its last card");
    let view = table.view().await;
    assert_eq!(public(&view).phase(), v1::TablePhase::BetweenDeals);
    assert_eq!(
        drew(last.update.as_ref().unwrap()),
        Vec::<i32>::new(),
        "a trick that ends the deal is followed by no draw"
    );

    let two = v1::SedmaRules { preset: "two".into(), ..v1::SedmaRules::default() };
    let whole = v1::SedmaRules { stop_at_points: Some(0), ..two.clone() };
    let request = |rules, tricks| v1::ScoreDealRequest {
        rules: Some(rules),
        tricks,
        ..v1::ScoreDealRequest::default()
    };
    let stopped = client.score_deal(request(two.clone(), plan.scored())).await.unwrap();
    assert_eq!((stopped.tier(), sides(&stopped.sides)), (Tier::Win, vec![(50, 3, 1), (0, 0, 0)]));

    let played_out = Plan::new(
        2,
        &[
            "10c Ac", "10d Ad", "10h Kc", "7c 8c", "7d 8d", "7h 8h", "7s 8s", "9c Jc", "9d Jd", "9h Jh",
            "9s Js", "Qc Kd", "Qd Kh", "Qh Ks", "Qs Ah", "10s As",
        ],
    );
    let scored = client.score_deal(request(whole.clone(), played_out.scored())).await.unwrap();
    assert_eq!(sides(&scored.sides), [(90, 16, 3), (0, 0, 0)], "every trick, and the same winner");
    client.score_deal(request(two, played_out.scored())).await.expect_err("it was over after three tricks");
    client.score_deal(request(whole.clone(), plan.scored())).await.expect_err("it was not over yet");
    let (_, last) = played_out.play(NewTable::with_rules(whole, 2).pausing_between_deals(), &client).await;
    assert_eq!(sides(&ended(last.update.as_ref().unwrap()).sides), [(90, 16, 3), (0, 0, 0)]);
    server.stop().await;
}

/// The last two cards of the stock go to the winner first, and each sees its own alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_winner_draws_first_to_the_last_card() {
    let server = Server::memory().await;
    let plan = Plan::new(
        2,
        &[
            "7c 9c", "7d 9d", "7h 9h", "As 9s", "8c Jc", "8d Jd", "8s Jh", "Qc Js", "Qd Kc", "Qh Kd",
            "Qs Kh", "Ks 7s",
        ],
    );
    let plan = plan.keeping(&["10c 10d 10h 8h", "10s Ac Ad Ah"]);
    let table = plan.deal(NewTable::two()).start(&server.platform().await).await;
    let (taken, end) = plan.tricks().split_at(11);
    for play in taken.iter().flat_map(|trick| &trick.plays) {
        table.seat(play.seat).play(&text([play.card.as_ref().unwrap()])).await.unwrap();
    }
    assert_eq!((game(&table.view().await).stock_count, end[0].winner), (2, 2));
    let before = table.revision().await;
    let mut watches = [table.seat(1).watch().await, table.seat(2).watch().await];
    for watch in &mut watches {
        watch.snapshot().await;
    }
    table.play(&["1:Ks", "2:7s"]).await;

    for (seat, (watch, own)) in (1..).zip(watches.iter_mut().zip(["8h", "Ah"])) {
        let update = watch.updates_to(before + 2).await.pop().unwrap();
        assert_eq!(drew(&update), [2, 1]);
        let seen = facts(&update).into_iter().filter_map(|fact| match fact {
            v1::event::Fact::OwnCardsDrawn(drawn) => Some((drawn.seat, drawn.cards.clone())),
            _ => None,
        });
        assert_eq!(seen.collect::<Vec<_>>(), [(seat, vec![card(own)])]);
        let after = update.after.as_ref().unwrap();
        assert_eq!((game(after).stock_count, game(after).hand_counts.as_slice()), (0, [4, 4].as_slice()));
        assert!(hand(after, seat).contains(own));
    }
    server.stop().await;
}
