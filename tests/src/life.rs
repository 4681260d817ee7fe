//! A table's life in short forms: what its platform asks for, and what it does for whoever is to act.

use sedma_proto::v1;
use tonic::Status;

use crate::client::request_id;
use crate::seat::Seat;
use crate::table::{NewTable, Table};
use crate::timing::{duration, hours};
use crate::views::{legal, public};

impl NewTable {
    /// The same with another player in a seat.
    #[must_use]
    pub fn with_player(mut self, seat: usize, player_id: &str) -> Self {
        self.request.seats[seat - 1] =
            v1::NewSeat { player_id: player_id.to_owned(), ..v1::NewSeat::default() };
        self
    }
}

/// An hour for everything, and for every bot's move; turns that are missed are only told.
pub fn hour_for_everything() -> v1::Timing {
    let hour = Some(hours(1));
    v1::Timing {
        turn_timeout: hour,
        timeout_policy: v1::TimeoutPolicy::Nothing.into(),
        bot_delay: hour,
        between_deals: hour,
        join_timeout: hour,
        ..v1::Timing::default()
    }
}

impl Table {
    /// The request that gives a seat back.
    pub fn leave_request(&self, seat: i32) -> v1::LeaveTableRequest {
        v1::LeaveTableRequest { name: self.name.clone(), request_id: request_id(), seat }
    }

    /// The request that starts the match.
    pub fn start_request(&self) -> v1::StartTableRequest {
        v1::StartTableRequest { name: self.name.clone(), request_id: request_id() }
    }

    /// The request that starts the next deal.
    pub fn next_deal_request(&self, expected_revision: i64) -> v1::StartNextDealRequest {
        let (name, request_id) = (self.name.clone(), request_id());
        v1::StartNextDealRequest { name, request_id, expected_revision, seat: 0 }
    }

    /// The request that creates the table of a rematch.
    pub fn rematch_request(&self) -> v1::CreateRematchRequest {
        v1::CreateRematchRequest { name: self.name.clone(), request_id: request_id() }
    }

    /// Seats a player; the holder of the seat.
    pub async fn seat_player(&self, seat: i32, player_id: &str) -> Seat {
        let joined = self.platform.join_table(self.join_request(seat, player_id)).await.expect("a seat");
        Seat::new(&self.platform, &self.name, &joined.seat_token.expect("a token"))
    }

    /// Gives a seat back for its player.
    pub async fn free(&self, seat: i32) -> v1::LeaveTableResponse {
        self.platform.leave_table(self.leave_request(seat)).await.expect("a seat that is left")
    }

    /// What a seat may do, as the platform is told.
    pub async fn legal_for(&self, seat: i32) -> Result<v1::ListLegalActionsResponse, Status> {
        let request = v1::ListLegalActionsRequest { name: self.name.clone(), seat, min_revision: None };
        self.platform.list_legal_actions(request).await
    }

    /// Does what one word of a transcript says for a seat, as the platform; the revision that it led to.
    pub async fn act_for(&self, seat: i32, revision: i64, word: &str) -> Result<i64, Status> {
        // Only for its requests: what is sent is sent by the platform.
        let (client, table) = (self.platform.clone(), self.name.clone());
        let holder = Seat { client, table, number: seat, token: String::new() };
        let acted = match word {
            "end" => {
                let request = v1::EndTrickRequest { seat, ..holder.end_request(revision) };
                self.platform.end_trick(request).await?.revision
            }
            "swap" | "keep" => {
                let request = holder.exchange_request(revision, word == "swap");
                let request = v1::ExchangeHandsRequest { seat, ..request };
                self.platform.exchange_hands(request).await?.revision
            }
            play => {
                let request = v1::PlayCardRequest { seat, ..holder.card_request(revision, play) };
                self.platform.play_card(request).await?.revision
            }
        };
        Ok(acted)
    }

    /// Plays a transcript such as `["1:10h", "4:end"]` as the platform, whoever has the seats.
    pub async fn play_for_all(&self, actions: &[&str]) {
        let mut revision = self.revision().await;
        for action in actions {
            let (seat, word) = action.split_once(':').expect("an action such as 1:10h");
            let acted = self.act_for(seat.parse().expect("a seat"), revision, word).await;
            revision = acted.unwrap_or_else(|status| panic!("{action} was refused: {status:?}"));
        }
    }

    /// Does the first thing that the seat to act may do, as the platform; the seat.
    pub async fn play_first(&self) -> i32 {
        let seat = public(&self.view().await).turn_seat;
        let view = self.view_of(&[seat]).await;
        let word = legal(&view, seat).into_iter().next().expect("something that the seat may do");
        self.act_for(seat, public(&view).revision, &word).await.expect("a legal action");
        seat
    }

    /// Plays for whoever is to act until the table is in this phase, or this seat is to act.
    pub async fn play_until(&self, so: impl Fn(&v1::PublicTable) -> bool) {
        while !so(public(&self.view().await)) {
            self.play_first().await;
        }
    }

    /// Lets the time run out for what the table waits for; what the clock did.
    pub async fn time_runs_out(&self) -> v1::Update {
        let extended = self.extend(duration(1)).await;
        self.history_after(extended.revision).await.update().await
    }
}
