//! Which path is which handler: one line a method, in the order of the protos. A test holds it against the descriptor
//! set.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use sedma_table::store::Store;
use tonic::body::Body;

use crate::api::{control, records, results, rules, scoring, seats, server, tables, tricks};
use crate::call::{Access::Known, Access::Open, unary};
use crate::service::Service;
use crate::{status, watch};

/// Every method of the package `sedma.v1`.
pub(crate) const METHODS: [&str; 35] = [
    "/sedma.v1.TableService/CreateTable",
    "/sedma.v1.TableService/GetTable",
    "/sedma.v1.TableService/ListTables",
    "/sedma.v1.TableService/JoinTable",
    "/sedma.v1.TableService/LeaveTable",
    "/sedma.v1.TableService/AddBot",
    "/sedma.v1.TableService/RemoveBot",
    "/sedma.v1.TableService/PauseTable",
    "/sedma.v1.TableService/ResumeTable",
    "/sedma.v1.TableService/ExtendDeadline",
    "/sedma.v1.TableService/ForfeitSeat",
    "/sedma.v1.TableService/SetPresence",
    "/sedma.v1.TableService/StartTable",
    "/sedma.v1.TableService/StartNextDeal",
    "/sedma.v1.TableService/IssueSeatToken",
    "/sedma.v1.TableService/IssueWatchToken",
    "/sedma.v1.TableService/RevokeSeat",
    "/sedma.v1.TableService/CreateRematch",
    "/sedma.v1.TableService/CloseTable",
    "/sedma.v1.TableService/WatchTable",
    "/sedma.v1.TableService/WatchTables",
    "/sedma.v1.TrickService/PlayCard",
    "/sedma.v1.TrickService/EndTrick",
    "/sedma.v1.TrickService/ExchangeHands",
    "/sedma.v1.TrickService/ListLegalActions",
    "/sedma.v1.ScoringService/ScoreTrick",
    "/sedma.v1.ScoringService/ScoreDeal",
    "/sedma.v1.ScoringService/GetScore",
    "/sedma.v1.RecordService/ListUpdates",
    "/sedma.v1.ResultService/StreamResults",
    "/sedma.v1.ResultService/AckResults",
    "/sedma.v1.RulesService/ListPresets",
    "/sedma.v1.RulesService/GetPreset",
    "/sedma.v1.RulesService/ValidateRules",
    "/sedma.v1.ServerService/GetServerInfo",
];

/// A call in the making. Each method's has a box of its own: together they would be as large as the largest of them.
type Answer = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

fn route<S: Store>(s: Arc<Service<S>>, r: Request<Body>) -> Answer {
    match r.uri().path() {
        "/sedma.v1.TableService/CreateTable" => Box::pin(unary(s, Known, r, tables::create_table)),
        "/sedma.v1.TableService/GetTable" => Box::pin(unary(s, Known, r, tables::get_table)),
        "/sedma.v1.TableService/ListTables" => Box::pin(unary(s, Known, r, tables::list_tables)),
        "/sedma.v1.TableService/JoinTable" => Box::pin(unary(s, Known, r, seats::join_table)),
        "/sedma.v1.TableService/LeaveTable" => Box::pin(unary(s, Known, r, seats::leave_table)),
        "/sedma.v1.TableService/AddBot" => Box::pin(unary(s, Known, r, control::add_bot)),
        "/sedma.v1.TableService/RemoveBot" => Box::pin(unary(s, Known, r, control::remove_bot)),
        "/sedma.v1.TableService/PauseTable" => Box::pin(unary(s, Known, r, control::pause_table)),
        "/sedma.v1.TableService/ResumeTable" => Box::pin(unary(s, Known, r, control::resume_table)),
        "/sedma.v1.TableService/ExtendDeadline" => Box::pin(unary(s, Known, r, control::extend_deadline)),
        "/sedma.v1.TableService/ForfeitSeat" => Box::pin(unary(s, Known, r, control::forfeit_seat)),
        "/sedma.v1.TableService/SetPresence" => Box::pin(unary(s, Known, r, control::set_presence)),
        "/sedma.v1.TableService/StartTable" => Box::pin(unary(s, Known, r, tables::start_table)),
        "/sedma.v1.TableService/StartNextDeal" => Box::pin(unary(s, Known, r, tables::start_next_deal)),
        "/sedma.v1.TableService/IssueSeatToken" => Box::pin(unary(s, Known, r, seats::issue_seat_token)),
        "/sedma.v1.TableService/IssueWatchToken" => Box::pin(unary(s, Known, r, seats::issue_watch_token)),
        "/sedma.v1.TableService/RevokeSeat" => Box::pin(unary(s, Known, r, seats::revoke_seat)),
        "/sedma.v1.TableService/CreateRematch" => Box::pin(unary(s, Known, r, tables::create_rematch)),
        "/sedma.v1.TableService/CloseTable" => Box::pin(unary(s, Known, r, tables::close_table)),
        "/sedma.v1.TableService/WatchTable" => Box::pin(watch::watch_table(s, r)),
        "/sedma.v1.TableService/WatchTables" => Box::pin(watch::watch_tables(s, r)),
        "/sedma.v1.TrickService/PlayCard" => Box::pin(unary(s, Known, r, tricks::play_card)),
        "/sedma.v1.TrickService/EndTrick" => Box::pin(unary(s, Known, r, tricks::end_trick)),
        "/sedma.v1.TrickService/ExchangeHands" => Box::pin(unary(s, Known, r, tricks::exchange_hands)),
        "/sedma.v1.TrickService/ListLegalActions" => Box::pin(unary(s, Known, r, tricks::list_legal_actions)),
        "/sedma.v1.ScoringService/ScoreTrick" => Box::pin(unary(s, Open, r, scoring::score_trick)),
        "/sedma.v1.ScoringService/ScoreDeal" => Box::pin(unary(s, Open, r, scoring::score_deal)),
        "/sedma.v1.ScoringService/GetScore" => Box::pin(unary(s, Known, r, scoring::get_score)),
        "/sedma.v1.RecordService/ListUpdates" => Box::pin(unary(s, Known, r, records::list_updates)),
        "/sedma.v1.ResultService/StreamResults" => Box::pin(results::stream_results(s, r)),
        "/sedma.v1.ResultService/AckResults" => Box::pin(unary(s, Known, r, results::ack_results)),
        "/sedma.v1.RulesService/ListPresets" => Box::pin(unary(s, Open, r, rules::list_presets)),
        "/sedma.v1.RulesService/GetPreset" => Box::pin(unary(s, Open, r, rules::get_preset)),
        "/sedma.v1.RulesService/ValidateRules" => Box::pin(unary(s, Open, r, rules::validate_rules)),
        "/sedma.v1.ServerService/GetServerInfo" => Box::pin(unary(s, Open, r, server::get_server_info)),
        other => {
            let unknown = status::unknown_method(other).into_http();
            Box::pin(std::future::ready(unknown))
        }
    }
}

/// The package's methods as one tower service.
pub(crate) struct Methods<S: Store>(pub(crate) Arc<Service<S>>);

impl<S: Store> Clone for Methods<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Store> tower::Service<Request<Body>> for Methods<S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Infallibly;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Infallibly(route(self.0.clone(), request))
    }
}

/// A call whose answer always comes: refusals are answers too.
pub(crate) struct Infallibly(Answer);

impl Future for Infallibly {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(Ok)
    }
}
