//! Somebody on the same connection who has nothing to do with the calls that fail.

use tests::views::public;
use tests::{Client, NewTable, Table, Watch};

/// An open watch on a connection. Whatever else is sent there, it must live on.
pub(crate) struct Bystander {
    table: Table,
    watch: Watch,
    revision: i64,
}

impl Bystander {
    /// Watches a table of its own, on this client's connection.
    pub(crate) async fn on(client: &Client) -> Self {
        let table = NewTable::two().create(client).await;
        let mut watch = table.seat(2).watch().await;
        let revision = public(&watch.snapshot().await).revision;
        Self { table, watch, revision }
    }

    /// Something happens at the table, and the watch tells it.
    pub(crate) async fn lives_on(&mut self) {
        self.revision = self.table.revoke(1).await.revision;
        assert_eq!(self.watch.update().await.revision, self.revision);
    }
}
