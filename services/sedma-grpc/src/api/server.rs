//! `ServerService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_table::Failure;
use sedma_table::durability::{Durability, Fsync, Level, Node};
use sedma_table::limits as table;
use sedma_table::store::Store;

use crate::call::Context;
use crate::limits;
use crate::service::{Service, StoreKind};

/// `GetServerInfo`.
pub(crate) async fn get_server_info<S: Store>(
    service: Arc<Service<S>>,
    _: Context,
    _: v1::GetServerInfoRequest,
) -> Result<v1::GetServerInfoResponse, Failure> {
    let settings = &service.settings;
    let mut features = Vec::new();
    if settings.reflection {
        features.push("reflection".to_owned());
    }
    if settings.allow_scripted {
        features.push("scripts".to_owned());
    }
    Ok(v1::GetServerInfoResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        limits: Some(limits()),
        auth_mode: v1::AuthMode::Off.into(),
        store_kind: match settings.store_kind {
            StoreKind::Memory => v1::StoreKind::Memory,
            StoreKind::Redis => v1::StoreKind::Redis,
        }
        .into(),
        features,
        durability: service.tables.store().durability().map(|found| durability(&found)),
        write_schema: service.tables.store().edition().number().into(),
    })
}

fn durability(found: &Durability) -> v1::Durability {
    let level = match found.level {
        Level::D0 => v1::DurabilityLevel::D0,
        Level::D1 => v1::DurabilityLevel::D1,
        Level::D2 => v1::DurabilityLevel::D2,
        Level::D3 => v1::DurabilityLevel::D3,
        Level::D4 => v1::DurabilityLevel::D4,
    };
    let node = |node: &Node| v1::StoreNode {
        fsync: match node.fsync {
            Fsync::Never => v1::Fsync::Never,
            Fsync::No => v1::Fsync::No,
            Fsync::EverySecond => v1::Fsync::EverySecond,
            Fsync::Always => v1::Fsync::Always,
        }
        .into(),
        max_memory_bytes: node.max_memory,
        eviction_policy: node.policy.clone(),
        min_replicas: int(node.min_replicas),
        replicas: int(node.replicas),
    };
    v1::Durability {
        level: level.into(),
        loses: found.level.loses().to_owned(),
        nodes: found.nodes.iter().map(node).collect(),
    }
}

fn limits() -> v1::Limits {
    v1::Limits {
        updates: int(table::MAX_UPDATES),
        deals: int(table::MAX_DEALS),
        request_bytes: int(limits::MAX_REQUEST_BYTES),
        entropy_bytes: int(table::MAX_ENTROPY_BYTES),
        player_id_bytes: int(table::MAX_PLAYER_ID_BYTES),
        display_name_bytes: int(table::MAX_DISPLAY_NAME_BYTES),
        external_ref_bytes: int(table::MAX_EXTERNAL_REF_BYTES),
        labels: int(table::MAX_LABELS),
        label_key_bytes: int(table::MAX_LABEL_KEY_BYTES),
        label_value_bytes: int(table::MAX_LABEL_VALUE_BYTES),
        watches_per_seat: int(limits::MAX_WATCHES_PER_SEAT),
        page_size: int(table::MAX_PAGE_ROWS),
        result_streams: int(limits::MAX_RESULT_STREAMS),
    }
}

/// Every bound fits; none is near the end of the range.
fn int(bound: impl TryInto<i32>) -> i32 {
    bound.try_into().unwrap_or(i32::MAX)
}
