//! Bounds of the gRPC face. sedma-table's own `limits` has those of a table.

use std::time::Duration;

/// Bytes of one request message.
pub const MAX_REQUEST_BYTES: usize = 16 * 1024;
/// Bytes of one response message; a whole view is below 4 KiB.
pub const MAX_RESPONSE_BYTES: usize = 256 * 1024;
/// Bytes of a status message and its details together. Larger trailers break whole connections
/// (<https://github.com/grpc/grpc-rust/issues/2216>).
pub const MAX_STATUS_BYTES: usize = 2_560;
/// Bytes of a status message, which a status carries twice.
pub const MAX_STATUS_MESSAGE_BYTES: usize = 512;
/// Bytes that a detail needs beside its own: its tag and length.
pub const DETAIL_HEAD_BYTES: usize = 4;
/// Fields that one refusal names.
pub const MAX_VIOLATIONS: usize = 4;
/// Bytes of a request's headers.
pub const MAX_HEADER_BYTES: u32 = 16 * 1024;
/// Streams one connection may have open. tonic's own default is no bound at all.
pub const MAX_STREAMS_PER_CONNECTION: u32 = 4_096;
/// Streams a peer may make us reset before the connection is closed; RUSTSEC-2024-0003. tonic's own default is no bound.
pub const MAX_LOCAL_RESETS: usize = 1_024;
/// Unary calls in flight in one process; more are told to come back.
pub const MAX_CALLS_IN_FLIGHT: usize = 4_096;
/// Watches open in one process; more are told to try another replica.
pub const MAX_WATCHES: usize = 32_768;
/// Tables that all watches over all tables may have open in one process, beside [`MAX_WATCHES`].
pub const MAX_WATCHED_TABLES: usize = 32_768;
/// Watches one seat may have open in one process.
pub const MAX_WATCHES_PER_SEAT: usize = 4;
/// Longest a unary call may take, whatever deadline its caller sets.
pub const MAX_CALL_TIME: Duration = Duration::from_secs(10);
/// How much of a caller's deadline is kept back, so that the answer still reaches it and comes before tonic's own, which
/// is CANCELLED and says nothing: a tenth, at most this.
pub const DEADLINE_MARGIN: Duration = Duration::from_millis(100);
/// How often an idle connection is asked whether it lives; a quiet watcher that vanished is noticed by it.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(30);
/// How long it has to answer.
pub const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// How old a connection may get, so that clients spread over new replicas; drawn +/- 10 % per process.
pub const MAX_CONNECTION_AGE: Duration = Duration::from_mins(30);
/// How long a watch may live before it is asked to resume; drawn +/- 10 % per watch.
pub const MAX_WATCH_AGE: Duration = Duration::from_mins(30);
/// How often a quiet watch is told that it lives; drawn +/- 10 % each time.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// Updates of a watched table that are kept at hand; a slower reader is caught up from the log.
pub const WATCH_WINDOW: usize = 64;
/// How often all watched tables are compared with the store, which mends lost wake-ups.
pub const SWEEP_INTERVAL: Duration = Duration::from_millis(2_500);
/// Tables compared with the store in one piece.
pub const SWEEP_BATCH: usize = 1_000;
/// Pause before a failed read of a watched table is tried again; drawn +/- 50 %.
pub const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// What a caller that is told to come back is asked to wait.
pub const RETRY_AFTER: Duration = Duration::from_millis(200);
/// How long a seat or watch token is good for.
pub const TOKEN_LIFE: Duration = Duration::from_hours(7 * 24);
/// Tokens that a process remembers to have checked; about 300 bytes each.
pub const MAX_CHECKED_TOKENS: usize = 16_384;
/// Bytes of a token; a longer one is not even looked at.
pub const MAX_TOKEN_BYTES: usize = 1_024;
/// How often a replica looks for timers that have fired; drawn +/- 50 % each time.
pub const DUE_INTERVAL: Duration = Duration::from_millis(200);
/// Timers taken from the store in one look.
pub const DUE_BATCH: usize = 512;
/// How long a replica leaves the timer of a table alone whose record it can't read.
pub const UNREADABLE_PAUSE: Duration = Duration::from_secs(10);
/// Such tables that a replica knows at a time.
pub const MAX_UNREADABLE: usize = 16_384;
/// Tables at which a replica does what is due at a time.
pub const MAX_FIRING: usize = 512;
/// Milliseconds for which a seat counts as connected after its watch was last seen alive.
pub const LEASE_MS: i64 = 30_000;
/// How often a replica says that the watches of its seats are alive; drawn +/- 10 % each time.
pub const LEASE_RENEWAL: Duration = Duration::from_secs(10);
/// How long after its last watch a seat still counts as connected, for a client that watches again at once.
pub const PRESENCE_LINGERS: Duration = Duration::from_secs(1);
/// Milliseconds for which the platform's word about a player's connection may hold.
pub const MAX_LEASE_MS: i64 = 3_600_000;
/// How long a delayed watch that resumes waits for an update that it has seen on a replica whose clock is ahead.
pub const RESUME_PATIENCE: Duration = Duration::from_secs(1);
/// How often a watch over all tables looks for new ones that other replicas made; drawn +/- 10 % each time.
pub const NEW_TABLES_INTERVAL: Duration = Duration::from_millis(500);
/// Least time between two looks, for tables that this replica made.
pub const NEW_TABLES_PAUSE: Duration = Duration::from_millis(50);
/// Tables that one look for new ones finds.
pub const NEW_TABLES_BATCH: usize = 4_096;
/// For how long a table that was found is known, for a store whose clock falls back.
pub const KNOWN_NEWCOMERS: Duration = Duration::from_mins(1);
/// How far the clocks of two nodes of a store may be apart.
pub const CLOCK_SKEW: Duration = Duration::from_secs(2);
/// Tables of a watch over all tables that are being opened at a time.
pub const OPENING_AT_A_TIME: usize = 64;
/// Tables that a watch over all tables can go on with by cursors.
pub const MAX_CURSORS: usize = 128;
/// How often a consumer's stream looks for results when there were none; drawn +/- 10 % each time.
pub const RESULTS_INTERVAL: Duration = Duration::from_millis(500);
/// Streams of results that one platform may have open in one process, over all its groups.
pub const MAX_RESULT_STREAMS: usize = 32;
/// Results that one call acknowledges. The longest `result_id` has 78 bytes, so as many fit [`MAX_REQUEST_BYTES`].
pub const MAX_ACKNOWLEDGED: usize = 128;
/// Results that a stream takes for its consumer at a time.
pub const RESULTS_AT_A_TIME: usize = 32;
/// Milliseconds after which a result that was not acknowledged is told again, unless the consumer says otherwise.
pub const DEFAULT_REDELIVERY_MS: u32 = 30_000;
/// The shortest and the longest that a consumer may say.
pub const MIN_REDELIVERY_MS: u32 = 1_000;
/// See [`MIN_REDELIVERY_MS`].
pub const MAX_REDELIVERY_MS: u32 = 3_600_000;
/// Updates in one page of a table's history.
pub const MAX_UPDATES_PER_PAGE: usize = 200;
/// Bytes of updates after which a page of a table's history is full, so that it stays below [`MAX_RESPONSE_BYTES`].
pub const MAX_PAGE_BYTES: usize = 128 * 1024;
