//! Keeps listings small that nobody reads: after each creation a few rows of that listing are looked at, so that rows
//! of tables that are gone never outnumber the others by much.

use std::sync::Arc;

use sedma_table::{TableId, Tenant};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::limits::LISTING_SAMPLES_WAITING;
use crate::redis::listing;
use crate::redis::nodes::Nodes;
use crate::redis::reader::{Lane, Reader};

/// The task that looks.
pub(super) struct Housekeeping {
    created: mpsc::Sender<(u8, Tenant)>,
    task: JoinHandle<()>,
}

impl Drop for Housekeeping {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Housekeeping {
    pub(super) fn keep(nodes: Arc<Nodes>) -> Self {
        let (created, waiting) = mpsc::channel(LISTING_SAMPLES_WAITING);
        Self { created, task: tokio::spawn(run(nodes, waiting)) }
    }

    /// A table was created. Where too much waits already, this listing's turn comes with a later creation.
    pub(super) fn created(&self, table: TableId, tenant: &Tenant) {
        let _ = self.created.try_send((table.bucket(), tenant.clone()));
    }
}

async fn run(nodes: Arc<Nodes>, mut waiting: mpsc::Receiver<(u8, Tenant)>) {
    while let Some((bucket, tenant)) = waiting.recv().await {
        let reader = Reader { nodes: &nodes, lane: Lane::Sweeper, traced: false };
        if let Err(failure) = listing::sample(&reader, bucket, &tenant).await {
            tracing::debug!(failure = failure.text, "a listing was not looked at");
        }
    }
}
