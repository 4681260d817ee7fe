//! What Redis is told to do when its memory is full, and what a server makes of it.

use tests::v1::DurabilityLevel;
use tests::{Process, Redis, v1, within};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Looks often, so that a test need not wait a minute.
const SOON: [&str; 2] = ["--durability-interval", "1s"];

fn flags<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--allow-scripted", "--redis-url", url], SOON.as_slice(), more].concat()
}

/// Waits until health says so.
async fn shows(process: &Process, status: ServingStatus) {
    let mut health = HealthClient::new(process.platform().await.channel());
    let request = HealthCheckRequest { service: "sedma.v1.TableService".into() };
    let mut watch = within("health", health.watch(request)).await.expect("a watch").into_inner();
    while within("health to change", watch.message()).await.expect("a watch").expect("a status").status()
        != status
    {}
}

async fn durability(process: &Process) -> v1::Durability {
    let info = process.platform().await.get_server_info(v1::GetServerInfoRequest::default()).await;
    info.expect("an answer").durability.expect("what Redis says of itself")
}

/// <https://github.com/juicedata/juicefs/issues/1991>
#[tokio::test(flavor = "multi_thread")]
async fn m05_an_evicting_policy_is_not_served_on_until_it_is_mended() {
    for policy in ["allkeys-lru", "volatile-lru"] {
        let redis = Redis::start_with(&["--save", "", "--maxmemory", "20mb", "--maxmemory-policy", policy]);
        let url = redis.url();
        let process = Process::listen_with(&flags(&url, &[]), &[]).await;
        process.says("--allow-eviction").await;
        assert_eq!(durability(&process).await.nodes[0].eviction_policy, policy);
        assert!(process.output().iter().any(|line| line.contains("CONFIG SET maxmemory-policy noeviction")));
        assert!(process.output().iter().all(|line| !line.contains("\"Serving\"")));
        redis.ask(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
        shows(&process, ServingStatus::Serving).await;
        redis.ask(&["CONFIG", "SET", "maxmemory-policy", policy]);
        shows(&process, ServingStatus::NotServing).await;
    }
}

/// As a rented one may.
#[tokio::test(flavor = "multi_thread")]
async fn m05_an_evicting_policy_is_seen_though_redis_keeps_its_settings_to_itself() {
    let redis =
        Redis::start_with(&["--save", "", "--maxmemory", "20mb", "--maxmemory-policy", "allkeys-lru"]);
    redis.ask(&["ACL", "SETUSER", "default", "-config"]);
    let url = redis.url();
    let process = Process::listen_with(&flags(&url, &[]), &[]).await;
    process.says("--allow-eviction").await;
    let node = &durability(&process).await.nodes[0];
    assert_eq!((node.eviction_policy.as_str(), node.max_memory_bytes), ("allkeys-lru", 20 * 1024 * 1024));
    assert!(process.output().iter().all(|line| !line.contains("\"Serving\"")));
}

/// What it says of its state it may keep to itself as well.
#[tokio::test(flavor = "multi_thread")]
async fn m05_that_nothing_is_known_of_redis_is_told_at_the_start() {
    let redis = Redis::start();
    redis.ask(&["ACL", "SETUSER", "default", "-config", "-info"]);
    let url = redis.url();
    let process = Process::start(&flags(&url, &[])).await;
    process.says("is not known").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn m05_an_evicting_policy_is_served_on_where_that_is_allowed_or_memory_has_no_bound() {
    let evicting = ["--save", "", "--maxmemory-policy", "allkeys-lru"];
    let bounded = Redis::start_with(&[evicting.as_slice(), &["--maxmemory", "20mb"]].concat());
    let url = bounded.url();
    let process = Process::start(&flags(&url, &["--allow-eviction"])).await;
    assert_eq!(durability(&process).await.nodes[0].max_memory_bytes, 20 * 1024 * 1024);
    let unbounded = Redis::start_with(&evicting);
    let url = unbounded.url();
    drop(Process::start(&flags(&url, &[])).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_tells_how_well_its_store_keeps_what_was_acknowledged() {
    let kept = |appendonly: &str, fsync: &str| {
        Redis::start_with(&["--save", "", "--appendonly", appendonly, "--appendfsync", fsync])
    };
    for (appendonly, fsync, level) in [
        ("no", "always", DurabilityLevel::D0),
        ("yes", "no", DurabilityLevel::D1),
        ("yes", "everysec", DurabilityLevel::D1),
        ("yes", "always", DurabilityLevel::D2),
    ] {
        let redis = kept(appendonly, fsync);
        let url = redis.url();
        let process = Process::start(&flags(&url, &[])).await;
        let told = durability(&process).await;
        assert_eq!(
            (told.level(), told.nodes.len()),
            (level, 1),
            "appendonly {appendonly}, appendfsync {fsync}"
        );
        assert!(told.loses.ends_with('.'), "in words: {told:?}");
        // A change at run time is seen.
        redis.ask(&["CONFIG", "SET", "appendonly", "no"]);
        within("the lower level", async {
            while durability(&process).await.level() != DurabilityLevel::D0 {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        })
        .await;
    }
    let memory = Process::memory().await;
    let told = durability(&memory).await;
    assert_eq!((told.level(), told.nodes.len()), (DurabilityLevel::D0, 0));
}
