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

use crate::api::{rules, scoring, seats, server, tables, tricks};
use crate::call::{Access::Known, Access::Open, unary};
use crate::service::Service;
use crate::{status, watch};

/// Every method of the package `sedma.v1`.
pub(crate) const METHODS: [&str; 22] = [
    "/sedma.v1.TableService/CreateTable",
    "/sedma.v1.TableService/GetTable",
    "/sedma.v1.TableService/ListTables",
    "/sedma.v1.TableService/JoinTable",
    "/sedma.v1.TableService/LeaveTable",
    "/sedma.v1.TableService/StartTable",
    "/sedma.v1.TableService/StartNextDeal",
    "/sedma.v1.TableService/IssueSeatToken",
    "/sedma.v1.TableService/IssueWatchToken",
    "/sedma.v1.TableService/RevokeSeat",
    "/sedma.v1.TableService/CreateRematch",
    "/sedma.v1.TableService/CloseTable",
    "/sedma.v1.TableService/WatchTable",
    "/sedma.v1.TrickService/PlayCard",
    "/sedma.v1.TrickService/ListLegalActions",
    "/sedma.v1.ScoringService/ScoreTrick",
    "/sedma.v1.ScoringService/ScoreDeal",
    "/sedma.v1.ScoringService/GetScore",
    "/sedma.v1.RulesService/ListPresets",
    "/sedma.v1.RulesService/GetPreset",
    "/sedma.v1.RulesService/ValidateRules",
    "/sedma.v1.ServerService/GetServerInfo",
];

async fn route<S: Store>(service: Arc<Service<S>>, request: Request<Body>) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let (s, r) = (service, request);
    match path.as_str() {
        "/sedma.v1.TableService/CreateTable" => unary(s, Known, r, tables::create_table).await,
        "/sedma.v1.TableService/GetTable" => unary(s, Known, r, tables::get_table).await,
        "/sedma.v1.TableService/ListTables" => unary(s, Known, r, tables::list_tables).await,
        "/sedma.v1.TableService/JoinTable" => unary(s, Known, r, seats::join_table).await,
        "/sedma.v1.TableService/LeaveTable" => unary(s, Known, r, seats::leave_table).await,
        "/sedma.v1.TableService/StartTable" => unary(s, Known, r, tables::start_table).await,
        "/sedma.v1.TableService/StartNextDeal" => unary(s, Known, r, tables::start_next_deal).await,
        "/sedma.v1.TableService/IssueSeatToken" => unary(s, Known, r, seats::issue_seat_token).await,
        "/sedma.v1.TableService/IssueWatchToken" => unary(s, Known, r, seats::issue_watch_token).await,
        "/sedma.v1.TableService/RevokeSeat" => unary(s, Known, r, seats::revoke_seat).await,
        "/sedma.v1.TableService/CreateRematch" => unary(s, Known, r, tables::create_rematch).await,
        "/sedma.v1.TableService/CloseTable" => unary(s, Known, r, tables::close_table).await,
        "/sedma.v1.TableService/WatchTable" => watch::watch_table(s, r).await,
        "/sedma.v1.TrickService/PlayCard" => unary(s, Known, r, tricks::play_card).await,
        "/sedma.v1.TrickService/ListLegalActions" => unary(s, Known, r, tricks::list_legal_actions).await,
        "/sedma.v1.ScoringService/ScoreTrick" => unary(s, Open, r, scoring::score_trick).await,
        "/sedma.v1.ScoringService/ScoreDeal" => unary(s, Open, r, scoring::score_deal).await,
        "/sedma.v1.ScoringService/GetScore" => unary(s, Known, r, scoring::get_score).await,
        "/sedma.v1.RulesService/ListPresets" => unary(s, Open, r, rules::list_presets).await,
        "/sedma.v1.RulesService/GetPreset" => unary(s, Open, r, rules::get_preset).await,
        "/sedma.v1.RulesService/ValidateRules" => unary(s, Open, r, rules::validate_rules).await,
        "/sedma.v1.ServerService/GetServerInfo" => unary(s, Open, r, server::get_server_info).await,
        other => status::unknown_method(other).into_http(),
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
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let service = self.0.clone();
        Box::pin(async move { Ok(route(service, request).await) })
    }
}
