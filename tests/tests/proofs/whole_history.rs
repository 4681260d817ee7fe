//! The history of a table that has ended, as it is kept.

use tests::{Table, v1};

/// All updates of an ended table from the first one on, with the hands of these seats: the pages of `ListUpdates`.
pub(crate) async fn whole_history(table: &Table, seats: &[i32]) -> Vec<v1::Update> {
    let (mut updates, mut request): (Vec<v1::Update>, _) = (
        Vec::new(),
        v1::ListUpdatesRequest {
            name: table.name.clone(),
            seats: seats.to_vec(),
            page_size: 200,
            ..v1::ListUpdatesRequest::default()
        },
    );
    loop {
        let page = table.platform.list_updates(request.clone()).await.expect("a page of the history");
        assert_eq!(page.reset, None, "the history can be continued");
        updates.extend(page.updates);
        let last = updates.last().expect("at least one update");
        (request.after_revision, request.history) = (last.revision, page.history);
        if last.revision == page.revision {
            break;
        }
    }
    for (revision, update) in (1..).zip(&updates) {
        assert_eq!(update.revision, revision, "a gap or a duplicate");
    }
    updates
}
