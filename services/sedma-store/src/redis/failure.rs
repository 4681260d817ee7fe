//! What can go wrong between a command and its answer, and what that says about whether it happened.

use redis::{ErrorKind, RedisError, ServerError};

/// Whether a command happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// It never left, or the server says that it did nothing.
    NotDone,
    /// Another node of the cluster has it by now, or will shortly: nothing was done, and the map says where to go.
    Elsewhere,
    /// The script is not in the server's cache; nothing was done, and EVAL brings it.
    NoScript,
    /// It left and no answer came: it may have happened, or may happen yet.
    Unknown,
    /// The server answered with an error that another try would meet again, perhaps after half of a script.
    Broken,
}

/// A command that got no proper answer.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// Whether it happened.
    pub(super) class: Class,
    /// The server's error code, or a word of our own: short and of a closed set, for spans.
    pub(super) code: String,
    /// For people. Has no key and no value of ours.
    pub(super) text: String,
    /// Whether the connection is to be made anew, for the server behind the address may be another by now.
    pub(super) reconnect: bool,
}

/// Every error code that says something, in one table: code, class, whether to connect anew.
const CODES: [(&str, Class, bool); 18] = [
    // Still reading its data at start, or a replica resynchronising.
    ("LOADING", Class::NotDone, false),
    // A replica: this was the primary until a failover.
    ("READONLY", Class::NotDone, true),
    ("MASTERDOWN", Class::NotDone, true),
    // Cluster mode: slots without an owner, or being moved, or another node's.
    ("CLUSTERDOWN", Class::NotDone, false),
    ("TRYAGAIN", Class::Elsewhere, false),
    ("MOVED", Class::Elsewhere, false),
    ("ASK", Class::Elsewhere, false),
    // Checked before a script starts: no memory, no disk, no replica.
    ("OOM", Class::NotDone, false),
    ("MISCONF", Class::NotDone, false),
    ("NOREPLICAS", Class::NotDone, false),
    // Another script has run for too long.
    ("BUSY", Class::NotDone, false),
    ("NOSCRIPT", Class::NoScript, false),
    // Credentials. What a user may not do is found out in the middle of a script, too.
    ("NOAUTH", Class::NotDone, true),
    ("WRONGPASS", Class::NotDone, true),
    ("NOPERM", Class::Broken, false),
    // A key of ours has somebody else's value. The commit reads its blob and log before it writes.
    ("WRONGTYPE", Class::Broken, false),
    ("CROSSSLOT", Class::NotDone, false),
    ("ERR", Class::Broken, false),
];

impl Failure {
    /// No connection was there to send the command on.
    pub(super) fn not_sent(why: &str) -> Self {
        let (code, text) = ("not_connected".into(), format!("no connection: {why}"));
        Self { class: Class::NotDone, code, text, reconnect: false }
    }

    /// An answer of a shape that the command never gives.
    pub(super) fn misfit() -> Self {
        let text = "Redis gave an answer of another shape than this command has".into();
        Self { class: Class::Broken, code: "misfit".into(), text, reconnect: false }
    }

    /// Whether it says that this server is no primary (any more), which all connections to it should know.
    pub(super) fn no_primary(&self) -> bool {
        matches!(self.code.as_str(), "READONLY" | "MASTERDOWN")
    }

    /// Whether what changes nothing may be sent once more, after a look at the map where it is elsewhere.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self.class, Class::Unknown | Class::Elsewhere)
    }

    /// Whether a look at the cluster's map may help.
    pub(super) fn other_map(&self) -> bool {
        self.class == Class::Elsewhere || self.no_primary() || self.code == "CLUSTERDOWN"
    }

    /// The server answered with this error code.
    fn answered(code: &str) -> Self {
        let known = CODES.iter().find(|(known, _, _)| *known == code);
        let (class, reconnect) = known.map_or((Class::Broken, false), |(_, class, anew)| (*class, *anew));
        // Where one node of several is taken for all, this is what it comes to.
        let hint = match code {
            "MOVED" => ": another node of its cluster has it, which a redis-cluster:// address finds",
            _ => "",
        };
        Self { class, code: code.to_owned(), text: format!("Redis answered {code}{hint}"), reconnect }
    }
}

impl From<&ServerError> for Failure {
    fn from(error: &ServerError) -> Self {
        Self::answered(error.code())
    }
}

impl From<RedisError> for Failure {
    fn from(error: RedisError) -> Self {
        if let Some(code) = error.code() {
            return Self::answered(code);
        }
        let unknown = |code: &str, text: &str, reconnect| Self {
            class: Class::Unknown,
            code: code.to_owned(),
            text: text.to_owned(),
            reconnect,
        };
        match error.kind() {
            // A server that is merely slow answers yet; the watchdog finds out about one that is gone.
            ErrorKind::Io if error.is_timeout() => unknown("timeout", "Redis did not answer in time", false),
            ErrorKind::Io => unknown("connection_lost", "the connection to Redis was lost", true),
            // After bytes that are no answer nothing that follows can be trusted.
            _ => unknown("misfit", "Redis gave an answer that can't be read", true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_and_a_lost_connection_leave_the_outcome_open() {
        let lost = Failure::from(RedisError::from(std::io::Error::from(std::io::ErrorKind::BrokenPipe)));
        assert_eq!((lost.class, lost.reconnect), (Class::Unknown, true));
        let slow = Failure::from(RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut)));
        assert_eq!((slow.class, slow.reconnect), (Class::Unknown, false));
    }

    #[test]
    fn each_code_is_in_the_table_once() {
        for (index, (code, _, _)) in CODES.iter().enumerate() {
            assert!(CODES.iter().skip(index + 1).all(|(other, _, _)| other != code), "{code}");
        }
    }
}
