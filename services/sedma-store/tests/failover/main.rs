//! Tables are played on while primaries are moved and killed: a cluster of three masters with replicas, and a primary
//! with a replica and sentinels.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test counts what it has itself"
)]

#[path = "../../../../tests/support/cluster.rs"]
mod cluster;
#[path = "../../../../tests/support/redis.rs"]
mod redis;

mod cluster_moves;
mod course;
mod sentinel_moves;
