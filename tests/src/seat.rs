//! A seat at a table, as its holder has it: a client with a seat token.

use sedma_proto::v1;
use tonic::Status;

use crate::cards::card;
use crate::client::{Client, request_id};
use crate::views::public;
use crate::watch::Watch;

/// The holder of a seat.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The client with the seat's token, for requests that have no short form here.
    pub client: Client,
    /// Name of the table.
    pub table: String,
    /// Number of the seat.
    pub number: i32,
    /// The seat's token.
    pub token: String,
}

impl Seat {
    /// The holder of this token of a table, on this door's connection.
    pub fn new(door: &Client, table: &str, token: &v1::SeatToken) -> Self {
        let client = door.with_token(&token.token);
        Self { client, table: table.to_owned(), number: token.seat, token: token.token.clone() }
    }

    /// The same holder at another door.
    #[must_use]
    pub fn at(&self, door: &Client) -> Self {
        Self { client: door.with_token(&self.token), ..self.clone() }
    }

    /// Says "here".
    pub async fn join(&self) -> Result<v1::JoinTableResponse, Status> {
        self.join_with(&[]).await
    }

    /// Says "here" and hands in entropy.
    pub async fn join_with(&self, entropy: &[u8]) -> Result<v1::JoinTableResponse, Status> {
        let entropy = entropy.to_vec().into();
        let request = v1::JoinTableRequest {
            name: self.table.clone(),
            request_id: request_id(),
            entropy,
            ..v1::JoinTableRequest::default()
        };
        self.client.join_table(request).await
    }

    /// Gives the seat back.
    pub async fn leave(&self) -> Result<v1::LeaveTableResponse, Status> {
        let request = v1::LeaveTableRequest { name: self.table.clone(), request_id: request_id(), seat: 0 };
        self.client.leave_table(request).await
    }

    /// Starts the match.
    pub async fn start(&self) -> Result<v1::StartTableResponse, Status> {
        let request = v1::StartTableRequest { name: self.table.clone(), request_id: request_id() };
        self.client.start_table(request).await
    }

    /// Starts the next deal, decided on the newest view.
    pub async fn start_next_deal(&self) -> Result<v1::StartNextDealResponse, Status> {
        let request = v1::StartNextDealRequest {
            name: self.table.clone(),
            request_id: request_id(),
            expected_revision: public(&self.view().await).revision,
            seat: 0,
        };
        self.client.start_next_deal(request).await
    }

    /// Creates the table of a rematch, or meets it.
    pub async fn rematch(&self) -> Result<v1::CreateRematchResponse, Status> {
        let request = v1::CreateRematchRequest { name: self.table.clone(), request_id: request_id() };
        self.client.create_rematch(request).await
    }

    /// The seat's newest view.
    pub async fn view(&self) -> v1::TableView {
        let request = v1::GetTableRequest { name: self.table.clone(), ..v1::GetTableRequest::default() };
        self.client.get_table(request).await.expect("the seat's view").view.expect("a view")
    }

    /// What the seat may do.
    pub async fn legal_actions(&self) -> Result<v1::ListLegalActionsResponse, Status> {
        let request = v1::ListLegalActionsRequest {
            name: self.table.clone(),
            ..v1::ListLegalActionsRequest::default()
        };
        self.client.list_legal_actions(request).await
    }

    /// Plays a card such as `10h`, decided on the newest view.
    pub async fn play(&self, card: &str) -> Result<v1::PlayCardResponse, Status> {
        let revision = public(&self.view().await).revision;
        self.play_at(revision, card).await
    }

    /// Plays a card, decided on the view of this revision.
    pub async fn play_at(&self, revision: i64, card: &str) -> Result<v1::PlayCardResponse, Status> {
        self.client.play_card(self.card_request(revision, card)).await
    }

    /// The request that plays a card, with a new id. `Kh!` announces the marriage, `stock` is the stock's top card.
    pub fn card_request(&self, revision: i64, text: &str) -> v1::PlayCardRequest {
        let from_stock = text == "stock";
        v1::PlayCardRequest {
            name: self.table.clone(),
            request_id: request_id(),
            expected_revision: revision,
            card: (!from_stock).then(|| card(text.trim_end_matches('!'))),
            announce_marriage: text.ends_with('!'),
            from_stock,
            ..v1::PlayCardRequest::default()
        }
    }

    /// The request that ends the trick, with a new id.
    pub fn end_request(&self, revision: i64) -> v1::EndTrickRequest {
        let name = self.table.clone();
        v1::EndTrickRequest { name, request_id: request_id(), expected_revision: revision, seat: 0 }
    }

    /// The request that answers the exchange of hands, with a new id.
    pub fn exchange_request(&self, revision: i64, exchange: bool) -> v1::ExchangeHandsRequest {
        v1::ExchangeHandsRequest {
            name: self.table.clone(),
            request_id: request_id(),
            expected_revision: revision,
            seat: 0,
            exchange,
        }
    }

    /// Ends the trick, decided on the newest view.
    pub async fn end_trick(&self) -> Result<v1::EndTrickResponse, Status> {
        let revision = public(&self.view().await).revision;
        self.client.end_trick(self.end_request(revision)).await
    }

    /// Swaps hands with the partner or declines to, decided on the newest view.
    pub async fn exchange(&self, exchange: bool) -> Result<v1::ExchangeHandsResponse, Status> {
        let revision = public(&self.view().await).revision;
        self.client.exchange_hands(self.exchange_request(revision, exchange)).await
    }

    /// Does what one word of a transcript says, decided on the newest view: `end`, `swap`, `keep`, or else a play as
    /// in [`Self::card_request`]. The answers of the three methods have the same fields; it is told as a play's.
    pub async fn act(&self, word: &str) -> Result<v1::PlayCardResponse, Status> {
        let revision = public(&self.view().await).revision;
        self.act_at(revision, word).await
    }

    /// The same, decided on the view of this revision.
    pub async fn act_at(&self, revision: i64, word: &str) -> Result<v1::PlayCardResponse, Status> {
        match word {
            "end" => {
                let answer = self.client.end_trick(self.end_request(revision)).await?;
                let v1::EndTrickResponse { revision, replayed, update, view } = answer;
                Ok(v1::PlayCardResponse { revision, replayed, update, view })
            }
            "swap" | "keep" => {
                let request = self.exchange_request(revision, word == "swap");
                let answer = self.client.exchange_hands(request).await?;
                let v1::ExchangeHandsResponse { revision, replayed, update, view } = answer;
                Ok(v1::PlayCardResponse { revision, replayed, update, view })
            }
            play => self.play_at(revision, play).await,
        }
    }

    /// Watches from now on.
    pub async fn watch(&self) -> Watch {
        let request = v1::WatchTableRequest { name: self.table.clone(), ..v1::WatchTableRequest::default() };
        self.client.watch_table(request).await.expect("a watch")
    }

    /// Watches on from a revision; from 0 on that is the whole history.
    pub async fn watch_after(&self, revision: i64, history: &[u8]) -> Watch {
        let request = v1::WatchTableRequest {
            name: self.table.clone(),
            after_revision: Some(revision),
            history: history.to_vec().into(),
            ..v1::WatchTableRequest::default()
        };
        self.client.watch_table(request).await.expect("a watch")
    }
}
