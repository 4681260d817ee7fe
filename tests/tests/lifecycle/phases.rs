//! Which call a table takes in which phase, and while it is paused.

use futures_util::future::join_all;
use tests::life::hour_for_everything;
use tests::v1::{self, StartPolicy, TablePhase as Phase};
use tests::views::public;
use tests::{Client, NewTable, Table, World, hours, on_each_store, reason, request_id};
use tonic::Status;

/// Every call that changes a table, and what it comes to: `ok` is one update, `same` is accepted without any, all else
/// is the reason of a refusal. The platform makes each; the holder of a seat is told the same where he may.
const RUNNING: &str = "
                OPEN         PLAYING          BETWEEN_DEALS    FINISHED     CLOSED
JoinTable       ok           ok               ok               TABLE_ENDED  TABLE_ENDED
LeaveTable      ok           ok               ok               TABLE_ENDED  TABLE_ENDED
AddBot          ok           ok               ok               TABLE_ENDED  TABLE_ENDED
RemoveBot       ok           ok               ok               TABLE_ENDED  TABLE_ENDED
IssueSeatToken  same         same             same             same         same
IssueWatchToken same         same             same             same         same
RevokeSeat      ok           ok               ok               TABLE_ENDED  TABLE_ENDED
StartTable      ok           ALREADY_STARTED  ALREADY_STARTED  TABLE_ENDED  TABLE_ENDED
PlayCard        NOT_STARTED  ok               NOT_STARTED      TABLE_ENDED  TABLE_ENDED
EndTrick        NOT_STARTED  ok               NOT_STARTED      TABLE_ENDED  TABLE_ENDED
ExchangeHands   NOT_STARTED  ok               NOT_STARTED      TABLE_ENDED  TABLE_ENDED
StartNextDeal   NOT_STARTED  ALREADY_STARTED  ok               TABLE_ENDED  TABLE_ENDED
PauseTable      ok           ok               ok               TABLE_ENDED  TABLE_ENDED
ResumeTable     same         same             same             TABLE_ENDED  TABLE_ENDED
ExtendDeadline  ok           ok               ok               TABLE_ENDED  TABLE_ENDED
ForfeitSeat     NOT_STARTED  ok               ok               TABLE_ENDED  TABLE_ENDED
CreateRematch   NOT_STARTED  ALREADY_STARTED  ALREADY_STARTED  ok           ok
CloseTable      ok           ok               ok               TABLE_ENDED  TABLE_ENDED
";

/// The same at a table that was paused.
const PAUSED: &str = "
                OPEN          PLAYING          BETWEEN_DEALS
JoinTable       ok            ok               ok
LeaveTable      ok            ok               ok
AddBot          ok            ok               ok
RemoveBot       ok            ok               ok
IssueSeatToken  same          same             same
IssueWatchToken same          same             same
RevokeSeat      ok            ok               ok
StartTable      TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
PlayCard        TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
EndTrick        TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
ExchangeHands   TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
StartNextDeal   TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
PauseTable      same          same             same
ResumeTable     ok            ok               ok
ExtendDeadline  TABLE_PAUSED  TABLE_PAUSED     TABLE_PAUSED
ForfeitSeat     NOT_STARTED   ok               ok
CreateRematch   NOT_STARTED   ALREADY_STARTED  ALREADY_STARTED
CloseTable      ok            ok               ok
";

/// The calls that the holder of a seat may make as well.
const BY_SEATS: [&str; 8] = [
    "JoinTable",
    "LeaveTable",
    "StartTable",
    "PlayCard",
    "EndTrick",
    "ExchangeHands",
    "StartNextDeal",
    "CreateRematch",
];

/// One place of a matrix.
struct Case {
    method: String,
    phase: Phase,
    paused: bool,
    by_seat: bool,
    told: String,
}

/// Every place of a matrix, for each who may call.
fn cases(matrix: &str, paused: bool) -> Vec<Case> {
    let mut lines = matrix.lines().filter(|line| !line.is_empty());
    let phases: Vec<Phase> = lines
        .next()
        .expect("the phases")
        .split_whitespace()
        .map(|name| Phase::from_str_name(&format!("TABLE_PHASE_{name}")).expect("a phase"))
        .collect();
    let mut cases = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace().map(str::to_owned);
        let method = words.next().expect("a method");
        let told: Vec<String> = words.collect();
        assert_eq!(told.len(), phases.len(), "{line}");
        for (phase, told) in phases.iter().zip(told) {
            let callers: &[bool] =
                if BY_SEATS.contains(&method.as_str()) { &[false, true] } else { &[false] };
            cases.extend(callers.iter().map(|by_seat| {
                let (method, told) = (method.clone(), told.clone());
                Case { method, phase: *phase, paused, by_seat: *by_seat, told }
            }));
        }
    }
    cases
}

/// A table in a phase at which nothing but the phase forbids the call: one trick of ten points ends a deal, and after
/// it the leader, seat 1, may go on or end it; the next deal begins with an exchange of hands.
async fn table_for(door: &Client, case: &Case) -> Table {
    let mut new = NewTable::preset("cervena", 4)
        .changed(|rules| rules.stop_at_points = Some(10))
        .to(if case.phase == Phase::Finished { 1 } else { 9 })
        .deal(&["10c 7c 8d 8h", "9c", "10d", "9h"], "")
        .timed(hour_for_everything())
        .starting(if case.phase == Phase::Open { StartPolicy::Manual } else { StartPolicy::WhenFull });
    if case.phase == Phase::BetweenDeals {
        new = new.pausing_between_deals();
    } else if case.phase == Phase::Playing {
        // The next deal follows at once.
        new.request.timing.as_mut().unwrap().between_deals = None;
    }
    if case.method == "RemoveBot" {
        new = new.with_bots(&[4]);
    }
    let table = new.create(door).await;
    if case.method == "AddBot" {
        table.free(4).await;
    }
    let trick = ["1:10c", "2:9c", "3:10d", "4:9h", "1:end"];
    match case.phase {
        Phase::Open => {}
        Phase::Playing if case.method == "ExchangeHands" => table.play_for_all(&trick).await,
        Phase::Playing => table.play_for_all(&trick[..4]).await,
        Phase::BetweenDeals | Phase::Finished => table.play_for_all(&trick).await,
        Phase::Closed | Phase::Unspecified => drop(table.close().await),
    }
    if case.paused {
        table.pause().await;
    }
    table
}

/// Makes the call at the table, for the seat that is to act, or seat 1 where none is.
async fn make(table: &Table, case: &Case) -> Result<(), Status> {
    let view = table.view().await;
    let (expected_revision, turn) = (public(&view).revision, public(&view).turn_seat.max(1));
    let (client, seat) = if case.by_seat { (&table.seat(turn).client, 0) } else { (&table.platform, turn) };
    let (name, id) = (table.name.clone(), request_id());
    let holder = table.seat(turn);
    match case.method.as_str() {
        "JoinTable" => client.join_table(table.join_request(seat, "")).await.map(drop),
        "LeaveTable" => client.leave_table(table.leave_request(seat)).await.map(drop),
        "AddBot" => client.add_bot(table.add_bot_request(4)).await.map(drop),
        "RemoveBot" => client.remove_bot(table.remove_bot_request(4)).await.map(drop),
        "IssueSeatToken" => client.issue_seat_token(v1::IssueSeatTokenRequest { name, seat }).await.map(drop),
        "IssueWatchToken" => client.issue_watch_token(v1::IssueWatchTokenRequest { name }).await.map(drop),
        "RevokeSeat" => {
            client.revoke_seat(v1::RevokeSeatRequest { name, request_id: id, seat }).await.map(drop)
        }
        "StartTable" => client.start_table(table.start_request()).await.map(drop),
        "PlayCard" => {
            let request = holder.card_request(expected_revision, "7c");
            client.play_card(v1::PlayCardRequest { seat, ..request }).await.map(drop)
        }
        "EndTrick" => {
            let request = holder.end_request(expected_revision);
            client.end_trick(v1::EndTrickRequest { seat, ..request }).await.map(drop)
        }
        "ExchangeHands" => {
            let request = holder.exchange_request(expected_revision, true);
            client.exchange_hands(v1::ExchangeHandsRequest { seat, ..request }).await.map(drop)
        }
        "StartNextDeal" => client.start_next_deal(table.next_deal_request(expected_revision)).await.map(drop),
        "PauseTable" => client.pause_table(table.pause_request()).await.map(drop),
        "ResumeTable" => client.resume_table(table.resume_request()).await.map(drop),
        "ExtendDeadline" => client.extend_deadline(table.extend_request(hours(2))).await.map(drop),
        "ForfeitSeat" => client.forfeit_seat(table.forfeit_request(turn)).await.map(drop),
        "CreateRematch" => client.create_rematch(table.rematch_request()).await.map(drop),
        "CloseTable" => {
            let request = v1::CloseTableRequest { name, request_id: id, reason: String::new() };
            client.close_table(request).await.map(drop)
        }
        other => panic!("no call is named {other}"),
    }
}

/// What a call comes to, in the words of the matrix.
async fn told(world: &World, n: usize, case: &Case) -> String {
    let table = table_for(world.door(n), case).await.at(world.door(n + 1));
    let before = table.view().await;
    let place = || format!("{} in {:?}, paused: {}", case.method, case.phase, case.paused);
    assert_eq!((public(&before).phase(), public(&before).paused), (case.phase, case.paused), "{}", place());
    let answer = make(&table, case).await;
    let after = table.view().await;
    match (answer, public(&after).revision - public(&before).revision) {
        (Ok(()), 1) => "ok".to_owned(),
        (Ok(()), 0) => "same".to_owned(),
        (Ok(()), more) => panic!("{}: {more} updates", place()),
        (Err(status), 0) => reason(&status),
        (Err(status), _) => panic!("{} was refused and changed the table: {status:?}", place()),
    }
}

on_each_store! {
    async fn every_call_in_every_phase(world: &World) {
        let cases: Vec<Case> = cases(RUNNING, false).into_iter().chain(cases(PAUSED, true)).collect();
        assert_eq!(cases.len(), (18 + 8) * (5 + 3));
        let mut wrong = Vec::new();
        for some in cases.chunks(16) {
            let answers = join_all(some.iter().enumerate().map(|(n, case)| told(world, n, case))).await;
            for (case, told) in some.iter().zip(answers).filter(|(case, told)| case.told != *told) {
                let Case { method, phase, paused, by_seat, told: right } = case;
                wrong.push(format!("{method} in {phase:?} (paused: {paused}, by a seat: {by_seat}): {told}, not {right}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    async fn where_nothing_is_timed_there_is_nothing_to_extend(world: &World) {
        let new = NewTable::two().pausing_between_deals().starting(StartPolicy::Manual);
        let table = new.create(world.a()).await.at(world.b());
        for phase in [Phase::Open, Phase::Playing, Phase::BetweenDeals] {
            match phase {
                Phase::Playing => drop(table.seat(1).start().await.unwrap()),
                _ => table.play_until(|table| table.phase() == phase).await,
            }
            let refused = table.platform.extend_deadline(table.extend_request(hours(1))).await.unwrap_err();
            assert_eq!((public(&table.view().await).phase(), reason(&refused).as_str()), (phase, "NOT_STARTED"));
            assert!(refused.message().contains("nothing to extend"), "{refused:?}");
        }
    }
}
