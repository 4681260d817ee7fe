//! A client: a connection, and a credential or none.

use std::net::SocketAddr;
use std::time::Duration;

use sedma_proto::v1;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::results::Consumer;
use crate::wait::within;
use crate::watch::Watch;
use crate::watch_all::WatchAll;

/// A new id for a new request.
pub fn request_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// One client. Without a credential it is the platform, on a server without authentication.
///
/// It has one method per RPC, each of which takes the whole request message. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Client {
    channel: Channel,
    credential: Option<MetadataValue<Ascii>>,
    timeout: Option<Duration>,
}

impl Client {
    /// A client on a connection of its own.
    pub async fn connect(address: SocketAddr) -> Self {
        Self::connect_as(address, |endpoint| endpoint).await
    }

    /// The same with a transport that is set up in another way.
    pub async fn connect_as(address: SocketAddr, set_up: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let endpoint = set_up(endpoint.tcp_nodelay(true));
        let channel = within("connecting", endpoint.connect()).await.expect("a connection to the server");
        Self { channel, credential: None, timeout: None }
    }

    /// The same connection, with a token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        self.with_authorization(&format!("Bearer {token}"))
    }

    /// The same connection, with whatever is to be sent as `authorization`.
    #[must_use]
    pub fn with_authorization(&self, value: &str) -> Self {
        let value = value.parse().expect("a metadata value");
        Self { credential: Some(value), ..self.clone() }
    }

    /// The same client, which sends this deadline with every call.
    #[must_use]
    pub fn with_deadline(&self, time: Duration) -> Self {
        Self { timeout: Some(time), ..self.clone() }
    }

    /// Its connection, for what has no method here.
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// A message with what the client sends beside each.
    pub fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(credential) = &self.credential {
            request.metadata_mut().insert("authorization", credential.clone());
        }
        if let Some(timeout) = self.timeout {
            request.set_timeout(timeout);
        }
        request
    }

    /// `TableService.WatchTable`.
    pub async fn watch_table(&self, request: v1::WatchTableRequest) -> Result<Watch, Status> {
        let mut service = v1::table_service_client::TableServiceClient::new(self.channel.clone());
        let opening = Box::pin(service.watch_table(self.request(request)));
        Ok(Watch::new(within("WatchTable", opening).await?.into_inner()))
    }

    /// `TableService.WatchTables`.
    pub async fn watch_tables(&self, request: v1::WatchTablesRequest) -> Result<WatchAll, Status> {
        let mut service = v1::table_service_client::TableServiceClient::new(self.channel.clone());
        let opening = Box::pin(service.watch_tables(self.request(request)));
        Ok(WatchAll::new(within("WatchTables", opening).await?.into_inner()).await)
    }

    /// `ResultService.StreamResults`.
    pub async fn stream_results(&self, request: v1::StreamResultsRequest) -> Result<Consumer, Status> {
        let mut service = v1::result_service_client::ResultServiceClient::new(self.channel.clone());
        let group = request.group.clone();
        let opening = Box::pin(service.stream_results(self.request(request)));
        let stream = within("StreamResults", opening).await?.into_inner();
        Ok(Consumer::new(self, group, stream).await)
    }
}

/// One method per unary RPC.
macro_rules! calls {
    ($($module:ident :: $service:ident {
        $($(#[$doc:meta])* $method:ident ( $request:ident ) -> $response:ident;)+
    })+) => {
        impl Client {
            $($(
                $(#[$doc])*
                pub async fn $method(&self, request: v1::$request) -> Result<v1::$response, Status> {
                    let mut service = v1::$module::$service::new(self.channel.clone());
                    // On the heap: a call is 16 KiB, and tests hold many.
                    let calling = Box::pin(service.$method(self.request(request)));
                    Ok(within(stringify!($method), calling).await?.into_inner())
                }
            )+)+
        }
    };
}

calls! {
    table_service_client::TableServiceClient {
        /// `TableService.CreateTable`.
        create_table(CreateTableRequest) -> CreateTableResponse;
        /// `TableService.GetTable`.
        get_table(GetTableRequest) -> GetTableResponse;
        /// `TableService.ListTables`.
        list_tables(ListTablesRequest) -> ListTablesResponse;
        /// `TableService.JoinTable`.
        join_table(JoinTableRequest) -> JoinTableResponse;
        /// `TableService.LeaveTable`.
        leave_table(LeaveTableRequest) -> LeaveTableResponse;
        /// `TableService.AddBot`.
        add_bot(AddBotRequest) -> AddBotResponse;
        /// `TableService.RemoveBot`.
        remove_bot(RemoveBotRequest) -> RemoveBotResponse;
        /// `TableService.PauseTable`.
        pause_table(PauseTableRequest) -> PauseTableResponse;
        /// `TableService.ResumeTable`.
        resume_table(ResumeTableRequest) -> ResumeTableResponse;
        /// `TableService.ExtendDeadline`.
        extend_deadline(ExtendDeadlineRequest) -> ExtendDeadlineResponse;
        /// `TableService.ForfeitSeat`.
        forfeit_seat(ForfeitSeatRequest) -> ForfeitSeatResponse;
        /// `TableService.SetPresence`.
        set_presence(SetPresenceRequest) -> SetPresenceResponse;
        /// `TableService.StartTable`.
        start_table(StartTableRequest) -> StartTableResponse;
        /// `TableService.StartNextDeal`.
        start_next_deal(StartNextDealRequest) -> StartNextDealResponse;
        /// `TableService.IssueSeatToken`.
        issue_seat_token(IssueSeatTokenRequest) -> IssueSeatTokenResponse;
        /// `TableService.IssueWatchToken`.
        issue_watch_token(IssueWatchTokenRequest) -> IssueWatchTokenResponse;
        /// `TableService.RevokeSeat`.
        revoke_seat(RevokeSeatRequest) -> RevokeSeatResponse;
        /// `TableService.CreateRematch`.
        create_rematch(CreateRematchRequest) -> CreateRematchResponse;
        /// `TableService.CloseTable`.
        close_table(CloseTableRequest) -> CloseTableResponse;
    }
    trick_service_client::TrickServiceClient {
        /// `TrickService.PlayCard`.
        play_card(PlayCardRequest) -> PlayCardResponse;
        /// `TrickService.EndTrick`.
        end_trick(EndTrickRequest) -> EndTrickResponse;
        /// `TrickService.ExchangeHands`.
        exchange_hands(ExchangeHandsRequest) -> ExchangeHandsResponse;
        /// `TrickService.ListLegalActions`.
        list_legal_actions(ListLegalActionsRequest) -> ListLegalActionsResponse;
    }
    scoring_service_client::ScoringServiceClient {
        /// `ScoringService.ScoreTrick`.
        score_trick(ScoreTrickRequest) -> ScoreTrickResponse;
        /// `ScoringService.ScoreDeal`.
        score_deal(ScoreDealRequest) -> ScoreDealResponse;
        /// `ScoringService.GetScore`.
        get_score(GetScoreRequest) -> GetScoreResponse;
    }
    record_service_client::RecordServiceClient {
        /// `RecordService.ListUpdates`.
        list_updates(ListUpdatesRequest) -> ListUpdatesResponse;
    }
    result_service_client::ResultServiceClient {
        /// `ResultService.AckResults`.
        ack_results(AckResultsRequest) -> AckResultsResponse;
    }
    rules_service_client::RulesServiceClient {
        /// `RulesService.ListPresets`.
        list_presets(ListPresetsRequest) -> ListPresetsResponse;
        /// `RulesService.GetPreset`.
        get_preset(GetPresetRequest) -> GetPresetResponse;
        /// `RulesService.ValidateRules`.
        validate_rules(ValidateRulesRequest) -> ValidateRulesResponse;
    }
    server_service_client::ServerServiceClient {
        /// `ServerService.GetServerInfo`.
        get_server_info(GetServerInfoRequest) -> GetServerInfoResponse;
    }
}
