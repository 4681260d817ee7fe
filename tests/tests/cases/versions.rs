//! Stored state across releases.

use std::collections::BTreeMap;

use tests::known_deal::deal;
use tests::v1::{self, TablePhase};
use tests::views::public;
use tests::watch_all::Said;
use tests::{Client, NewTable, Process, Redis, Table, duration, reason, says_when_to_retry, within};

/// Tables of every phase as the release before stored them: names, stories and records in hex.
const GOLDEN: &str = include_str!("../../../services/sedma-store/src/codec/golden/schema-1.txt");

/// Runs a script that gets hex and writes bytes.
fn write(redis: &Redis, script: &str, keys: &[&str], values: &[&str]) {
    let bytes = "local function bytes(hex) return (hex:gsub('..', function(two) \
                 return string.char(tonumber(two, 16)) end)) end ";
    let (script, count) = (format!("{bytes}{script} return 'written'"), keys.len().to_string());
    let command = [&["EVAL", script.as_str(), count.as_str()], keys, values].concat();
    assert_eq!(redis.ask(&command), "written");
}

/// A blob whose timer is none: the one that it was stored with has fired long ago.
fn without_timer(hex: &str) -> String {
    let (version, rest) = hex.split_at(32);
    format!("{version}{}{}", "0".repeat(16), &rest[16..])
}

/// Brings the golden tables back into a Redis, listed one millisecond after the other. Their phases by their names.
fn restore(redis: &Redis) -> BTreeMap<String, String> {
    let mut phases = BTreeMap::new();
    let mut code = "";
    for line in GOLDEN.lines() {
        let (kind, rest) = line.split_once(' ').expect("a line of a golden file");
        if kind == "table" {
            let (name, story) = rest.split_once(' ').expect("a table's line");
            code = name;
            let phase = story.split_once(' ').expect("a table's story").0;
            phases.insert(format!("tables/{code}"), phase.to_owned());
        } else {
            let id = data_encoding::BASE32_NOPAD.decode(code.to_uppercase().as_bytes()).expect("a code");
            let bucket = format!("{{{:02x}}}", id[0]);
            let (blob, log) = (format!("t:{bucket}:{code}"), format!("e:{bucket}:{code}"));
            let (listing, id) = (format!("lo:{bucket}:dev"), data_encoding::HEXLOWER.encode(&id));
            match kind {
                "blob" => write(
                    redis,
                    "redis.call('SET', KEYS[1], bytes(ARGV[1])) redis.call('ZADD', KEYS[2], ARGV[3], bytes(ARGV[2]))",
                    &[&blob, &listing],
                    &[&without_timer(rest), &id, &phases.len().to_string()],
                ),
                _ => write(redis, "redis.call('RPUSH', KEYS[1], bytes(ARGV[1]))", &[&log], &[rest]),
            }
        }
    }
    phases
}

fn named(platform: &Client, name: &str) -> Table {
    Table { platform: platform.clone(), name: name.to_owned(), seats: Vec::new() }
}

async fn listed(platform: &Client) -> Vec<String> {
    let request = v1::ListTablesRequest { page_size: 100, ..v1::ListTablesRequest::default() };
    let page = platform.list_tables(request).await.expect("a page");
    page.tables.into_iter().map(|row| row.name).collect()
}

/// <https://github.com/redisson/redisson/issues/1431>
#[tokio::test(flavor = "multi_thread")]
async fn n01_tables_of_the_release_before_go_on_in_this_one() {
    let redis = Redis::start();
    let golden = restore(&redis);
    let process = Process::redis(&redis).await;
    let platform = process.platform().await;
    assert_eq!(listed(&platform).await.len(), golden.len());
    let mut seen = BTreeMap::new();
    for (name, phase) in &golden {
        let table = named(&platform, name);
        let view = table.view().await;
        let now = format!("{:?}", public(&view).phase());
        assert_eq!(&now, phase, "{name}");
        *seen.entry(now).or_insert(0) += 1;
        // Its whole history is told, and its last update leads to the view.
        let mut history = table.history().await;
        let mut last = history.update().await;
        while last.revision < public(&view).revision {
            last = history.update().await;
        }
        assert_eq!(
            last.after.as_ref().map(|after| public(after).seats.clone()),
            Some(public(&view).seats.clone())
        );
        if public(&view).turn_seat > 0 && !public(&view).paused {
            table.play_first().await;
        } else if matches!(public(&view).phase(), TablePhase::Open | TablePhase::BetweenDeals) {
            table.close().await;
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}

/// The same while both work side by side, and after the newer one was taken back.
#[tokio::test(flavor = "multi_thread")]
async fn n01_a_table_keeps_its_schema_while_servers_that_write_another_play_it_too() {
    let redis = Redis::start();
    let url = redis.url();
    let start = async |schema: &str| {
        Process::start(&["--allow-scripted", "--redis-url", &url, "--write-schema", schema]).await
    };
    let (old, new) = (start("1").await, start("2").await);
    let (before, after) = (old.platform().await, new.platform().await);
    let (first, second) = (deal().start(&before).await, deal().start(&after).await);
    let schema = |table: &Table| {
        let code = table.name.trim_start_matches("tables/");
        let key = redis.ask(&["KEYS", &format!("t:*{code}")]);
        redis.ask(&["EVAL", "return redis.call('GETRANGE', KEYS[1], 24, 24):byte()", "1", key.trim()])
    };
    for plays in [["1:8h", "2:10c"], ["3:8c", "4:Qc"]] {
        for (table, written) in [(&first, "1"), (&second, "2")] {
            table.at(&before).play(&plays[..1]).await;
            table.at(&after).play(&plays[1..]).await;
            assert_eq!(schema(table), written);
        }
    }
    let info = async |platform: &Client| {
        platform.get_server_info(v1::GetServerInfoRequest::default()).await.expect("an answer").write_schema
    };
    assert_eq!((info(&before).await, info(&after).await), (1, 2));
    let mut silent = NewTable::classic();
    silent.request.results = v1::ResultPolicy::None.into();
    let refused = before.create_table(silent.request.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "SCHEMA_AHEAD", "what schema 1 can't say is not written: {refused:?}");
    assert!(after.create_table(silent.request).await.is_ok());
}

/// <https://github.com/opensearch-project/query-insights/issues/673>
#[tokio::test(flavor = "multi_thread")]
async fn n03_a_table_of_a_newer_release_is_refused_by_name_and_hides_no_other() {
    let redis = Redis::start();
    // The newer release: it makes the tables, and is gone before the one that is tried knows any of them.
    let maker = Process::redis(&redis).await;
    let made_by = maker.platform().await;
    let timed = || {
        let timing = v1::Timing {
            turn_timeout: Some(duration(700)),
            timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
            ..v1::Timing::default()
        };
        deal().timed(timing)
    };
    let (newer, other) = (timed().start(&made_by).await, timed().start(&made_by).await);
    let quiet = deal().start(&made_by).await;
    let key = redis.ask(&["KEYS", &format!("t:*{}", newer.name.trim_start_matches("tables/"))]);
    let mark = |schema: &str| {
        write(&redis, "redis.call('SETRANGE', KEYS[1], 24, bytes(ARGV[1]))", &[key.trim()], &[schema]);
    };
    maker.kill_9().await;
    mark("03");
    let process = Process::redis(&redis).await;
    let platform = process.platform().await;
    let (newer, other, quiet) = (newer.at(&platform), other.at(&platform), quiet.at(&platform));
    let stored = || redis.ask(&["EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", key.trim()]);
    let before = stored();

    let request = v1::GetTableRequest { name: newer.name.clone(), ..v1::GetTableRequest::default() };
    let refused = platform.get_table(request).await.unwrap_err();
    assert_eq!((refused.code(), reason(&refused).as_str()), (tonic::Code::Unavailable, "SCHEMA_AHEAD"));
    assert!(refused.message().contains(&newer.name) && says_when_to_retry(&refused), "{refused:?}");
    let refused = newer.platform.pause_table(newer.pause_request()).await.unwrap_err();
    assert_eq!(reason(&refused), "SCHEMA_AHEAD");

    let mut names = listed(&platform).await;
    names.sort();
    let mut others = vec![other.name.clone(), quiet.name.clone()];
    others.sort();
    assert_eq!(names, others);
    let mut all = platform.watch_tables(v1::WatchTablesRequest::default()).await.expect("a watch");
    quiet.play(&["1:8h"]).await;
    within("an update of the quiet table", async {
        loop {
            match all.next().await {
                Said::Of(name, _) if name == quiet.name => return,
                Said::Of(name, _) | Said::Lost(name, _) => assert!(name != quiet.name),
                Said::Stream(_) => {}
            }
        }
    })
    .await;

    // The clocks of the others run; the newer table waits, untouched, for a server that knows it.
    let mut watch = other.history().await;
    while watch.update().await.actor() != v1::Actor::Timeout {}
    assert_eq!(stored(), before);
    mark("02");
    let mut watch = newer.history().await;
    while watch.update().await.actor() != v1::Actor::Timeout {}
}
