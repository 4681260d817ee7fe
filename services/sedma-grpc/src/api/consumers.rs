//! The streams of results that platforms have open here: each asks the store twice a second, so each has its bound.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use sedma_table::{Reason, Refusal, Tenant};

use crate::limits::MAX_RESULT_STREAMS;
use crate::watch::lock;

/// How many each platform has.
#[derive(Debug, Default)]
pub(crate) struct Consumers {
    open: Mutex<HashMap<Tenant, usize>>,
}

/// A stream's place among its platform's streams; given back when dropped.
#[derive(Debug)]
pub(super) struct Place {
    consumers: Arc<Consumers>,
    tenant: Tenant,
}

impl Consumers {
    /// A place for one more stream of a platform, if it has one left.
    pub(super) fn take(self: &Arc<Self>, tenant: &Tenant) -> Result<Place, Refusal> {
        let mut all = lock(&self.open);
        let open = all.entry(tenant.clone()).or_default();
        if *open >= MAX_RESULT_STREAMS {
            return Err(Refusal::new(
                Reason::QuotaExceeded,
                format!(
                    "The platform has {MAX_RESULT_STREAMS} streams of results open here; end one before opening another."
                ),
            ));
        }
        *open = open.saturating_add(1);
        drop(all);
        Ok(Place { consumers: self.clone(), tenant: tenant.clone() })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = lock(&self.consumers.open);
        if let Some(open) = all.get_mut(&self.tenant) {
            *open = open.saturating_sub(1);
            if *open == 0 {
                all.remove(&self.tenant);
            }
        }
    }
}
