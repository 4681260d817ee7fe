//! Every bound and time of the two stores, in one place.

use std::time::Duration;

/// Buckets that tables are kept in. Fixed for ever: the bucket is part of a table's keys.
pub const BUCKETS: u32 = 256;

/// How long a table that has not ended is kept after its last update.
pub const OPEN_LIFETIME: Duration = Duration::from_hours(24);
/// How long an ended table is kept after its last update.
pub const ENDED_LIFETIME: Duration = Duration::from_hours(1);
/// How long a result that not every consumer group has acknowledged is kept, and its table with it.
pub const RESULT_LIFETIME: Duration = Duration::from_hours(7 * 24);
/// How often a group of consumers that takes results is noted to be there.
pub const GROUP_NOTED: Duration = Duration::from_mins(1);

/// Tables that the memory store holds at a time; about 10 KiB each when they have been played.
pub const MEMORY_TABLES: usize = 131_072;
/// Expired tables that one commit to the memory store sweeps at most, so that none pays for all.
pub const MEMORY_SWEEP: usize = 16;

/// How long one Redis command may take before its outcome counts as unknown.
pub const RESPONSE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a TCP connection and its handshake may take.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// How long all of making a connection may take, its name included.
pub const DIAL_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a command waits for a connection that is just being made.
pub const CONNECTION_WAIT: Duration = Duration::from_secs(1);
/// How long a commit whose outcome is unknown is re-sent before it is reported as unknown. Longer than the watchdog
/// needs to replace a dead connection: [`WATCHDOG_MISSES`] intervals and timeouts.
pub const COMMIT_DEADLINE: Duration = Duration::from_secs(7);
/// How long one sentinel may take to say where the primary is.
pub const SENTINEL_TIMEOUT: Duration = Duration::from_millis(500);
/// Sentinels that one dial asks at most.
pub const SENTINELS_ASKED: usize = 5;
/// How long the nodes of a cluster may take to say who has which slot.
pub const MAP_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a call waits for a look at the map: [`MAP_PAUSE`], a look, and some time.
pub const MAP_WAIT: Duration = Duration::from_millis(1_500);
/// The longest pause between two looks at the map while there is trouble; half of it is chance.
pub const MAP_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause between two looks at the map while there is none; half of it is chance.
pub const MAP_EVERY: Duration = Duration::from_secs(10);
/// How often one commit is sent at most.
pub const COMMIT_SENDINGS: u32 = 12;
/// The pause before a commit is sent again; doubled each time, up to [`RESEND_PAUSE_MAX`].
pub const RESEND_PAUSE: Duration = Duration::from_millis(20);
/// The longest pause before a commit is sent again.
pub const RESEND_PAUSE_MAX: Duration = Duration::from_millis(500);
/// How long a commit waits for a lost connection before it looks again which node it is for.
pub const SETTLE_STEP: Duration = Duration::from_millis(500);
/// How often a read is sent at most.
pub const READ_SENDINGS: u32 = 2;

/// How often each connection is pinged.
pub const WATCHDOG_INTERVAL: Duration = Duration::from_secs(1);
/// Pings in a row without an answer after which a connection is replaced.
pub const WATCHDOG_MISSES: u32 = 3;
/// How often sentinels are asked whether the primary is another one; drawn down to half of it.
pub const SENTINEL_EVERY: Duration = Duration::from_millis(500);
/// When it is looked again how well Redis keeps its data where a node did not answer.
pub const DURABILITY_AGAIN: Duration = Duration::from_secs(5);
/// How often it is looked how well Redis keeps its data.
pub const DURABILITY_INTERVAL: Duration = Duration::from_mins(1);
/// The first pause before a connection is tried again; doubled each time, up to [`RECONNECT_PAUSE_MAX`].
pub const RECONNECT_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause before a connection is tried again.
pub const RECONNECT_PAUSE_MAX: Duration = Duration::from_secs(1);
/// A connection that lived so long was a good one: when it is lost, the next one is tried at once.
pub const GOOD_CONNECTION: Duration = Duration::from_secs(1);

/// Keys that one pipeline reads at most, and channels that one subscribes to.
pub const PIPELINE: usize = 1_000;
/// How often topics that nobody waits for any more are unsubscribed.
pub const TIDY_INTERVAL: Duration = Duration::from_secs(1);
/// Rows of gone tables that one listing sweeps at most before it asks to be called again.
pub const LISTING_SWEEP: usize = 10_000;
/// How often a server stamps the buckets that it sweeps, in the time after which silence counts as an outage.
pub const STAMPS_PER_OUTAGE: u64 = 3;
/// How many times more rows a bucket is asked for where all that it gave were wanted, and more may be.
pub const ASK_DEEPER: usize = 8;
/// A timer that has been due for so long is looked at: its table may be gone.
pub const OVERDUE: Duration = Duration::from_secs(5);
/// How far what is known of Redis' clock may fall behind what it said before, and it still stands still until it has
/// caught up. What is further behind was set back, and is followed.
pub const CLOCK_STANDS_STILL: Duration = Duration::from_secs(1);
/// How much longer than the last of its leases a table's key of leases is kept: more than a server may be wrong about
/// Redis' clock.
pub const LEASE_KEY_OUTLIVES: Duration = Duration::from_secs(3);
/// A lease that has been over for so long is removed by whoever looks at its table. Its holder, who may be late, renews
/// it before.
pub const LEASE_LIES_OVER: Duration = Duration::from_mins(1);
/// Rows of a listing that one creation looks at, to drop those of tables that are gone: more than the one that it
/// adds, so that what is gone stays a small part of a listing that nobody reads.
pub const LISTING_SAMPLE: usize = 8;
/// Creations that may wait for their look at the listing; what is over is not looked at.
pub const LISTING_SAMPLES_WAITING: usize = 64;
