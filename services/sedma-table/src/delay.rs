//! What spectators see later than it happens, until the table has ended.

use crate::caller::Caller;
use crate::ids::TableId;
use crate::reads::{Fold, Page};
use crate::refusal::{Reason, Refusal};
use crate::service::{Failure, Tables};
use crate::store::{Store, Stored};
use crate::table::Table;

impl Table {
    /// How much later a caller may see what happens here, in milliseconds.
    pub fn delay_ms(&self, caller: &Caller) -> u32 {
        match caller {
            Caller::Watcher { .. } if !self.is_ended() => self.setup.spectators.delay_ms(),
            _ => 0,
        }
    }
}

impl<S: Store> Tables<S> {
    /// A table as it was so many milliseconds ago. Its log says so; its ring and its newest revision stay out of it.
    pub(crate) async fn read_delayed(&self, table: TableId, delay_ms: u32) -> Result<Stored, Failure> {
        let until_ms = self.store.now_ms().saturating_sub(delay_ms.into());
        let mut fold = Fold::new(table);
        let mut opens_ms = None;
        'log: loop {
            let known = fold.newest().map(|logged| logged.version);
            let page = match self.page(table, known).await? {
                Page::Updates(page) if page.is_empty() => break,
                Page::Updates(page) => page,
                Page::OfAnotherHistory => {
                    fold = Fold::new(table);
                    continue;
                }
            };
            for logged in page {
                if logged.time_ms > until_ms {
                    opens_ms = Some(logged.time_ms);
                    break 'log;
                }
                fold.step(logged)?;
            }
        }
        fold.stored()
            .ok_or_else(|| too_young(opens_ms.map(|opens_ms| opens_ms.saturating_sub(until_ms))).into())
    }
}

/// Nothing of the table is old enough to be shown to spectators.
fn too_young(left_ms: Option<i64>) -> Refusal {
    let when = match left_ms {
        Some(left_ms) => format!("ask again in {} s", left_ms.saturating_add(999).div_euclid(1_000)),
        None => "watch it to be told when there is".to_owned(),
    };
    Refusal::new(
        Reason::NotStarted,
        format!("Spectators see this table later, and nothing of it is old enough yet; {when}."),
    )
}
