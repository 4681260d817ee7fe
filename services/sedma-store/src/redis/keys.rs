//! Names in Redis. The bucket is the hash tag, so a table and all that belongs to it is in one slot.

use sedma_table::{Group, TableId, Tenant};

/// What all servers of one Redis share.
pub(super) const CONFIG: &str = "sedma:config";

/// A table's head and snapshot: a string.
pub(super) fn blob(table: TableId) -> String {
    format!("t:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// A table's updates: a list.
pub(super) fn log(table: TableId) -> String {
    format!("e:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// A tenant's tables of one bucket by creation: a sorted set of the ids' 16 bytes, which sort as the ids do.
pub(super) fn listing(bucket: u8, tenant: &Tenant) -> String {
    format!("lo:{{{bucket:02x}}}:{}", tenant.as_str())
}

/// A bucket's deadlines: a sorted set of the ids' 16 bytes.
pub(super) fn timers(bucket: u8) -> String {
    format!("tm:{{{bucket:02x}}}")
}

/// When a bucket's timers were last swept: milliseconds as text, and the ends of an outage that has left some of them.
pub(super) fn alive(bucket: u8) -> String {
    format!("al:{{{bucket:02x}}}")
}

/// How a table ended: a string.
pub(super) fn result(table: TableId) -> String {
    format!("re:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// A tenant's results of one bucket, numbered as they were filed: a sorted set of the ids' 16 bytes.
pub(super) fn outbox(bucket: u8, tenant: &Tenant) -> String {
    format!("ob:{{{bucket:02x}}}:{}", tenant.as_str())
}

/// What a group of consumers has not acknowledged of an outbox: a sorted set of the ids' 16 bytes by when each is given
/// again, and of the empty string by the number of the newest result that the group was told of, negative.
pub(super) fn part(bucket: u8, tenant: &Tenant, group: &Group) -> String {
    format!("ob:{{{bucket:02x}}}:{}:{}", tenant.as_str(), group.as_str())
}

/// The bucket that a tenant's groups of consumers are in, wherever their results are.
pub(super) const GROUPS_BUCKET: u8 = 0;

/// A tenant's groups of consumers: a hash of their names to when each took results last, in milliseconds.
pub(super) fn groups(tenant: &Tenant) -> String {
    format!("gr:{{{GROUPS_BUCKET:02x}}}:{}", tenant.as_str())
}

/// Who keeps a table's seats present: a hash of seat and holder to the instant when the lease is over.
pub(super) fn presence(table: TableId) -> String {
    format!("p:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// Where a table's commits and its news of presence are announced: a sharded channel.
pub(super) fn channel(table: TableId) -> String {
    format!("n:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// The table that a channel is about.
pub(super) fn channel_table(channel: &[u8]) -> Option<TableId> {
    let rest = channel.strip_prefix(b"n:{")?;
    let (_, code) = rest.split_at_checked(4)?;
    TableId::from_code(str::from_utf8(code).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tables_keys_share_the_hash_tag_of_its_bucket() {
        let table = TableId::from_bytes([0x0f; 16]);
        let code = table.code();
        let tenant = Tenant::new("dev").unwrap();
        assert_eq!(blob(table), format!("t:{{0f}}:{code}"));
        assert_eq!(log(table), format!("e:{{0f}}:{code}"));
        assert_eq!(presence(table), format!("p:{{0f}}:{code}"));
        assert_eq!(channel(table), format!("n:{{0f}}:{code}"));
        assert_eq!(listing(table.bucket(), &tenant), "lo:{0f}:dev");
        assert_eq!(result(table), format!("re:{{0f}}:{code}"));
        assert_eq!(outbox(table.bucket(), &tenant), "ob:{0f}:dev");
        assert_eq!(part(table.bucket(), &tenant, &Group::new("books").unwrap()), "ob:{0f}:dev:books");
        assert_eq!(timers(table.bucket()), "tm:{0f}");
        assert_eq!(alive(table.bucket()), "al:{0f}");
        assert_eq!(channel_table(channel(table).as_bytes()), Some(table));
        assert_eq!(channel_table(b"n:{0f}:nobody"), None);
    }
}
