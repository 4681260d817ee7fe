//! Asks sentinels for the primary. They are asked at each dial, so nothing of what they said is kept.

use futures_util::future::join_all;
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

/// Where more than half of these sentinels say that the primary is.
pub(super) async fn agreed(sentinels: &[Place], service: &str) -> Option<Place> {
    let told: Vec<Place> =
        join_all(sentinels.iter().map(|one| primary(one, service))).await.into_iter().flatten().collect();
    let majority = sentinels.len() / 2;
    told.iter().find(|place| told.iter().filter(|other| other == place).count() > majority).cloned()
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
