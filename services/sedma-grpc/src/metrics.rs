//! What a server counts, for whatever meter provider the process has: none costs nothing. Never a table's name or a
//! player's on a metric.

use std::sync::{Arc, Weak};

use opentelemetry::global;
use sedma_table::store::Store;

use crate::limits::MAX_WATCHES;
use crate::service::Service;

/// Begins to observe a service. What is observed ends with it.
pub(crate) fn observe<S: Store>(service: &Arc<Service<S>>) {
    let meter = global::meter("sedma");
    let weak = || Arc::downgrade(service);
    let observed = weak();
    meter
        .u64_observable_gauge("sedma.store.durability_level")
        .with_description("How well the store keeps what was acknowledged: 0 to 4 as D0 to D4")
        .with_callback(move |observer| {
            let durability = with(&observed, |service| service.tables.store().durability()).flatten();
            if let Some(durability) = durability {
                observer.observe(durability.level.number().into(), &[]);
            }
        })
        .build();
    let observed = weak();
    meter
        .u64_observable_counter("sedma.history.rewound")
        .with_unit("{loss}")
        .with_description("Losses of history told with RESET / REWOUND: one for each watched table, however many watch it, one for each client that came back to it later")
        .with_callback(move |observer| {
            if let Some(count) = with(&observed, |service| service.tables.rewound()) {
                observer.observe(count, &[]);
            }
        })
        .build();
    let observed = weak();
    meter
        .u64_observable_counter("sedma.store.commits_resolved")
        .with_unit("{commit}")
        .with_description("Commits without an answer that had happened all the same, found by their tokens")
        .with_callback(move |observer| {
            if let Some(count) = with(&observed, |service| service.tables.store().commits_resolved()) {
                observer.observe(count, &[]);
            }
        })
        .build();
    let observed = weak();
    meter
        .u64_observable_gauge("sedma.watch.streams")
        .with_unit("{stream}")
        .with_description("Watches and streams of results that are open")
        .with_callback(move |observer| {
            let open = |service: &Service<S>| MAX_WATCHES.saturating_sub(service.watches.available_permits());
            if let Some(count) = with(&observed, open) {
                observer.observe(u64::try_from(count).unwrap_or(u64::MAX), &[]);
            }
        })
        .build();
}

fn with<S: Store, T>(service: &Weak<Service<S>>, read: impl Fn(&Service<S>) -> T) -> Option<T> {
    service.upgrade().map(|service| read(&service))
}
