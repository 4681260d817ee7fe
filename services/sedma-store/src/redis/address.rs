//! The address of a store: one Redis, a primary that sentinels know, or a cluster.

use redis::io::tcp::TcpSettings;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion};

use crate::secrets::StartError;

/// Where something listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    /// A name or an address. A name is resolved anew at each dial.
    pub(super) host: String,
    /// Its port.
    pub(super) port: u16,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// How to speak to any node of a store: credentials and all else but the place.
#[derive(Clone, Debug)]
pub(super) struct Manner(ConnectionInfo);

impl Manner {
    /// All that a connection to there needs.
    pub(super) fn to(&self, place: &Place) -> ConnectionInfo {
        self.0.clone().set_addr(ConnectionAddr::Tcp(place.host.clone(), place.port))
    }

    /// The same without credentials and database: sentinels have neither of the store's.
    pub(super) fn to_sentinel(place: &Place) -> Result<ConnectionInfo, redis::RedisError> {
        (place.host.as_str(), place.port).into_connection_info()
    }
}

/// What an address names.
#[derive(Clone, Debug)]
pub(super) enum Topology {
    /// One Redis, or whatever a name leads to.
    One(Place),
    /// The primary that these sentinels know by this name.
    Sentinel { sentinels: Vec<Place>, service: String },
    /// A cluster in which these nodes are to be asked first.
    Cluster(Vec<Place>),
}

/// An address, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) topology: Topology,
    pub(super) manner: Manner,
}

const SERVED: &str = "only redis://host:port, redis-sentinel://host:port,.../service and \
                      redis-cluster://host:port,... are served";

impl Address {
    /// Takes an address apart. What is said of a bad one shows no credential.
    pub(super) fn parse(url: &str) -> Result<Self, StartError> {
        if let Some(rest) = url.strip_prefix("redis-sentinel://") {
            let (login, hosts, service) = split(rest);
            if service.is_empty() || service.contains('/') {
                return Err(refused(
                    "redis-sentinel:// needs the service's name: host:port,host:port/service",
                ));
            }
            let (sentinels, manner) = many(login, hosts)?;
            return Ok(Self { topology: Topology::Sentinel { sentinels, service: service.into() }, manner });
        }
        if let Some(rest) = url.strip_prefix("redis-cluster://") {
            let (login, hosts, path) = split(rest);
            if !path.is_empty() {
                return Err(refused("a cluster has no databases: redis-cluster://host:port,host:port"));
            }
            let (seeds, manner) = many(login, hosts)?;
            return Ok(Self { topology: Topology::Cluster(seeds), manner });
        }
        let (place, manner) = one(url)?;
        Ok(Self { topology: Topology::One(place), manner })
    }
}

fn refused(why: &str) -> StartError {
    StartError::Address(why.to_owned())
}

/// Credentials with their `@`, hosts, and what follows the slash.
fn split(rest: &str) -> (&str, &str, &str) {
    let (login, rest) = rest.split_at(rest.rfind('@').map_or(0, |at| at.saturating_add(1)));
    let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
    (login, hosts, path)
}

fn many(login: &str, hosts: &str) -> Result<(Vec<Place>, Manner), StartError> {
    let each: Result<Vec<_>, _> =
        hosts.split(',').map(|host| one(&format!("redis://{login}{host}"))).collect();
    let (places, manners): (Vec<Place>, Vec<Manner>) = each?.into_iter().unzip();
    let manner = manners.into_iter().next().ok_or_else(|| refused(SERVED))?;
    Ok((places, manner))
}

/// The library takes care of credentials' escapes, brackets around addresses, and databases.
fn one(url: &str) -> Result<(Place, Manner), StartError> {
    let info = url.into_connection_info().map_err(|error| StartError::Address(error.to_string()))?;
    let place = match info.addr() {
        ConnectionAddr::Tcp(host, _) if host.is_empty() => return Err(refused(SERVED)),
        ConnectionAddr::Tcp(host, port) => Place { host: host.clone(), port: *port },
        ConnectionAddr::TcpTls { .. } => {
            return Err(refused("rediss:// needs TLS, which this build has not"));
        }
        _ => return Err(refused(SERVED)),
    };
    // RESP3 tells at once when a connection is lost, and brings wake-ups beside answers.
    let settings = info
        .redis_settings()
        .clone()
        .set_protocol(ProtocolVersion::RESP3)
        .set_lib_name("sedma", env!("CARGO_PKG_VERSION"));
    // Small commands and answers in turn are what Nagle's algorithm delays by 40 ms.
    let info = info.set_redis_settings(settings).set_tcp_settings(TcpSettings::default().set_nodelay(true));
    Ok((place, Manner(info)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(places: &[Place]) -> Vec<String> {
        places.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_address_names_one_redis_sentinels_or_a_cluster() {
        let one = Address::parse("redis://anna:secret@redis.local:6380/2").unwrap();
        assert!(matches!(one.topology, Topology::One(place) if place.to_string() == "redis.local:6380"));
        let sentinel = Address::parse("redis-sentinel://:secret@a:26379,b:26380/tables").unwrap();
        let Topology::Sentinel { sentinels, service } = sentinel.topology else { panic!("no sentinels") };
        assert_eq!(
            (places(&sentinels), service.as_str()),
            (vec!["a:26379".into(), "b:26380".into()], "tables")
        );
        let cluster = Address::parse("redis-cluster://anna:s%40t@a:7001,b:7002").unwrap();
        let Topology::Cluster(seeds) = cluster.topology else { panic!("no cluster") };
        assert_eq!(places(&seeds), ["a:7001", "b:7002"]);
        let info = cluster.manner.to(&Place { host: "c".into(), port: 1 });
        assert_eq!(
            (info.redis_settings().username(), info.redis_settings().password()),
            (Some("anna"), Some("s@t"))
        );
    }

    #[test]
    fn a_bad_address_is_refused_without_showing_a_credential() {
        for url in [
            "http://:secret@host",
            "rediss://:secret@host:6379",
            "redis-sentinel://:secret@host:26379",
            "redis-sentinel://:secret@host:26379/a/b",
            "redis-sentinel://",
            "redis-cluster://:secret@host:6379/0",
            "redis-cluster://:secret@host:6379,,other:1",
            "redis-cluster://:secret@host:port",
        ] {
            let error = Address::parse(url).expect_err(url).to_string();
            assert!(
                error.starts_with("the address of Redis can't be used") && !error.contains("secret"),
                "{error}"
            );
        }
    }
}
