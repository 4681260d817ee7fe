//! One span per call to Redis, with names and numbers only.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sedma_table::Tenant;
use sedma_table::contract::Game;
use sedma_table::store::Store;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::game::store;
use crate::redis::Redis;

type Span = BTreeMap<String, String>;

/// Keeps the fields of every span of the store.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<(u64, Span)>>>);

struct Fields<'a>(&'a mut Span);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl<S: tracing::Subscriber> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        if attributes.metadata().target() == "sedma_store::redis" {
            let mut span = Span::new();
            attributes.record(&mut Fields(&mut span));
            self.0.lock().expect("a lock").push((id.into_u64(), span));
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut spans = self.0.lock().expect("a lock");
        if let Some((_, span)) = spans.iter_mut().rev().find(|(number, _)| *number == id.into_u64()) {
            values.record(&mut Fields(span));
        }
    }
}

impl Recorder {
    /// The spans since the last call.
    fn take(&self) -> Vec<Span> {
        std::mem::take(&mut *self.0.lock().expect("a lock")).into_iter().map(|(_, span)| span).collect()
    }
}

fn span(port: u16, fields: &[(&str, &str)]) -> Span {
    let port = port.to_string();
    let always = [
        ("otel.kind", "client"),
        ("db.system.name", "redis"),
        ("server.address", "127.0.0.1"),
        ("server.port", port.as_str()),
    ];
    let named = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    always.iter().chain(fields).map(named).collect()
}

#[tokio::test]
async fn each_call_that_somebody_waits_for_has_its_span() {
    let redis = Redis::start();
    let recorder = Recorder::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(recorder.clone()));
    let store = store(&redis.url()).await;
    assert_eq!(recorder.take(), [], "start and health are nobody's call");

    let mut game = Game::create(&store, 1).await;
    let commit = |command| {
        let fields =
            [("otel.name", command), ("db.operation.name", command), ("db.stored_procedure.name", "commit")];
        span(redis.port(), &fields)
    };
    let mut forgotten = commit("EVALSHA");
    let failed =
        [("db.response.status_code", "NOSCRIPT"), ("error.type", "NOSCRIPT"), ("otel.status_code", "ERROR")];
    forgotten.extend(failed.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(recorder.take(), [forgotten, commit("EVAL")], "the first time the script is brought along");
    game.play(1).await;
    assert_eq!(recorder.take(), [commit("EVALSHA")]);

    let one = |command| span(redis.port(), &[("otel.name", command), ("db.operation.name", command)]);
    store.load(game.table()).await.expect("a load");
    store.updates_after(game.table(), 0, 10).await.expect("a log");
    assert_eq!(recorder.take(), [one("GET"), one("LRANGE")]);

    let dev = Tenant::new("dev").expect("a tenant");
    store.list(&dev, None, 1).await.expect("a page");
    let range = [
        ("otel.name", "PIPELINE ZREVRANGEBYSCORE"),
        ("db.operation.name", "PIPELINE ZREVRANGEBYSCORE"),
        ("db.operation.batch.size", "256"),
    ];
    assert_eq!(recorder.take(), [span(redis.port(), &range), one("GET")]);

    store.versions(&[game.table()]).await.expect("versions");
    store.due(10, 15_000).await.expect("a sweep");
    store.check().await.expect("a Redis that works");
    assert_eq!(recorder.take(), [], "sweeps are nobody's call");
}

#[tokio::test]
async fn a_call_that_fails_says_how_and_not_what_it_was_about() {
    let mut redis = Redis::start();
    let recorder = Recorder::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(recorder.clone()));
    let store = store(&redis.url()).await;
    let game = Game::create(&store, 2).await;
    recorder.take();
    redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    let mut game = game;
    let commit = game.propose().expect("a step");
    assert!(store.commit(&commit).await.is_err());
    redis.kill();
    while store.load(game.table()).await.is_ok() {}
    let spans = recorder.take();
    assert_eq!(spans[0]["error.type"], "OOM");
    assert_eq!(spans[0]["db.response.status_code"], "OOM");
    let last = &spans[spans.len() - 1];
    assert!(["not_connected", "connection_lost"].contains(&last["error.type"].as_str()), "{last:?}");
    assert_eq!(last["otel.status_code"], "ERROR");
    let all = format!("{spans:?}");
    assert!(!all.contains(&game.table().code()), "no key is shown");
}
