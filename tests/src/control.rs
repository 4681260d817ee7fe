//! What a platform decides about a running table, in short forms.

use prost_types::Duration;
use sedma_proto::v1;

use crate::client::request_id;
use crate::table::Table;
use crate::watch::Watch;

impl Table {
    /// The request that seats a bot; 0 is any open seat.
    pub fn add_bot_request(&self, seat: i32) -> v1::AddBotRequest {
        let (name, bot_level) = (self.name.clone(), String::new());
        v1::AddBotRequest { name, request_id: request_id(), seat, bot_level }
    }

    /// The request that frees a bot's seat.
    pub fn remove_bot_request(&self, seat: i32) -> v1::RemoveBotRequest {
        v1::RemoveBotRequest { name: self.name.clone(), request_id: request_id(), seat }
    }

    /// The request that pauses the table.
    pub fn pause_request(&self) -> v1::PauseTableRequest {
        v1::PauseTableRequest { name: self.name.clone(), request_id: request_id() }
    }

    /// The request that lets the table go on.
    pub fn resume_request(&self) -> v1::ResumeTableRequest {
        v1::ResumeTableRequest { name: self.name.clone(), request_id: request_id() }
    }

    /// The request that sets the time that is left.
    pub fn extend_request(&self, remaining: Duration) -> v1::ExtendDeadlineRequest {
        let remaining_duration = Some(remaining);
        v1::ExtendDeadlineRequest { name: self.name.clone(), request_id: request_id(), remaining_duration }
    }

    /// The request that ends the match against a seat.
    pub fn forfeit_request(&self, seat: i32) -> v1::ForfeitSeatRequest {
        v1::ForfeitSeatRequest { name: self.name.clone(), request_id: request_id(), seat }
    }

    /// Pauses the table.
    pub async fn pause(&self) -> v1::PauseTableResponse {
        self.platform.pause_table(self.pause_request()).await.expect("a paused table")
    }

    /// Lets the table go on.
    pub async fn resume(&self) -> v1::ResumeTableResponse {
        self.platform.resume_table(self.resume_request()).await.expect("a table that goes on")
    }

    /// Sets the time that is left.
    pub async fn extend(&self, remaining: Duration) -> v1::ExtendDeadlineResponse {
        self.platform.extend_deadline(self.extend_request(remaining)).await.expect("a new deadline")
    }

    /// Watches as the platform does, from the table's first update on.
    pub async fn history(&self) -> Watch {
        self.history_after(0).await
    }

    /// Watches as the platform does, from the update after this revision on.
    pub async fn history_after(&self, revision: i64) -> Watch {
        let request = v1::WatchTableRequest {
            name: self.name.clone(),
            after_revision: Some(revision),
            ..v1::WatchTableRequest::default()
        };
        let mut watch = self.platform.watch_table(request).await.expect("a watch");
        watch.heartbeat().await;
        watch
    }
}
