//! Wake-ups over sharded Pub/Sub: one subscription per watched table, whoever and however many wait for it.
//!
//! A message is only a hint. One that is lost is found by the sweep over versions, and after a connection was lost
//! everybody is woken once to look for himself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redis::{PushInfo, PushKind, Value};
use sedma_table::TableId;
use sedma_table::store::{Wake, Wakeups};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::limits::{PIPELINE, TIDY_INTERVAL};
use crate::redis::connection::{Connection, Live};
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::presence;
use crate::redis::server::Server;

/// All subscriptions of this process.
pub(super) struct Subscriptions {
    topics: Arc<Topics>,
    /// `None` while no node has what is waited for.
    task: Option<JoinHandle<()>>,
}

/// Who waits for which table.
#[derive(Default)]
pub(super) struct Topics {
    state: Mutex<State>,
    fell: Notify,
}

#[derive(Default)]
struct State {
    map: HashMap<TableId, Topic>,
    /// Those that don't stand, to be subscribed to; one that nobody waits for any more may be among them.
    fallen: Vec<TableId>,
}

struct Topic {
    sender: watch::Sender<Wake>,
    /// The connection that the subscription stands on; 0 for none yet.
    stands_on: u64,
}

impl Drop for Subscriptions {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Subscriptions {
    /// Begins to keep a connection for wake-ups.
    pub(super) fn keep(server: Arc<Server>) -> Self {
        let topics = Arc::new(Topics::default());
        let heard = topics.clone();
        let connection =
            Connection::keep(server, "sedma-wakeups", Arc::new(move |push: &PushInfo| heard.hear(push)));
        Self { topics: topics.clone(), task: Some(tokio::spawn(run(connection, topics))) }
    }

    /// Those of buckets that no node has.
    pub(super) fn homeless() -> Self {
        Self { topics: Arc::default(), task: None }
    }

    /// What tells two of them apart.
    pub(super) fn topics(&self) -> &Topics {
        &self.topics
    }

    /// Takes out those who wait for tables that don't stay here, so that another node can wake them.
    pub(super) fn give_away(&self, stays: impl Fn(TableId) -> bool) -> Vec<(TableId, watch::Sender<Wake>)> {
        let mut state = self.topics.lock();
        let gone: Vec<TableId> = state.map.keys().copied().filter(|table| !stays(*table)).collect();
        gone.into_iter().filter_map(|table| Some((table, state.map.remove(&table)?.sender))).collect()
    }

    /// Takes them in. They are woken once when the subscription stands.
    pub(super) fn adopt(&self, table: TableId, sender: watch::Sender<Wake>) {
        let mut state = self.topics.lock();
        state.map.insert(table, Topic { sender, stands_on: 0 });
        state.fallen.push(table);
        self.topics.fell.notify_one();
    }

    /// A receiver of a table's wake-ups.
    pub(super) fn subscribe(&self, table: TableId) -> Wakeups {
        let mut state = self.topics.lock();
        if let Some(topic) = state.map.get(&table) {
            let mut wakeups = topic.sender.subscribe();
            if topic.stands_on != 0 {
                wakeups.mark_changed();
            }
            return wakeups;
        }
        let (sender, wakeups) = watch::channel(Wake::default());
        state.map.insert(table, Topic { sender, stands_on: 0 });
        state.fallen.push(table);
        self.topics.fell.notify_one();
        wakeups
    }
}

/// Serves one connection after the other.
async fn run(connection: Connection, topics: Arc<Topics>) {
    let mut generation = 0;
    while let Some(live) = connection.after(generation).await {
        generation = live.generation;
        topics.fall();
        let served = async {
            // Whatever went wrong, a new connection with everything subscribed anew mends it.
            if serve(&live, &topics).await.is_err() {
                connection.hang_up(generation);
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = served => {}
            ended = connection.ended(generation) => if !ended { return },
        }
        topics.fall();
    }
}

/// Subscribes to what is waited for, and drops what is not, for as long as the connection works.
async fn serve(live: &Live, topics: &Topics) -> Result<(), Failure> {
    let mut tidy = tokio::time::interval(TIDY_INTERVAL);
    tidy.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let wanted = topics.take_fallen();
        if !wanted.is_empty() {
            send(live, "SSUBSCRIBE", &wanted).await?;
            topics.stand(&wanted, live.generation);
            continue;
        }
        tokio::select! {
            () = topics.fell.notified() => {}
            _ = tidy.tick() => {
                let unwanted = topics.take_unwanted();
                send(live, "SUNSUBSCRIBE", &unwanted).await?;
            }
        }
    }
}

/// One command per channel: in cluster mode the channels of one command must share a slot.
async fn send(live: &Live, command: &str, tables: &[TableId]) -> Result<(), Failure> {
    if tables.is_empty() {
        return Ok(());
    }
    let mut pipeline = redis::pipe();
    for table in tables {
        pipeline.cmd(command).arg(keys::channel(*table));
    }
    for answer in live.pipeline(&pipeline).await? {
        if let Value::ServerError(error) = answer {
            return Err(Failure::from(&error));
        }
    }
    Ok(())
}

impl Topics {
    /// Nothing panics while the lock is held, so what it guards is whole whatever the flag says.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A message of the connection: wakes those whom it is for.
    fn hear(&self, push: &PushInfo) {
        let Some(Value::BulkString(channel)) = push.data.first() else { return };
        let Some(table) = keys::channel_table(channel) else { return };
        let mut state = self.lock();
        let Some(topic) = state.map.get_mut(&table) else { return };
        match push.kind {
            // What comes before it is known to stand is made good when it does.
            PushKind::SMessage if topic.stands_on != 0 => topic.sender.send_modify(what_for(push)),
            // Redis unsubscribes by itself when it gives a slot away. Asked for it never meets a topic that stands.
            PushKind::SUnsubscribe if topic.stands_on != 0 => {
                topic.stands_on = 0;
                state.fallen.push(table);
                self.fell.notify_one();
            }
            _ => {}
        }
    }

    /// No subscription stands any more.
    fn fall(&self) {
        let mut state = self.lock();
        for topic in state.map.values_mut() {
            topic.stands_on = 0;
        }
        state.fallen = state.map.keys().copied().collect();
    }

    /// Takes some of the topics that don't stand. One that another node has by now is none of them.
    fn take_fallen(&self) -> Vec<TableId> {
        let mut state = self.lock();
        let State { map, fallen } = &mut *state;
        fallen.retain(|table| map.contains_key(table));
        let rest = fallen.len().saturating_sub(PIPELINE);
        fallen.split_off(rest)
    }

    /// These stand: everybody who waits for them looks once for what he may have missed.
    fn stand(&self, tables: &[TableId], generation: u64) {
        let mut state = self.lock();
        for table in tables {
            if let Some(topic) = state.map.get_mut(table) {
                topic.stands_on = generation;
                topic.sender.send_modify(|wake| {
                    wake.for_updates();
                    wake.for_presence();
                });
            }
        }
    }

    /// Takes out some of the topics that nobody waits for.
    fn take_unwanted(&self) -> Vec<TableId> {
        let mut state = self.lock();
        let unwanted = state.map.iter().filter(|(_, topic)| topic.sender.receiver_count() == 0);
        let unwanted: Vec<TableId> = unwanted.map(|(table, _)| *table).take(PIPELINE).collect();
        for table in &unwanted {
            state.map.remove(table);
        }
        unwanted
    }
}

/// What a message is about: presence where it says so, else a commit.
fn what_for(push: &PushInfo) -> fn(&mut Wake) {
    match push.data.get(1) {
        Some(Value::BulkString(message)) if message == presence::NEWS => Wake::for_presence,
        _ => Wake::for_updates,
    }
}
