//! Every call that is about one table.

use std::fmt::Debug;

use crate::{Client, card, hours, request_id, v1};
use tonic::Status;

/// Who may call what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Whoever sees the table.
    Sight,
    /// The platform or the holder of a seat.
    Seat,
    /// The platform.
    Platform,
}

/// A call that was made, and what it was answered with.
pub struct Called {
    /// Its method.
    pub method: &'static str,
    /// Who may make it.
    pub needs: Needs,
    /// What came back.
    pub answer: Result<(), Status>,
}

/// Makes every call about the table of this name, one after the other. A platform names the seat that it acts for;
/// the holder of a token leaves it at 0.
pub async fn every_call(client: &Client, name: &str, seat: i32) -> Vec<Called> {
    let by_seats = by_seats(client, name, seat).await;
    by_seats.into_iter().chain(by_the_platform(client, name).await).collect()
}

fn called<T: Debug>(method: &'static str, needs: Needs, answer: Result<T, Status>) -> Called {
    Called { method, needs, answer: answer.map(drop) }
}

async fn by_seats(client: &Client, name: &str, seat: i32) -> Vec<Called> {
    let n = || name.to_owned();
    let player_id = if seat == 0 { String::new() } else { format!("p{seat}") };
    let get = v1::GetTableRequest { name: n(), ..v1::GetTableRequest::default() };
    let watch = v1::WatchTableRequest { name: n(), ..v1::WatchTableRequest::default() };
    let updates = v1::ListUpdatesRequest { name: n(), ..v1::ListUpdatesRequest::default() };
    let score = v1::GetScoreRequest { name: n(), min_revision: None };
    let legal = v1::ListLegalActionsRequest { name: n(), seat, min_revision: None };
    let join = v1::JoinTableRequest {
        name: n(),
        request_id: request_id(),
        player_id,
        ..v1::JoinTableRequest::default()
    };
    let start = v1::StartTableRequest { name: n(), request_id: request_id() };
    let next =
        v1::StartNextDealRequest { name: n(), request_id: request_id(), expected_revision: 1, seat: 0 };
    let play = v1::PlayCardRequest {
        name: n(),
        request_id: request_id(),
        expected_revision: 1,
        seat,
        card: Some(card("7c")),
        ..v1::PlayCardRequest::default()
    };
    let end = v1::EndTrickRequest { name: n(), request_id: request_id(), expected_revision: 1, seat };
    let exchange = v1::ExchangeHandsRequest {
        name: n(),
        request_id: request_id(),
        expected_revision: 1,
        seat,
        exchange: true,
    };
    let leave = v1::LeaveTableRequest { name: n(), request_id: request_id(), seat };
    let rematch = v1::CreateRematchRequest { name: n(), request_id: request_id() };
    vec![
        called("GetTable", Needs::Sight, client.get_table(get).await),
        called("WatchTable", Needs::Sight, client.watch_table(watch).await),
        called("ListUpdates", Needs::Sight, client.list_updates(updates).await),
        called("GetScore", Needs::Sight, client.get_score(score).await),
        called("ListLegalActions", Needs::Seat, client.list_legal_actions(legal).await),
        called("JoinTable", Needs::Seat, client.join_table(join).await),
        called("StartTable", Needs::Seat, client.start_table(start).await),
        called("StartNextDeal", Needs::Seat, client.start_next_deal(next).await),
        called("PlayCard", Needs::Seat, client.play_card(play).await),
        called("EndTrick", Needs::Seat, client.end_trick(end).await),
        called("ExchangeHands", Needs::Seat, client.exchange_hands(exchange).await),
        called("CreateRematch", Needs::Seat, client.create_rematch(rematch).await),
        called("LeaveTable", Needs::Seat, client.leave_table(leave).await),
    ]
}

/// Those of them that only a platform may make.
pub async fn by_the_platform(client: &Client, name: &str) -> Vec<Called> {
    let n = || name.to_owned();
    let seat_token = v1::IssueSeatTokenRequest { name: n(), seat: 1 };
    let watch_token = v1::IssueWatchTokenRequest { name: n() };
    let revoke = v1::RevokeSeatRequest { name: n(), request_id: request_id(), seat: 1 };
    let add_bot = v1::AddBotRequest { name: n(), request_id: request_id(), ..v1::AddBotRequest::default() };
    let remove_bot = v1::RemoveBotRequest { name: n(), request_id: request_id(), seat: 1 };
    let pause = v1::PauseTableRequest { name: n(), request_id: request_id() };
    let resume = v1::ResumeTableRequest { name: n(), request_id: request_id() };
    let extend =
        v1::ExtendDeadlineRequest { name: n(), request_id: request_id(), remaining_duration: Some(hours(1)) };
    let forfeit = v1::ForfeitSeatRequest { name: n(), request_id: request_id(), seat: 1 };
    let presence =
        v1::SetPresenceRequest { name: n(), seat: 1, connected: true, ..v1::SetPresenceRequest::default() };
    let close =
        v1::CloseTableRequest { name: n(), request_id: request_id(), ..v1::CloseTableRequest::default() };
    vec![
        called("IssueSeatToken", Needs::Platform, client.issue_seat_token(seat_token).await),
        called("IssueWatchToken", Needs::Platform, client.issue_watch_token(watch_token).await),
        called("RevokeSeat", Needs::Platform, client.revoke_seat(revoke).await),
        called("AddBot", Needs::Platform, client.add_bot(add_bot).await),
        called("RemoveBot", Needs::Platform, client.remove_bot(remove_bot).await),
        called("PauseTable", Needs::Platform, client.pause_table(pause).await),
        called("ResumeTable", Needs::Platform, client.resume_table(resume).await),
        called("ExtendDeadline", Needs::Platform, client.extend_deadline(extend).await),
        called("ForfeitSeat", Needs::Platform, client.forfeit_seat(forfeit).await),
        called("SetPresence", Needs::Platform, client.set_presence(presence).await),
        called("CloseTable", Needs::Platform, client.close_table(close).await),
    ]
}
