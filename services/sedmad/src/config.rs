//! What the server is told at its start: flags, each with an environment variable, parsed into what can't be wrong
//! before anything is opened.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use clap::{Args as ClapArgs, ValueEnum};
use sedma_grpc::{Auth, Plan};
use sedma_store::Lifetimes;
use sedma_table::{Edition, Tenant};

/// How calls prove who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AuthMode {
    /// Development: a call without a credential is the platform `dev`. Listens on loopback only.
    Off,
    /// The same on any address: whoever reaches the port owns every table.
    OffAnywhere,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The server's flags.
#[derive(Clone, Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Args {
    /// Address to listen on.
    #[arg(long, env = "SEDMA_LISTEN", default_value = "127.0.0.1:50051", value_name = "IP:PORT")]
    pub listen: SocketAddr,
    /// Redis to keep tables in, as redis://host:port/db, redis-sentinel://host:port,host:port/service or
    /// redis-cluster://host:port,host:port. Without it tables live in this process and are lost with it.
    #[arg(long, env = "REDIS_URL", value_name = "URL", hide_env_values = true)]
    pub redis_url: Option<String>,
    /// How calls prove who they are.
    #[arg(long, env = "SEDMA_AUTH", value_enum, default_value = "off")]
    pub auth: AuthMode,
    /// Takes scripted packs and roots in `CreateTable`: for tests.
    #[arg(long, env = "SEDMA_ALLOW_SCRIPTED")]
    pub allow_scripted: bool,
    /// Serves gRPC reflection.
    #[arg(long, env = "SEDMA_REFLECTION", default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    pub reflection: bool,
    /// Stores a call's trace context with the update that it caused.
    #[arg(long, env = "SEDMA_STORE_TRACES", default_value_t = true, action = clap::ArgAction::Set, value_name = "BOOL")]
    pub store_traces: bool,
    /// How long no replica may have looked after the clocks before whatever ran out meanwhile gets its whole time again:
    /// an outage is no player's fault.
    #[arg(long, env = "SEDMA_OUTAGE_AFTER", default_value = "15s", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub outage_after: Duration,
    /// After how long without an update a table expires that waits for nothing.
    #[arg(long, env = "SEDMA_OPEN_LIFETIME", default_value = "24h", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub open_lifetime: Duration,
    /// How long an ended table is kept when nobody has to acknowledge its result any more.
    #[arg(long, env = "SEDMA_ENDED_LIFETIME", default_value = "1h", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub ended_lifetime: Duration,
    /// How long a result that was not acknowledged is kept, and its table with it.
    #[arg(long, env = "SEDMA_RESULT_LIFETIME", default_value = "7d", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub result_lifetime: Duration,
    /// The schema that new tables are stored in. Without it the one that this Redis began with, so that servers of the
    /// release before can work beside this one; say the newest when all are of this release.
    #[arg(long, env = "SEDMA_WRITE_SCHEMA", value_name = "N")]
    pub write_schema: Option<u8>,
    /// How often it is looked how well Redis keeps its data: from 1s to 1h.
    #[arg(long, env = "SEDMA_DURABILITY_INTERVAL", default_value = "60s", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub durability_interval: Duration,
    /// Serves on a Redis that throws tables away when its memory is full.
    #[arg(long, env = "SEDMA_ALLOW_EVICTION")]
    pub allow_eviction: bool,
    /// How long `NOT_SERVING` is shown before anything ends.
    #[arg(long, env = "SEDMA_DRAIN_DELAY", default_value = "5s", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub drain_delay: Duration,
    /// Within how long watches end, each at a random moment.
    #[arg(long, env = "SEDMA_DRAIN_SPREAD", default_value = "5s", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub drain_spread: Duration,
    /// How long what is still running then has left.
    #[arg(long, env = "SEDMA_DRAIN_GRACE", default_value = "20s", value_parser = humantime::parse_duration, value_name = "TIME")]
    pub drain_grace: Duration,
    /// Threads that serve calls; at least 2. Without it one a core.
    #[arg(long, env = "SEDMA_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
    /// How log lines look. What is logged is `RUST_LOG`'s, default `info`.
    #[arg(long, env = "SEDMA_LOG", value_enum, default_value = "text")]
    pub log: LogFormat,
}

/// A configuration that holds together.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where tables are kept; `None` in this process.
    pub redis_url: Option<String>,
    /// Who a call without a credential is.
    pub auth: Auth,
    /// Whether scripts are taken.
    pub allow_scripted: bool,
    /// Whether reflection is served.
    pub reflection: bool,
    /// Whether trace contexts are stored.
    pub store_traces: bool,
    /// How long nobody may have looked after the clocks before it was an outage.
    pub outage_after: Duration,
    /// How long tables and results are kept.
    pub lifetimes: Lifetimes,
    /// What new tables are stored in; `None` = what the deployment began with.
    pub write_schema: Option<Edition>,
    /// How often it is looked how well Redis keeps its data.
    pub durability_interval: Duration,
    /// Whether a Redis that throws tables away is served on.
    pub allow_eviction: bool,
    /// How the server goes away.
    pub plan: Plan,
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Without credentials only this machine may reach the port.
    #[error(
        "--listen {0} is not loopback and --auth is off: whoever reaches the port would own every table; listen on 127.0.0.1, or say --auth off-anywhere"
    )]
    OpenToAll(SocketAddr),
    /// A variable that somebody forgot to fill in must not lose every table at the next restart.
    #[error(
        "--redis-url (or REDIS_URL) is empty; name a Redis, or leave it out to keep tables in this process"
    )]
    NoRedis,
    /// This release does not write such records.
    #[error("--write-schema {0} is none that this release writes; it writes {1} and {2}")]
    Schema(u8, u8, u8),
    /// Nobody but this process keeps its tables, so there is no older release to write for.
    #[error("--write-schema {0} needs --redis-url: a process that keeps its tables itself writes {1}")]
    SchemaOfMemory(u8, u8),
    /// Redis would be asked without a pause, or as good as never.
    #[error("--durability-interval {} is not from 1s to 1h", humantime::format_duration(*.0))]
    DurabilityInterval(Duration),
    /// Tables would be gone before their players come, or never.
    #[error("{flag} {} is not from 1s to 3650days", humantime::format_duration(*lifetime))]
    Lifetime {
        /// The flag.
        flag: &'static str,
        /// What it was given.
        lifetime: Duration,
    },
    /// The built-in tenant's name is not one.
    #[error("the tenant's name is not one")]
    Tenant,
}

/// How long no replica may have looked after the clocks, unless it is said otherwise.
const OUTAGE_AFTER: Duration = Duration::from_secs(15);

/// The shortest time that tables are kept.
const SHORTEST: Duration = Duration::from_secs(1);
/// The longest time that tables are kept. Redis refuses an instant that its clock can't hold, and every commit with it.
const LONGEST: Duration = Duration::from_hours(3_650 * 24);

/// How often it may be looked how well Redis keeps its data.
const DURABILITY_INTERVALS: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(1);
/// How often it is looked how well Redis keeps its data, unless it is said otherwise.
const DURABILITY_INTERVAL: Duration = Duration::from_mins(1);

/// The platform that calls without a credential belong to.
pub const DEV_TENANT: &str = "dev";

/// A time for which tables can be kept.
fn lifetime(flag: &'static str, lifetime: Duration) -> Result<Duration, ConfigError> {
    let fits = (SHORTEST..=LONGEST).contains(&lifetime);
    if fits { Ok(lifetime) } else { Err(ConfigError::Lifetime { flag, lifetime }) }
}

impl TryFrom<&Args> for Config {
    type Error = ConfigError;

    fn try_from(args: &Args) -> Result<Self, ConfigError> {
        if args.redis_url.as_deref() == Some("") {
            return Err(ConfigError::NoRedis);
        }
        if args.auth == AuthMode::Off && !args.listen.ip().is_loopback() {
            return Err(ConfigError::OpenToAll(args.listen));
        }
        let redis_url = args.redis_url.clone();
        let write_schema = args.write_schema.map(edition).transpose()?;
        if let Some(older) = write_schema.filter(|schema| redis_url.is_none() && *schema < Edition::NEWEST) {
            return Err(ConfigError::SchemaOfMemory(older.number(), Edition::NEWEST.number()));
        }
        if !DURABILITY_INTERVALS.contains(&args.durability_interval) {
            return Err(ConfigError::DurabilityInterval(args.durability_interval));
        }
        Ok(Self {
            listen: args.listen,
            redis_url,
            auth: Auth::Off { tenant: Tenant::new(DEV_TENANT).ok_or(ConfigError::Tenant)? },
            allow_scripted: args.allow_scripted,
            reflection: args.reflection,
            store_traces: args.store_traces,
            outage_after: args.outage_after,
            lifetimes: Lifetimes {
                open: lifetime("--open-lifetime", args.open_lifetime)?,
                ended: lifetime("--ended-lifetime", args.ended_lifetime)?,
                result: lifetime("--result-lifetime", args.result_lifetime)?,
            },
            write_schema,
            durability_interval: args.durability_interval,
            allow_eviction: args.allow_eviction,
            plan: Plan {
                drain_delay: args.drain_delay,
                spread: args.drain_spread,
                grace: args.drain_grace,
                ..Plan::default()
            },
        })
    }
}

fn edition(number: u8) -> Result<Edition, ConfigError> {
    let (oldest, newest) = (Edition::First.number(), Edition::NEWEST.number());
    Edition::from_number(number).ok_or(ConfigError::Schema(number, oldest, newest))
}

impl Config {
    /// A server for this machine alone, which goes away at once: for a demo or a test inside another process.
    pub fn loopback(listen: SocketAddr, redis_url: Option<String>) -> Result<Self, ConfigError> {
        if !listen.ip().is_loopback() {
            return Err(ConfigError::OpenToAll(listen));
        }
        Ok(Self {
            listen,
            redis_url,
            auth: Auth::Off { tenant: Tenant::new(DEV_TENANT).ok_or(ConfigError::Tenant)? },
            allow_scripted: false,
            reflection: true,
            store_traces: true,
            outage_after: OUTAGE_AFTER,
            lifetimes: Lifetimes::default(),
            write_schema: None,
            durability_interval: DURABILITY_INTERVAL,
            allow_eviction: false,
            plan: Plan {
                drain_delay: Duration::ZERO,
                spread: Duration::ZERO,
                grace: Duration::from_secs(1),
                ..Plan::default()
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    fn config(flags: &[&str]) -> Result<Config, ConfigError> {
        let words = [&["sedmad"], flags].concat();
        Config::try_from(&Command::try_parse_from(words).unwrap().args)
    }

    #[test]
    fn tables_are_kept_for_as_long_as_it_is_said() {
        let lifetimes = config(&["--open-lifetime", "3days", "--ended-lifetime", "90s"]).unwrap().lifetimes;
        assert_eq!(lifetimes.open, Duration::from_hours(72));
        assert_eq!(lifetimes.ended, Duration::from_secs(90));
        assert_eq!(config(&[]).unwrap().lifetimes, Lifetimes::default());
    }

    #[test]
    fn a_lifetime_that_no_table_can_have_is_refused() {
        for flag in ["--open-lifetime", "--ended-lifetime"] {
            for time in ["0s", "999ms", "3651days"] {
                let refused = config(&[flag, time]).unwrap_err();
                assert!(matches!(refused, ConfigError::Lifetime { flag: named, .. } if named == flag));
                assert!(refused.to_string().starts_with(flag), "{refused}");
            }
        }
    }

    #[test]
    fn redis_is_asked_how_well_it_keeps_its_data_as_often_as_it_is_said() {
        for (time, interval) in [("1s", Duration::from_secs(1)), ("1h", Duration::from_hours(1))] {
            assert_eq!(config(&["--durability-interval", time]).unwrap().durability_interval, interval);
        }
        for time in ["0s", "999ms", "61min"] {
            let refused = config(&["--durability-interval", time]).unwrap_err();
            assert!(matches!(refused, ConfigError::DurabilityInterval(_)));
            assert!(refused.to_string().starts_with("--durability-interval"), "{refused}");
        }
    }

    #[test]
    fn an_older_schema_is_for_a_redis_that_others_share() {
        let redis = ["--redis-url", "redis://127.0.0.1:6379"];
        let schema = |flags: &[&str]| config(flags).map(|config| config.write_schema);
        assert_eq!(schema(&[&["--write-schema", "1"], &redis[..]].concat()), Ok(Some(Edition::First)));
        assert_eq!(schema(&["--write-schema", "2"]), Ok(Some(Edition::Second)));
        let refused = schema(&["--write-schema", "1"]).unwrap_err();
        assert_eq!(refused, ConfigError::SchemaOfMemory(1, 2));
        assert!(refused.to_string().contains("--redis-url"), "{refused}");
    }
}
