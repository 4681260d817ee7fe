//! Who waits for which table.

use std::collections::HashMap;

use sedma_table::TableId;
use sedma_table::store::{Wake, Wakeups};
use tokio::sync::watch;

/// One sender per table that is waited for.
#[derive(Debug, Default)]
pub(super) struct Topics {
    senders: HashMap<TableId, watch::Sender<Wake>>,
    /// At how many senders those without a receiver are looked for again.
    tidy_at: usize,
}

/// Fewer senders than this are not worth a look.
const TIDY_MIN: usize = 64;

/// A sender whose first receiver has a wake-up for everything.
fn standing() -> watch::Sender<Wake> {
    let mut wake = Wake::default();
    wake.for_updates();
    wake.for_presence();
    watch::Sender::new(wake)
}

impl Topics {
    /// A receiver that has one wake-up waiting: the subscription stands from the start.
    pub(super) fn subscribe(&mut self, table: TableId) -> Wakeups {
        self.tidy();
        let mut wakeups = self.senders.entry(table).or_insert_with(standing).subscribe();
        wakeups.mark_changed();
        wakeups
    }

    /// Wakes everybody who waits for a table.
    pub(super) fn wake(&mut self, table: TableId, what_for: fn(&mut Wake)) {
        let Some(sender) = self.senders.get(&table) else { return };
        if sender.receiver_count() == 0 {
            self.senders.remove(&table);
        } else {
            sender.send_modify(what_for);
        }
    }

    /// Drops senders without a receiver, whenever their number has doubled: a small share of each subscription.
    fn tidy(&mut self) {
        if self.senders.len() >= self.tidy_at.max(TIDY_MIN) {
            self.senders.retain(|_, sender| sender.receiver_count() > 0);
            self.tidy_at = self.senders.len().saturating_mul(2);
        }
    }
}
