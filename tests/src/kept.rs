//! What Redis keeps of a table, to be compared byte by byte.

use crate::redis::Redis;
use crate::table::Table;

/// Digests a key's value as Redis would write it to a file. `DUMP` is no text, so it is digested there.
const DIGEST: &str = "return redis.sha1hex(redis.call('DUMP', KEYS[1]) or '')";

/// One key: its name, a digest of its value, and when it ends.
pub type Kept = (String, String, String);

impl Table {
    /// Its code, as keys have it.
    pub fn code(&self) -> &str {
        self.name.strip_prefix("tables/").expect("a table's name")
    }

    /// The names of the keys that are its own.
    pub fn keys(&self, redis: &Redis) -> Vec<String> {
        let found = redis.ask(&["KEYS", &format!("*:{}", self.code())]);
        let mut keys: Vec<String> = found.lines().map(str::to_owned).collect();
        keys.sort();
        keys
    }

    /// Redis has nothing of it any more, as after a failover that lost its creation.
    pub fn lose(&self, redis: &Redis) {
        for key in self.keys(redis) {
            redis.ask(&["DEL", &key]);
        }
    }

    /// The key of its state, and the one of its log.
    pub fn state_and_log(&self, redis: &Redis) -> [String; 2] {
        let keys = self.keys(redis);
        ["t:", "e:"].map(|kind| keys.iter().find(|key| key.starts_with(kind)).expect("its key").clone())
    }

    /// All that Redis keeps of it and beside it in its bucket: state, log, timers, listing. Leases of watches, which
    /// come and go by themselves, are left out.
    pub fn kept(&self, redis: &Redis) -> Vec<Kept> {
        let [state, log] = self.state_and_log(redis);
        let bucket = state.split(':').nth(1).expect("a bucket").to_owned();
        let keys = [state, log, format!("tm:{bucket}"), format!("lo:{bucket}:dev")];
        let look = |key: String| {
            let value = redis.ask(&["EVAL", DIGEST, "1", &key]);
            let ends = redis.ask(&["PEXPIRETIME", &key]);
            (key, value, ends)
        };
        keys.map(look).into()
    }
}
