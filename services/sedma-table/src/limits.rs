//! Every bound of a table, in one place. Nothing a request can do grows past one of these.

/// Updates one table may ever have; the update that would leave no room ends the match as CLOSED / LIMIT.
pub const MAX_UPDATES: i64 = 4_096;
/// Updates kept free for what may follow an ending (the link to a rematch).
pub const UPDATES_AFTER_END: i64 = 1;
/// Deals one match may ever have, and the length of the hash chain that their seeds come from.
pub const MAX_DEALS: u16 = 1_024;
/// Bytes of a tenant: `[a-z0-9-]{1,32}`.
pub const MAX_TENANT_BYTES: usize = 32;
/// Bytes of the name of a group of consumers.
pub const MAX_GROUP_BYTES: usize = 32;
/// Groups of consumers that a tenant may have at a time.
pub const MAX_GROUPS: usize = 8;
/// Bytes of a player id.
pub const MAX_PLAYER_ID_BYTES: usize = 64;
/// Bytes of an external reference.
pub const MAX_EXTERNAL_REF_BYTES: usize = 64;
/// Bytes of UTF-8 of a display name; control characters are refused.
pub const MAX_DISPLAY_NAME_BYTES: usize = 64;
/// Labels a table may carry.
pub const MAX_LABELS: usize = 8;
/// Bytes of a label's key.
pub const MAX_LABEL_KEY_BYTES: usize = 32;
/// Bytes of a label's value.
pub const MAX_LABEL_VALUE_BYTES: usize = 64;
/// Bytes of entropy a seat may hand in.
pub const MAX_ENTROPY_BYTES: usize = 32;
/// Bytes of a reason given when a table is closed.
pub const MAX_CLOSE_REASON_BYTES: usize = 64;
/// Scripted packs a table may be created with.
pub const MAX_SCRIPTED_PACKS: usize = 64;
/// Bytes of a W3C `traceparent` stored with an update; a longer one is dropped.
pub const MAX_TRACEPARENT_BYTES: usize = 55;
/// Request ids remembered per seat, and for the platform.
pub const RING_ENTRIES: usize = 8;
/// Conflicts one call goes through before it answers CONTENTION.
pub const MAX_CONFLICTS: u32 = 3;
/// Lanes in which the writers of one process wait for each other; tables share them by id.
pub const WRITER_LANES: usize = 1_024;
/// Tables whose newest snapshot a process keeps; about 2 KiB each.
pub const CACHED_TABLES: usize = 16_384;
/// Updates read from the log in one piece.
pub const LOG_PAGE: usize = 512;
/// Rows of one page of a listing.
pub const MAX_PAGE_ROWS: usize = 100;
/// Tables looked at to fill one page of a listing.
pub const MAX_PAGE_SCAN: usize = 1_000;
