//! One writer at a time for a table within a process: calls that race here wait for each other instead of making each
//! other's commits conflict. Correctness does not rest on it, for other replicas know nothing of it.

use tokio::sync::{Mutex, MutexGuard};

use crate::ids::TableId;
use crate::limits::WRITER_LANES;

/// Lanes that tables share by their id.
#[derive(Debug)]
pub(crate) struct Turns(Vec<Mutex<()>>);

impl Turns {
    pub(crate) fn new() -> Self {
        Self((0..WRITER_LANES).map(|_| Mutex::new(())).collect())
    }

    /// Waits for the table's lane; first come, first served. Given back when dropped.
    pub(crate) async fn take(&self, table: TableId) -> Option<MutexGuard<'_, ()>> {
        let [.., high, low] = table.as_bytes();
        let lane = usize::from(u16::from_be_bytes([*high, *low])).checked_rem(self.0.len())?;
        Some(self.0.get(lane)?.lock().await)
    }
}
