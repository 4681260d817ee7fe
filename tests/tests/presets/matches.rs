//! Whole matches of every preset, played at random by the seats' own tokens, and judged a second time.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use tests::views::{legal, public};
use tests::{Client, Deck, NewTable, Server, Table, World, v1};
use v1::DealTier as Tier;
use v1::watch_table_response::Payload;

use crate::pairs::pairs;
use crate::record::{Record, score};

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

    fn shuffled(&mut self, mut cards: Vec<v1::Card>) -> Vec<v1::Card> {
        for last in (1..cards.len()).rev() {
            cards.swap(last, self.below(last + 1));
        }
        cards
    }
}

/// What was seen in matches: words of actions (`card` for all plain plays) and tiers of deals.
type Seen = BTreeMap<String, usize>;

/// Deals that are shuffled here; a match that is longer than that goes on with the server's own packs.
const SHUFFLED: usize = 30;

/// A table of a preset, whose packs are the same each time. The deck is that of the changed rules.
fn new(preset: &str, seats: i32, target: i32, change: fn(&mut v1::SedmaRules), dice: &mut Dice) -> NewTable {
    let mut new = NewTable::preset(preset, seats).changed(change).to(target);
    let mut rules = v1::SedmaRules { preset: preset.to_owned(), ..v1::SedmaRules::default() };
    change(&mut rules);
    let packs =
        (0..SHUFFLED).map(|_| v1::ScriptedPack { cards: dice.shuffled(Deck::by(&rules, seats).cards) });
    new.request.script.as_mut().unwrap().packs.extend(packs);
    new
}

/// The same by the preset's own rules, to a target that a few deals reach.
fn short(preset: &str, seats: i32, dice: &mut Dice) -> NewTable {
    new(preset, seats, if preset == "hola" { 150 } else { 3 }, |_| {}, dice)
}

/// Whether an action is not simply a card of the hand.
fn is_rare(word: &str) -> bool {
    ["end", "swap", "keep", "stock"].contains(&word) || word.ends_with('!')
}

/// One of these actions; every other time a rare one, where there is one.
fn choose<'a>(choice: &'a [String], dice: &mut Dice) -> &'a str {
    let rare: Vec<&String> = choice.iter().filter(|word| is_rare(word)).collect();
    if !rare.is_empty() && dice.below(2) == 0 {
        rare[dice.below(rare.len())]
    } else {
        &choice[dice.below(choice.len())]
    }
}

/// Plays a match to its end: each action is chosen from the acting seat's own view, and goes through one door and the
/// other in turns.
async fn play(table: &Table, doors: [&Client; 2], dice: &mut Dice, seen: &mut Seen) {
    let tables = doors.map(|door| table.at(door));
    let mut turn = public(&table.view().await).turn_seat;
    for n in 0.. {
        let seat = tables[n % 2].seat(turn);
        let view = seat.view().await;
        let choice = legal(&view, turn);
        let word = choose(&choice, dice);
        let done = seat.act_at(public(&view).revision, word).await;
        let done = done.unwrap_or_else(|status| panic!("{turn}:{word} of {choice:?}: {status:?}"));
        let kind = if !is_rare(word) {
            "card"
        } else if word.ends_with('!') {
            "announced"
        } else {
            word
        };
        *seen.entry(kind.to_owned()).or_default() += 1;
        let after = done.view.expect("a view");
        turn = public(&after).turn_seat;
        if public(&after).phase() != v1::TablePhase::Playing {
            return;
        }
    }
}

/// Everything that a spectator is told of a match, from its creation to its end.
async fn whole_history(table: &Table) -> Vec<v1::Update> {
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        ..v1::WatchTableRequest::default()
    };
    let watch = table.spectator().await.watch_table(request).await.expect("a watch");
    let (messages, status) = watch.rest().await;
    assert!(status.is_none(), "{status:?}");
    let updates = messages.into_iter().filter_map(|message| match message.payload {
        Some(Payload::Update(update)) => Some(update),
        _ => None,
    });
    updates.collect()
}

/// What `ScoreDeal` is asked of a deal that was watched. Whoever burned a hand is of the side that got points for it; and
/// who stood alone against two was the soloist.
fn written_down(
    rules: &v1::SedmaRules,
    ended: &v1::DealEnded,
    tricks: &[v1::ScoredTrick],
) -> v1::ScoreDealRequest {
    let burned = ended.tier() == Tier::BurnedHand;
    let winner = ended.sides.iter().find(|side| side.game_points > 0).map_or(0, |side| side.seats[0]);
    let secret = rules.partnership() == v1::Partnership::SecretSoloist && ended.sides.len() == 2;
    let alone =
        ended.sides.iter().find(|side| secret && side.seats.len() == 1).map_or(0, |side| side.seats[0]);
    v1::ScoreDealRequest {
        rules: Some(rules.clone()),
        tricks: tricks.to_vec(),
        burned_hand_seat: if burned { winner } else { 0 },
        soloist_seat: if burned { alone } else { 0 },
    }
}

/// The points that there are in a deal beside marriages.
fn all_points(rules: &v1::SedmaRules) -> i32 {
    let cards = match rules.card_points() {
        v1::CardPoints::AceTen1 => 8,
        v1::CardPoints::AceTenFull => 120,
        _ => 80,
    };
    cards + rules.last_trick_bonus()
}

/// Judges a deal a second time, from its plays alone.
async fn judge(client: &Client, rules: &v1::SedmaRules, ended: &v1::DealEnded, tricks: &[v1::ScoredTrick]) {
    let said =
        client.score_deal(written_down(rules, ended, tricks)).await.expect("a deal that can be scored");
    let told = (ended.tier(), &ended.sides, ended.last_trick_bonus, ended.last_trick_seat);
    assert_eq!((said.tier(), &said.sides, said.last_trick_bonus, said.last_trick_seat), told, "{rules:?}");
    assert_eq!(said.tricks.len(), tricks.len());
    let leaders = tricks.iter().skip(1).map(|trick| trick.plays[0].seat);
    for (taken, leader) in said.tricks.iter().zip(leaders) {
        assert_eq!(taken.winner_seat, leader, "who takes a trick leads the next");
    }
    let counted: i32 = ended.sides.iter().map(|side| side.points).sum();
    let trick_count: i32 = ended.sides.iter().map(|side| side.tricks).sum();
    if ended.last_trick_seat > 0 && !rules.marriages() {
        assert_eq!(counted, all_points(rules), "{rules:?}");
    }
    let burned = usize::from(ended.tier() == Tier::BurnedTrick);
    assert_eq!(usize::try_from(trick_count).unwrap() + burned, tricks.len());
}

/// Reads a finished match as a spectator is told it, and holds facts, views and scores against each other.
async fn check(client: &Client, table: &Table, seen: &mut Seen) {
    let updates = whole_history(table).await;
    let last = updates.last().expect("updates").after.clone().unwrap();
    let Some(v1::game_rules::Game::Sedma(rules)) = public(&last).rules.clone().unwrap().game else {
        panic!()
    };
    let mut record = Record::new(rules.clone());
    for (update, revision) in updates.iter().zip(1..) {
        assert_eq!(update.revision, revision, "each update once and in order");
        record.update(update);
    }
    for (ended, tricks) in &record.deals {
        *seen.entry(format!("{:?}", ended.tier())).or_default() += 1;
        judge(client, &rules, ended, tricks).await;
    }
    let request = v1::GetScoreRequest { name: table.name.clone(), min_revision: None };
    let told = client.get_score(request).await.expect("a score");
    assert_eq!(told.deals, record.deals.iter().map(|(ended, _)| score(ended)).collect::<Vec<_>>());
    assert_eq!((told.sides.as_slice(), &told.winner_seats), (record.sides(), &record.winners));
    assert_eq!(told.revision, updates.last().unwrap().revision);
    let most = told.sides.iter().map(|side| side.game_points).max().unwrap();
    assert!(most >= told.match_target && !told.winner_seats.is_empty(), "{told:?}");
    for side in &told.sides {
        let won = side.seats.iter().all(|seat| told.winner_seats.contains(seat));
        assert_eq!(won, side.game_points == most, "{told:?}");
    }
    let view = table.view().await;
    assert_eq!(
        (public(&view).phase(), &public(&view).winner_seats),
        (v1::TablePhase::Finished, &record.winners)
    );
    let spectator = table.spectator().await;
    let request = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    assert_eq!(spectator.get_table(request).await.unwrap().view, Some(last), "the last update's view");
}

/// Plays and checks one match; answers what was seen.
async fn whole_match(doors: [&Client; 2], new: NewTable, mut dice: Dice) -> Seen {
    let mut seen = Seen::new();
    let table = new.start(doors[0]).await;
    play(&table, doors, &mut dice, &mut seen).await;
    check(doors[1], &table, &mut seen).await;
    seen
}

fn all(seen: Vec<Seen>) -> Seen {
    let mut all = Seen::new();
    for (what, times) in seen.into_iter().flatten() {
        *all.entry(what).or_default() += times;
    }
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_pair_plays_matches_that_add_up() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let twice = pairs().chain(pairs()).zip(1..);
    let plays = twice.map(|((preset, seats), seed)| {
        let mut dice = Dice(seed);
        whole_match([&client, &client], short(preset, seats, &mut dice), dice)
    });
    let plays: Vec<_> = plays.map(Box::pin).collect();
    assert_eq!(plays.len(), 46);
    let seen = all(join_all(plays).await);
    for what in ["end", "swap", "keep", "stock", "announced"] {
        assert!(seen.get(what).is_some_and(|times| *times >= 1), "{what} was not tried: {seen:?}");
    }
    for tier in [Tier::Win, Tier::RawPoints] {
        assert!(seen.contains_key(&format!("{tier:?}")), "{seen:?}");
    }
    println!("{seen:?}");
    server.stop().await;
}

/// More cards in hand make four of a rank likelier.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn burned_deals_add_up_as_well() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let six = |rules: &mut v1::SedmaRules| rules.hand_size = Some(6);
    let pairs = [("cervena", 2), ("cervena", 4), ("three_red_king", 3)].into_iter().zip(1..);
    let plays = pairs.map(|((preset, seats), seed)| {
        let mut dice = Dice(seed);
        whole_match([&client, &client], new(preset, seats, 20, six, &mut dice), dice)
    });
    let plays: Vec<_> = plays.map(Box::pin).collect();
    let seen = all(join_all(plays).await);
    assert!(seen.get("BurnedHand").is_some_and(|times| *times >= 3), "{seen:?}");
    println!("{seen:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_over_two_replicas_add_up() {
    let world = World::redis().await;
    let mut all_seen = Vec::new();
    for (preset, seats) in [("cervena", 4), ("hola", 2)] {
        let mut dice = Dice(7);
        let new = short(preset, seats, &mut dice);
        all_seen.push(whole_match([world.a(), world.b()], new, dice).await);
    }
    let seen = all(all_seen);
    assert!(["end", "RawPoints", "Win"].iter().all(|what| seen.contains_key(*what)), "{seen:?}");
    println!("{seen:?}");
    world.stop().await;
}
