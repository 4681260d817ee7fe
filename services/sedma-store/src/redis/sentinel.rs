//! Asks sentinels for the primary. They are asked at each dial, so nothing of what they said is kept.

use futures_util::stream::{FuturesUnordered, StreamExt};
use redis::{AsyncConnectionConfig, Client, Value};

use crate::limits::{SENTINEL_TIMEOUT, SENTINELS_ASKED};
use crate::redis::address::{Manner, Place};

/// Where these sentinels say that the primary is, in the order in which they are asked.
///
/// One that missed a failover may name the primary before: whoever dials looks at the role, and asks the next one.
pub(super) async fn primary(sentinel: &Place, service: &str) -> Result<Place, String> {
    let asked = async {
        let client = Client::open(Manner::to_sentinel(sentinel)?)?;
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(SENTINEL_TIMEOUT))
            .set_response_timeout(Some(SENTINEL_TIMEOUT));
        let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let mut command = redis::cmd("SENTINEL");
        command.arg("GET-MASTER-ADDR-BY-NAME").arg(service);
        connection.send_packed_command(&command).await
    };
    match tokio::time::timeout(SENTINEL_TIMEOUT, asked).await {
        Ok(Ok(answer)) => {
            read(&answer).ok_or_else(|| format!("sentinel {sentinel} knows no primary of that name"))
        }
        Ok(Err(error)) => Err(format!("sentinel {sentinel}: {error}")),
        Err(_) => Err(format!("sentinel {sentinel} does not answer")),
    }
}

/// Where more than half of these sentinels say that the primary is. One that does not answer is not waited for where
/// the others will do.
pub(super) async fn agreed(sentinels: &[Place], service: &str) -> Option<Place> {
    let mut asked: FuturesUnordered<_> = sentinels.iter().map(|one| primary(one, service)).collect();
    let majority = sentinels.len() / 2;
    let mut told: Vec<Place> = Vec::new();
    while let Some(answer) = asked.next().await {
        told.extend(answer);
        let Some(newest) = told.last() else { continue };
        if told.iter().filter(|place| *place == newest).count() > majority {
            return told.pop();
        }
    }
    None
}

/// The sentinels to ask, another one first each time, so that a dead one does not cost each dial its time.
pub(super) fn in_turn(sentinels: &[Place], attempt: usize) -> impl Iterator<Item = &Place> {
    let first = attempt.checked_rem(sentinels.len()).unwrap_or(0);
    sentinels.iter().cycle().skip(first).take(sentinels.len().min(SENTINELS_ASKED))
}

fn read(answer: &Value) -> Option<Place> {
    let Value::Array(parts) = answer else { return None };
    let [Value::BulkString(host), Value::BulkString(port)] = parts.as_slice() else { return None };
    let host = str::from_utf8(host).ok()?.to_owned();
    Some(Place { host, port: str::from_utf8(port).ok()?.parse().ok()? })
}
