//! Every verb in every phase: what a table answers is what the table of phases says.

use crate::clocks::choice;
use crate::common::{Played, come_back, new_table, player, seat};
use sedma_rules::Preset;
use sedma_table::decide::{Command, Decision, decide};
use sedma_table::phases::Verb;
use sedma_table::{
    BetweenDeals, BotLevel, NewTable, Occupant, Phase, Reason, StartPolicy, Table, TableId, Timing, Viewer,
};

const PHASES: [Phase; 5] = [Phase::Open, Phase::Playing, Phase::BetweenDeals, Phase::Finished, Phase::Closed];
const STEADY: BotLevel = BotLevel::Steady;

/// A person and a bot whose table is timed in every phase, and waits for a call to go on.
fn timed() -> NewTable {
    let mut new = new_table(Preset::Two);
    new.start = StartPolicy::Manual;
    new.between_deals = BetweenDeals::Manual;
    new.seats = vec![Occupant::Player(player("anna")), Occupant::Bot(STEADY)];
    new.timing = Timing {
        turn_timeout_ms: 30_000,
        between_deals_ms: 30_000,
        join_timeout_ms: 30_000,
        bot_delay_ms: 30_000,
        ..Timing::NONE
    };
    new
}

/// A table that was played into this phase.
fn in_phase(phase: Phase) -> Played {
    let mut table = Played::create(&timed());
    if phase == Phase::Closed {
        table.accept(&Command::Close { reason: "enough".to_owned() });
    }
    while table.table.phase() != phase {
        match table.table.phase() {
            Phase::Open => table.accept(&Command::Start),
            Phase::BetweenDeals => table.accept(&Command::StartNextDeal),
            _ => table.play_one(),
        };
    }
    table
}

/// A command of this verb that nothing but the phase can forbid.
fn command(verb: Verb, table: &Table) -> Command {
    let (anna, bot) = (seat(1), seat(2));
    match verb {
        Verb::Join => come_back(1),
        Verb::Leave => Command::Leave { seat: anna },
        Verb::Revoke => Command::Revoke { seat: anna },
        Verb::Start => Command::Start,
        Verb::StartNextDeal => Command::StartNextDeal,
        Verb::Act => Command::Act {
            seat: table.view(Viewer::SPECTATOR).game.turn.unwrap_or(anna),
            action: choice(table).unwrap_or(sedma_rules::Action::EndTrick),
        },
        Verb::AddBot => Command::AddBot { seat: Some(bot), level: STEADY },
        Verb::RemoveBot => Command::RemoveBot { seat: bot },
        Verb::Pause => Command::Pause,
        Verb::Resume => Command::Resume,
        Verb::Extend => Command::Extend { remaining_ms: 1_000 },
        Verb::Forfeit => Command::Forfeit { seat: anna },
        Verb::Fire => Command::Fire { choice: choice(table) },
        Verb::Rearm => Command::Rearm,
        Verb::LinkRematch => Command::LinkRematch { table: TableId::from_bytes([9; 16]) },
        Verb::Close => Command::Close { reason: String::new() },
    }
}

/// What the table answers each verb: why it is refused, or nothing where it is not.
fn answers(table: &Played) -> Vec<(Verb, Option<Reason>)> {
    let answer = |verb| {
        let command = command(verb, &table.table);
        assert_eq!(Verb::of(&command), verb);
        let refused = match decide(&table.table, &command) {
            Ok(Decision::Happens { .. } | Decision::AlreadySo) => None,
            Err(refusal) => {
                assert!(refusal.message.ends_with('.') && !refusal.message.contains(". "), "{refusal:?}");
                assert_eq!(refusal.standing, Some(table.table.standing()));
                Some(refusal.reason)
            }
        };
        (verb, refused)
    };
    Verb::ALL.into_iter().map(answer).collect()
}

#[test]
fn every_verb_is_answered_in_every_phase_as_the_table_of_phases_says() {
    for phase in PHASES {
        let mut table = in_phase(phase);
        for (verb, refused) in answers(&table) {
            assert_eq!(refused, verb.refused_in(phase, false), "{verb:?} in {phase:?}");
        }
        if table.table.is_ended() {
            assert_eq!(table.reason(&Command::Pause), Reason::TableEnded, "an ended table is never paused");
            continue;
        }
        table.accept(&Command::Pause);
        for (verb, refused) in answers(&table) {
            assert_eq!(refused, verb.refused_in(phase, true), "{verb:?} in {phase:?}, paused");
        }
        table.replays();
    }
}

#[test]
fn an_ended_table_refuses_everything_but_a_rematch() {
    for phase in [Phase::Finished, Phase::Closed] {
        let ended = Verb::ALL.into_iter().filter(|verb| verb.refused_in(phase, false).is_some());
        assert!(ended.clone().all(|verb| verb.refused_in(phase, false) == Some(Reason::TableEnded)));
        assert_eq!(ended.count(), Verb::ALL.len() - 1);
        assert_eq!(Verb::LinkRematch.refused_in(phase, false), None);
    }
}

#[test]
fn a_pause_forbids_what_seats_do_and_what_needs_a_running_clock() {
    for phase in [Phase::Open, Phase::Playing, Phase::BetweenDeals] {
        let stopped = |verb: &Verb| verb.refused_in(phase, true) == Some(Reason::TablePaused);
        let stopped: Vec<Verb> = Verb::ALL.into_iter().filter(stopped).collect();
        assert_eq!(stopped, [Verb::Start, Verb::StartNextDeal, Verb::Act, Verb::Extend]);
        for verb in Verb::ALL.into_iter().filter(|verb| !stopped.contains(verb)) {
            assert_eq!(verb.refused_in(phase, true), verb.refused_in(phase, false), "{verb:?} in {phase:?}");
        }
    }
}
