//! What a table waits for, and what happens when it does not come: transcripts without a clock.

use crate::common::{Played, come_back, join, new_table, player, seat};
use sedma_rules::{Action, Preset, Seat};
use sedma_table::clock::{Mover, Timer, What, timer};
use sedma_table::decide::{Command, Decision, decide};
use sedma_table::{
    AWAY_DELAY_MS, Actor, BotLevel, CloseReason, NewTable, Occupant, OnJoinTimeout, OnTimeout, Phase, Reason,
    StartPolicy, Table, TableFact, Timing, Update, Viewer,
};

const STEADY: BotLevel = BotLevel::Steady;

/// Two named players and these clocks; the match starts when both are there.
fn two(timing: Timing) -> NewTable {
    let mut new = new_table(Preset::Two);
    new.start = StartPolicy::WhenReady;
    new.seats = vec![Occupant::Player(player("anna")), Occupant::Player(player("bert"))];
    new.timing = timing;
    new
}

fn turn_timeout(on_timeout: OnTimeout) -> Timing {
    Timing { turn_timeout_ms: 30_000, on_timeout, away_after: 2, ..Timing::NONE }
}

/// A running match of two.
fn playing(timing: Timing) -> Played {
    let mut table = Played::create(&two(timing));
    table.accept(&come_back(1));
    table.accept(&come_back(2));
    assert_eq!(table.table.phase(), Phase::Playing);
    table
}

fn mover(table: &Played) -> Seat {
    table.table.view(Viewer::SPECTATOR).game.turn.expect("somebody is to act")
}

/// The first legal action of the seat to act: what a bot might choose.
pub(crate) fn choice(table: &Table) -> Option<Action> {
    let turn = table.view(Viewer::SPECTATOR).game.turn?;
    table.view(Viewer::seat(turn)).game.hands.first()?.legal.iter().next()
}

/// The clock has run out: what is due happens.
fn fire(table: &mut Played) -> Vec<TableFact> {
    let command = Command::Fire { choice: choice(&table.table) };
    table.accept(&command)
}

/// What an update of these facts by this command does to the timer.
fn timer_of(table: &Played, command: &Command) -> Timer {
    let Decision::Happens { facts, seat } = decide(&table.table, command).expect("accepted") else {
        panic!("nothing happens")
    };
    let update = Update { actor: Actor::Player, seat, facts, traceparent: None };
    let after = table.table.evolve(&update).expect("its facts fit");
    timer(Some(&table.table), &update, &after)
}

fn plays(table: &Played) -> Command {
    Command::Act { seat: mover(table), action: choice(&table.table).expect("a legal action") }
}

#[test]
fn a_turn_is_timed_from_when_it_begins_and_by_nothing_else() {
    let mut table = playing(turn_timeout(OnTimeout::Autoplay(STEADY)));
    let due = table.table.due().expect("a turn is timed");
    assert_eq!((due.what, due.after_ms, due.grace_ms), (What::Turn(mover(&table)), 30_000, 500));
    assert_eq!(timer_of(&table, &plays(&table)), Timer::Arm(30_500), "the next turn has its whole time");
    // Who comes, goes and says hello is none of the mover's business.
    let other = mover(&table).after(1, 2);
    assert_eq!(timer_of(&table, &Command::Revoke { seat: other }), Timer::Keep);
    assert_eq!(timer_of(&table, &Command::Leave { seat: other }), Timer::Keep);
    assert_eq!(timer_of(&table, &Command::Close { reason: String::new() }), Timer::Disarm);
    table.accept(&plays(&table));
    table.replays();
}

#[test]
fn without_a_timeout_nothing_is_awaited() {
    let table = playing(Timing::NONE);
    assert_eq!(table.table.due(), None);
    assert_eq!(timer_of(&table, &plays(&table)), Timer::Disarm);
    assert_eq!(table.reason(&Command::Extend { remaining_ms: 1 }), Reason::NotStarted, "nothing is timed");
}

#[test]
fn a_bot_plays_for_who_lets_turns_pass_until_he_is_back() {
    let mut table = playing(turn_timeout(OnTimeout::Autoplay(STEADY)));
    let sleeper = mover(&table);
    for missed in 1..=2_u8 {
        while mover(&table) != sleeper {
            table.accept(&plays(&table));
        }
        let facts = fire(&mut table);
        assert_eq!(facts[0], TableFact::TurnMissed { seat: sleeper });
        let away = facts.contains(&TableFact::AwayChanged { seat: sleeper, away: true });
        assert_eq!(away, missed == 2, "two turns in a row");
        assert!(facts.iter().any(|fact| matches!(fact, TableFact::Game(_))), "the turn was played");
    }
    assert_eq!(
        table.table.mover(sleeper),
        Mover::Bot(STEADY, AWAY_DELAY_MS),
        "he is given a moment to come back"
    );
    table.accept(&come_back(sleeper.number()));
    assert_eq!(table.table.mover(sleeper), Mover::Person);
    table.replays();
}

#[test]
fn who_acts_in_between_has_not_let_turns_pass_in_a_row() {
    let mut table = playing(turn_timeout(OnTimeout::Autoplay(STEADY)));
    let seat = mover(&table);
    fire(&mut table);
    while mover(&table) != seat {
        table.accept(&plays(&table));
    }
    let own = plays(&table);
    let Decision::Happens { facts, .. } = decide(&table.table, &own).expect("accepted") else { panic!() };
    let update = Update { actor: Actor::Player, seat: Some(seat), facts, traceparent: None };
    table.table = table.table.evolve(&update).expect("his play");
    table.updates.push(update);
    assert_eq!(table.table.seat(seat).map(|seat| seat.missed), Some(0));
    table.replays();
}

#[test]
fn a_forfeit_ends_the_match_for_the_other_side() {
    let mut table = playing(turn_timeout(OnTimeout::Forfeit));
    let loser = mover(&table);
    fire(&mut table);
    let view = table.table.view(Viewer::SPECTATOR);
    assert_eq!((view.phase, &view.closed), (Phase::Closed, &Some(CloseReason::Forfeited(loser))));
    assert_eq!(view.winners().map(|seats| seats.contains(loser.after(1, 2))), Some(true));
    assert_eq!(table.table.due(), None);
    table.replays();
}

#[test]
fn where_nothing_follows_a_missed_turn_the_seat_may_still_act() {
    let mut table = playing(turn_timeout(OnTimeout::Nothing));
    let late = mover(&table);
    assert_eq!(fire(&mut table), [TableFact::TurnMissed { seat: late }]);
    assert_eq!(table.table.due(), None, "his clock has run out once and for all");
    assert_eq!(mover(&table), late);
    table.accept(&plays(&table));
    assert!(table.table.due().is_some(), "the next turn is timed again");
    table.replays();
}

#[test]
fn a_missed_turn_that_is_given_time_is_timed_and_may_be_missed_again() {
    for idle_timeout_ms in [0, 600_000] {
        let mut table = playing(Timing { idle_timeout_ms, ..turn_timeout(OnTimeout::Nothing) });
        let late = mover(&table);
        for missed in 1..=3_u8 {
            assert_eq!(fire(&mut table), [TableFact::TurnMissed { seat: late }]);
            assert_eq!(table.table.seat(late).map(|seat| seat.missed), Some(missed), "each is told");
            assert_ne!(table.table.due().map(|due| due.what), Some(What::Turn(late)));
            let turn_revision = table.table.standing().turn_revision;
            let more = Command::Extend { remaining_ms: 5_000 };
            assert_eq!(timer_of(&table, &more), Timer::Arm(5_500), "with the time for the way");
            assert_eq!(timer_of(&table, &Command::Rearm), Timer::Arm(30_500), "an outage gives it all back");
            table.accept(&more);
            assert_eq!(table.table.due().map(|due| due.what), Some(What::Turn(late)));
            assert_eq!(
                table.table.standing().turn_revision,
                turn_revision,
                "his decision is as good as before"
            );
        }
        table.accept(&plays(&table));
        table.replays();
    }
}

#[test]
fn a_pause_stops_everything_and_gives_the_whole_time_back() {
    let mut table = playing(turn_timeout(OnTimeout::Autoplay(STEADY)));
    let play = plays(&table);
    assert_eq!(timer_of(&table, &Command::Pause), Timer::Disarm);
    table.accept(&Command::Pause);
    assert!(table.accept(&Command::Pause).is_empty(), "a paused table is paused already");
    assert_eq!(table.reason(&play), Reason::TablePaused);
    assert_eq!(table.reason(&Command::Extend { remaining_ms: 1_000 }), Reason::TablePaused);
    assert_eq!(choice(&table.table), None, "nobody may do anything");
    assert_eq!(timer_of(&table, &Command::Resume), Timer::Arm(30_500));
    table.accept(&Command::Resume);
    assert_eq!(timer_of(&table, &Command::Extend { remaining_ms: 90_000 }), Timer::Arm(90_500));
    assert_eq!(timer_of(&table, &Command::Rearm), Timer::Arm(30_500), "an outage took it");
    table.accept(&play);
    table.replays();
}

#[test]
fn a_table_that_became_complete_in_a_pause_starts_when_it_ends() {
    let mut table = Played::create(&two(Timing::NONE));
    table.accept(&come_back(1));
    table.accept(&Command::Pause);
    table.accept(&come_back(2));
    assert_eq!(table.table.phase(), Phase::Open);
    table.accept(&Command::Resume);
    assert_eq!(table.table.phase(), Phase::Playing);
    table.replays();
}

#[test]
fn a_table_that_is_closed_is_paused_no_more() {
    let mut table = playing(Timing::NONE);
    table.accept(&Command::Pause);
    table.accept(&Command::Close { reason: "the tournament is off".to_owned() });
    assert!(!table.table.is_paused());
    table.replays();
}

#[test]
fn a_table_that_is_not_complete_in_time_ends_or_is_filled() {
    let timing = Timing { join_timeout_ms: 60_000, ..Timing::NONE };
    let mut ended = Played::create(&two(timing));
    assert_eq!(timer_of(&ended, &come_back(1)), Timer::Keep, "who joins does not prolong it");
    assert_eq!(fire(&mut ended), [TableFact::Closed(CloseReason::NotStarted)]);

    let on_join_timeout = OnJoinTimeout::FillWithBots(STEADY);
    let mut new = two(Timing { on_join_timeout, ..timing });
    new.seats[1] = Occupant::Open;
    let mut filled = Played::create(&new);
    let facts = fire(&mut filled);
    assert!(facts.contains(&TableFact::BotSeated { seat: seat(2), level: STEADY }));
    assert!(
        facts.contains(&TableFact::AwayChanged { seat: seat(1), away: true }),
        "he was named, and not there"
    );
    assert_eq!(filled.table.phase(), Phase::Playing);
    filled.accept(&come_back(1));
    assert_eq!(filled.table.mover(seat(1)), Mover::Person);
    filled.replays();
}

#[test]
fn bots_have_seats_and_players_take_them_over() {
    let mut new = two(Timing { bot_delay_ms: 700, ..Timing::NONE });
    new.seats[1] = Occupant::Bot(STEADY);
    let mut table = Played::create(&new);
    table.accept(&come_back(1));
    assert_eq!(table.table.phase(), Phase::Playing, "a bot is always there");
    assert_eq!(table.table.mover(seat(2)), Mover::Bot(STEADY, 700));
    assert_eq!(table.reason(&join("carl", 2)), Reason::SeatTaken);
    table.accept(&Command::RemoveBot { seat: seat(2) });
    assert!(
        table.accept(&Command::RemoveBot { seat: seat(2) }).is_empty(),
        "a seat without a bot has none to lose"
    );
    assert_eq!(table.table.mover(seat(2)), Mover::Bot(STEADY, AWAY_DELAY_MS), "its hand is played on");
    table.accept(&join("carl", 2));
    assert_eq!(table.table.mover(seat(2)), Mover::Person);
    assert_eq!(table.reason(&Command::AddBot { seat: Some(seat(2)), level: STEADY }), Reason::SeatTaken);
    assert_eq!(table.reason(&Command::AddBot { seat: None, level: STEADY }), Reason::TableFull);
    table.replays();
}

#[test]
fn a_pause_between_deals_ends_by_itself_or_by_a_call() {
    let mut table = playing(Timing { between_deals_ms: 5_000, ..Timing::NONE });
    while table.table.phase() == Phase::Playing {
        table.accept(&plays(&table));
    }
    assert_eq!(table.table.due().map(|due| (due.what, due.after_ms)), Some((What::NextDeal, 5_000)));
    let mut called = Played { table: table.table.clone(), updates: table.updates.clone() };
    fire(&mut table);
    called.accept(&Command::StartNextDeal);
    assert_eq!((table.table.phase(), called.table.phase()), (Phase::Playing, Phase::Playing));
    table.replays();
}

#[test]
fn a_table_where_nothing_happens_expires() {
    let mut table = playing(Timing { idle_timeout_ms: 600_000, ..Timing::NONE });
    assert_eq!(timer_of(&table, &plays(&table)), Timer::Arm(600_000), "whatever happens, it starts anew");
    assert_eq!(
        timer_of(&table, &Command::Pause),
        Timer::Arm(600_000),
        "a paused table does not stay for ever"
    );
    assert_eq!(fire(&mut table), [TableFact::Closed(CloseReason::Expired)]);
    table.replays();
}

#[test]
fn who_leaves_in_play_leaves_his_seat_to_the_policy() {
    let mut table = playing(turn_timeout(OnTimeout::Autoplay(STEADY)));
    table.accept(&Command::Leave { seat: seat(1) });
    assert_eq!(table.table.mover(seat(1)), Mover::Bot(STEADY, AWAY_DELAY_MS));
    let mut table = playing(turn_timeout(OnTimeout::Forfeit));
    table.accept(&Command::Leave { seat: seat(1) });
    assert_eq!(table.table.phase(), Phase::Closed);
    let mut table = playing(turn_timeout(OnTimeout::Nothing));
    table.accept(&Command::Leave { seat: seat(1) });
    assert_eq!(table.table.mover(seat(1)), Mover::Nobody);
    table.replays();
}

/// The seat to act lets its turn pass, and a bot plays for it.
fn turn_passes(table: &mut Played) {
    let seat = mover(table);
    let command = Command::Fire { choice: choice(&table.table) };
    table.accept_by(Actor::Timeout, seat, &command);
}

/// Turns that a seat's player let pass, and actions that were taken for it.
fn counts(table: &Played, number: u8) -> (u16, u16) {
    let state = table.table.seat(seat(number)).expect("a seat");
    (state.timeouts, state.bot_actions)
}

/// A match whose seat 1 has let one turn pass.
fn one_turn_passed() -> Played {
    let mut table = playing(Timing { away_after: 0, ..turn_timeout(OnTimeout::Autoplay(STEADY)) });
    while mover(&table) != seat(1) {
        table.accept(&plays(&table));
    }
    turn_passes(&mut table);
    assert_eq!(counts(&table, 1), (1, 1));
    table
}

#[test]
fn who_leaves_and_comes_back_goes_on_with_what_was_counted_for_him() {
    for bot_between in [false, true] {
        let mut table = one_turn_passed();
        table.accept(&Command::Leave { seat: seat(1) });
        if bot_between {
            table.accept(&Command::AddBot { seat: Some(seat(1)), level: STEADY });
            table.accept(&Command::RemoveBot { seat: seat(1) });
        }
        assert_eq!(counts(&table, 1), (1, 1), "it is kept for the one who left");
        table.accept(&join("anna", 1));
        assert_eq!(counts(&table, 1), (1, 1));
        assert_eq!(table.table.seat(seat(1)).and_then(|seat| seat.left.clone()), None, "he is there");
        table.replays();
    }
}

#[test]
fn who_takes_a_seat_over_has_let_no_turn_pass_and_what_bots_did_for_it_stays() {
    let mut table = one_turn_passed();
    table.accept(&Command::Leave { seat: seat(1) });
    table.accept(&join("carl", 1));
    assert_eq!(counts(&table, 1), (0, 1));
    table.accept(&Command::Leave { seat: seat(1) });
    table.accept(&join("anna", 1));
    assert_eq!(counts(&table, 1), (0, 1), "another has had her place: she begins anew");
    table.replays();
}
