//! What a client has seen of a table, and how it follows one.

use anyhow::{Context as _, bail, ensure};
use prost::Message;
use sedma_proto::v1;
use sedma_proto::v1::event::Fact;
use sedma_proto::v1::watch_table_response::Payload;

use super::client::Client;
use super::narrator::Narrator;

/// A client's memory of a watch.
#[derive(Default)]
pub(super) struct Seen {
    /// Each update as everybody may know it: encoded, without what only one seat is told.
    pub(super) public: Vec<Vec<u8>>,
    /// The newest view.
    pub(super) last: Option<v1::TableView>,
    pub(super) deals: usize,
    pub(super) tricks: usize,
    pub(super) points: i32,
}

impl Seen {
    /// Takes in the next message. Says whether the watch is over.
    pub(super) fn take(&mut self, message: v1::WatchTableResponse) -> anyhow::Result<bool> {
        match message.payload.context("a message without payload")? {
            Payload::Heartbeat(_) | Payload::Presence(_) => {}
            Payload::Update(update) => self.take_update(update)?,
            Payload::End(_) => return Ok(true),
            other => bail!("an unexpected message: {other:?}"),
        }
        Ok(false)
    }

    fn take_update(&mut self, mut update: v1::Update) -> anyhow::Result<()> {
        let next = i64::try_from(self.public.len())? + 1;
        ensure!(update.revision == next, "update {} came where {next} should", update.revision);
        self.last = update.after.take();
        update.events.retain(|event| !matches!(event.fact, Some(Fact::OwnCardsDrawn(_))));
        for event in &mut update.events {
            match &mut event.fact {
                Some(Fact::Dealt(dealt)) => dealt.own.clear(),
                Some(Fact::HandsExchanged(exchanged)) => exchanged.own.clear(),
                Some(Fact::TrickWon(won)) => {
                    self.tricks += 1;
                    self.points += won.points;
                }
                Some(Fact::DealEnded(ended)) => {
                    self.deals += 1;
                    self.points += ended.last_trick_bonus;
                }
                _ => {}
            }
        }
        self.public.push(update.encode_to_vec());
        Ok(())
    }
}

/// Follows a table from its first update to its end, and tells it as it goes.
pub(super) async fn follow(client: Client, table: String, mut narrator: Narrator) -> anyhow::Result<Seen> {
    let mut watch = client.watch(from_the_start(&table)).await?;
    let mut seen = Seen::default();
    loop {
        let message = watch.message().await?.context("the watch ended without End")?;
        if let Some(Payload::Update(update)) = &message.payload {
            narrator.tell(update);
        }
        if seen.take(message)? {
            return Ok(seen);
        }
    }
}

/// Asks for the whole history.
pub(super) fn from_the_start(table: &str) -> v1::WatchTableRequest {
    v1::WatchTableRequest {
        name: table.to_owned(),
        after_revision: Some(0),
        ..v1::WatchTableRequest::default()
    }
}
