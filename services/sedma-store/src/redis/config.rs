//! `sedma:config`: what all servers of one Redis share, written once by the first of them.

use std::sync::OnceLock;

use redis::{Pipeline, Value};
use sedma_table::Edition;
use tokio::time::Instant;

use crate::codec;
use crate::redis::clock;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::nodes::Nodes;
use crate::secrets::{Drawn, StartError};

/// This server's part in it.
pub(super) struct Config {
    /// What is written where nothing stands yet.
    offer: Drawn,
    /// What stood when this server looked first. It holds to that until its end.
    settled: OnceLock<Drawn>,
    /// What this server was told to write new tables in.
    told: Option<Edition>,
}

impl Config {
    pub(super) fn new(told: Option<Edition>) -> Result<Self, StartError> {
        let offer = Drawn::draw(told.unwrap_or(Edition::NEWEST))?;
        Ok(Self { offer, settled: OnceLock::new(), told })
    }

    /// What new tables are written in: what this server was told, else what the deployment began with. So a release
    /// that knows a newer edition writes the one before it until all servers know both and are told.
    pub(super) fn edition(&self) -> Edition {
        self.told.unwrap_or_else(|| self.settled.get().unwrap_or(&self.offer).edition)
    }

    /// Whether this server knows what stands.
    pub(super) fn is_settled(&self) -> bool {
        self.settled.get().is_some()
    }

    /// Writes the configuration if there is none, and reads the one that stands.
    ///
    /// The attempt to write is also the proof that Redis takes writes: a replica, a full memory or a lost quorum
    /// refuses it. After a Redis came back empty it brings back what this server goes by. And it tells the time, so
    /// that a server knows it before its first call.
    pub(super) async fn settle(&self, nodes: &Nodes) -> Result<&Drawn, StartError> {
        let mine = self.settled.get().unwrap_or(&self.offer);
        let bytes = exchange(nodes, &codec::encode_config(mine))
            .await
            .map_err(|failure| StartError::NotReady(failure.text))?;
        let stands = codec::decode_config(&bytes)?;
        let settled = self.settled.get_or_init(|| stands.clone());
        if *settled == stands { Ok(settled) } else { Err(StartError::OtherSecrets) }
    }
}

/// `SET NX`, `GET` and `TIME` in one go; and a message that nobody waits for, as commits send theirs whatever becomes of
/// it: a user without a right to channels would leave every watcher waiting.
async fn exchange(nodes: &Nodes, offer: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut pipeline = Pipeline::new();
    pipeline.cmd("SET").arg(keys::CONFIG).arg(offer).arg("NX");
    pipeline.cmd("GET").arg(keys::CONFIG);
    pipeline.cmd("SPUBLISH").arg(keys::CONFIG).arg("");
    pipeline.cmd("TIME");
    nodes.looked().await;
    let node = nodes.of_config()?;
    let live = node.sweeper.live().await?;
    let asked = Instant::now();
    let answers = live.pipeline(&pipeline).await?;
    if let Some(us) = answers.last().and_then(clock::read_us) {
        node.server.clock.told_us(asked, us);
    }
    match <[Value; 4]>::try_from(answers) {
        Ok(
            [Value::ServerError(error), ..]
            | [_, Value::ServerError(error), ..]
            | [_, _, Value::ServerError(error), _],
        ) => Err(Failure::from(&error)),
        Ok([_, Value::BulkString(bytes), ..]) => Ok(bytes),
        _ => Err(Failure::misfit()),
    }
}
