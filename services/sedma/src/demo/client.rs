//! A server inside this process, and clients of it over a socket.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use sedma_proto::v1;
use sedma_proto::v1::legal_action::Action;
use sedma_proto::v1::rules_service_client::RulesServiceClient;
use sedma_proto::v1::table_service_client::TableServiceClient;
use sedma_proto::v1::trick_service_client::TrickServiceClient;
use sedmad::config::Config;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Streaming};

/// How often a call that may simply be sent again is sent.
const ATTEMPTS: u32 = 5;
/// The first pause between two sendings; doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The server, and how to end it.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) store: &'static str,
    stop: oneshot::Sender<()>,
    running: JoinHandle<anyhow::Result<()>>,
}

impl Server {
    /// Starts a server on a free port of loopback and waits until it serves.
    pub(super) async fn start(redis_url: Option<String>) -> anyhow::Result<Self> {
        let store = if redis_url.is_some() { "redis" } else { "memory" };
        let config = Config::loopback(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), redis_url)?;
        let (stop, stopped) = oneshot::channel();
        let (listening, address) = oneshot::channel();
        let running = tokio::spawn(async move {
            let told = |address| {
                let _ = listening.send(address);
            };
            let stop = async {
                let _ = stopped.await;
            };
            sedmad::run(config, told, stop).await?;
            Ok(())
        });
        match address.await {
            Ok(address) => Ok(Self { address, store, stop, running }),
            Err(_) => {
                Err(running.await?.err().unwrap_or_else(|| anyhow!("the server ended before it listened")))
            }
        }
    }

    /// Ends the server and waits for it.
    pub(super) async fn stop(self) -> anyhow::Result<()> {
        let _ = self.stop.send(());
        self.running.await?
    }
}

/// Which seat of which table.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) table: String,
    pub(super) seat: i32,
}

/// One client with a connection and a credential of its own.
#[derive(Clone)]
pub(super) struct Client {
    channel: Channel,
    credential: Option<MetadataValue<Ascii>>,
}

/// A new id for a new request.
pub(super) fn request_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Client {
    pub(super) async fn connect(address: &SocketAddr, token: Option<String>) -> anyhow::Result<Self> {
        let channel = Endpoint::from_shared(format!("http://{address}"))?.tcp_nodelay(true).connect().await?;
        let credential = token.map(|token| format!("Bearer {token}").parse()).transpose()?;
        Ok(Self { channel, credential })
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(credential) = &self.credential {
            request.metadata_mut().insert("authorization", credential.clone());
        }
        request
    }

    /// How many seats a rule set has.
    pub(super) async fn seats_of(&self, rules: &v1::SedmaRules) -> anyhow::Result<i32> {
        let asked = v1::ValidateRulesRequest {
            rules: Some(v1::GameRules {
                game: Some(v1::game_rules::Game::Sedma(rules.clone())),
                ..v1::GameRules::default()
            }),
        };
        let answer = RulesServiceClient::new(self.channel.clone()).validate_rules(asked).await?.into_inner();
        let problems: Vec<String> = answer.problems.into_iter().map(|problem| problem.description).collect();
        ensure!(answer.valid, "{}", problems.join("; "));
        match answer.rules.and_then(|rules| rules.game) {
            Some(v1::game_rules::Game::Sedma(resolved)) => resolved.seats.context("the rules name no seats"),
            None => Err(anyhow!("no rules in the answer")),
        }
    }

    pub(super) async fn create(
        &self,
        request: v1::CreateTableRequest,
    ) -> anyhow::Result<v1::CreateTableResponse> {
        again(|| async {
            TableServiceClient::new(self.channel.clone()).create_table(self.request(request.clone())).await
        })
        .await
    }

    pub(super) async fn watch_token(&self, table: &str) -> anyhow::Result<String> {
        let request = v1::IssueWatchTokenRequest { name: table.to_owned() };
        let answer =
            TableServiceClient::new(self.channel.clone()).issue_watch_token(self.request(request)).await?;
        Ok(answer.into_inner().watch_token.context("no token in the answer")?.token)
    }

    /// Says "here", with a share in the chance of every pack.
    pub(super) async fn join(&self, link: &Link, entropy: Vec<u8>) -> anyhow::Result<v1::JoinTableResponse> {
        let request = v1::JoinTableRequest {
            name: link.table.clone(),
            request_id: request_id(),
            seat: link.seat,
            entropy: entropy.into(),
            ..v1::JoinTableRequest::default()
        };
        again(|| async {
            TableServiceClient::new(self.channel.clone()).join_table(self.request(request.clone())).await
        })
        .await
    }

    pub(super) async fn watch(
        &self,
        request: v1::WatchTableRequest,
    ) -> anyhow::Result<Streaming<v1::WatchTableResponse>> {
        let watch = TableServiceClient::new(self.channel.clone()).watch_table(self.request(request)).await?;
        Ok(watch.into_inner())
    }

    /// Does one of a seat's legal actions.
    pub(super) async fn act(
        &self,
        link: &Link,
        expected_revision: i64,
        action: Action,
    ) -> anyhow::Result<()> {
        let (name, seat, request_id) = (link.table.clone(), link.seat, request_id());
        match action {
            Action::PlayCard(v1::PlayCardAction { card, announce_marriage, from_stock }) => {
                let request = v1::PlayCardRequest {
                    name,
                    request_id,
                    expected_revision,
                    seat,
                    card,
                    announce_marriage,
                    from_stock,
                };
                again(|| async { self.tricks().play_card(self.request(request.clone())).await }).await?;
            }
            Action::EndTrick(_) => {
                let request = v1::EndTrickRequest { name, request_id, expected_revision, seat };
                again(|| async { self.tricks().end_trick(self.request(request.clone())).await }).await?;
            }
            Action::ExchangeHands(v1::ExchangeHandsAction { exchange }) => {
                let request =
                    v1::ExchangeHandsRequest { name, request_id, expected_revision, seat, exchange };
                again(|| async { self.tricks().exchange_hands(self.request(request.clone())).await }).await?;
            }
            // The demo's tables deal by themselves.
            Action::StartNextDeal(_) => {}
        }
        Ok(())
    }

    fn tricks(&self) -> TrickServiceClient<Channel> {
        TrickServiceClient::new(self.channel.clone())
    }
}

/// Sends a call again, with the same request id, while the server says that it may simply be sent again.
async fn again<A, F>(send: impl Fn() -> F) -> anyhow::Result<A>
where
    F: Future<Output = Result<tonic::Response<A>, tonic::Status>>,
{
    let mut pause = FIRST_PAUSE;
    for _ in 1..ATTEMPTS {
        match send().await {
            Err(status) if status.code() == Code::Unavailable => tokio::time::sleep(pause).await,
            other => return Ok(other?.into_inner()),
        }
        pause *= 2;
    }
    Ok(send().await?.into_inner())
}
