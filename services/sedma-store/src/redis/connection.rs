//! A connection that is kept: made anew when it is lost or falls silent, for as long as the store lives.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::{MultiplexedConnection, SendError};
use redis::{Cmd, Pipeline, PushInfo, PushKind, Value};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};

use crate::limits::{
    CONNECTION_WAIT, GOOD_CONNECTION, RECONNECT_PAUSE, RECONNECT_PAUSE_MAX, WATCHDOG_INTERVAL,
    WATCHDOG_MISSES,
};
use crate::redis::failure::Failure;
use crate::redis::server::{Dialled, Server};

/// What a connection does with a message that is no answer.
pub(super) type OnPush = Arc<dyn Fn(&PushInfo) + Send + Sync>;

/// A named connection to one Redis.
pub(super) struct Connection {
    state: watch::Receiver<State>,
    hangups: Hangups,
    keeper: JoinHandle<()>,
}

/// Where it is.
#[derive(Clone)]
enum State {
    /// It is being made, for the first time or anew.
    Making,
    Up(Live),
    /// The last try failed; another one follows.
    Down(Arc<str>),
}

/// A connection that stands.
#[derive(Clone)]
pub(super) struct Live {
    connection: MultiplexedConnection,
    /// Which one it is; the one made after it has the next number.
    pub(super) generation: u64,
    hangups: Hangups,
    server: Arc<Server>,
    /// Of which dials of the server it is.
    era: u64,
}

/// The newest generation that is to end.
#[derive(Clone)]
struct Hangups(watch::Sender<u64>);

impl Hangups {
    fn end(&self, generation: u64) {
        self.0.send_if_modified(|newest| {
            let newer = generation > *newest;
            *newest = generation.max(*newest);
            newer
        });
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

impl Connection {
    /// Begins to make a connection, in the background.
    pub(super) fn keep(server: Arc<Server>, name: &'static str, on_push: OnPush) -> Self {
        let (publish, state) = watch::channel(State::Making);
        let hangups = Hangups(watch::Sender::new(0));
        let keeper = Keeper { server, name, on_push, publish, hangups: hangups.clone(), generation: 0 };
        Self { state, hangups, keeper: tokio::spawn(keeper.run()) }
    }

    /// The connection, if it stands or does so shortly.
    pub(super) async fn live(&self) -> Result<Live, Failure> {
        if let State::Up(live) = &*self.state.borrow() {
            return Ok(live.clone());
        }
        let mut state = self.state.clone();
        let settled = state.wait_for(|state| !matches!(state, State::Making));
        match tokio::time::timeout(CONNECTION_WAIT, settled).await {
            Ok(Ok(state)) => match &*state {
                State::Up(live) => Ok(live.clone()),
                State::Down(why) => Err(Failure::not_sent(why)),
                State::Making => Err(Failure::not_sent("it is being made")),
            },
            Ok(Err(_)) => Err(Failure::not_sent("the store is closed")),
            Err(_) => Err(Failure::not_sent("it is being made")),
        }
    }

    /// Which connection stands, if one does.
    pub(super) fn generation(&self) -> Option<u64> {
        match &*self.state.borrow() {
            State::Up(live) => Some(live.generation),
            State::Making | State::Down(_) => None,
        }
    }

    /// The next connection after this generation, however long it takes. `None` when the store is closed.
    pub(super) async fn after(&self, generation: u64) -> Option<Live> {
        let mut state = self.state.clone();
        let newer = state.wait_for(|state| matches!(state, State::Up(live) if live.generation > generation));
        match &*newer.await.ok()? {
            State::Up(live) => Some(live.clone()),
            State::Making | State::Down(_) => None,
        }
    }

    /// Waits for the end of this generation. `false` when the store is closed.
    pub(super) async fn ended(&self, generation: u64) -> bool {
        let mut state = self.state.clone();
        let stands = |state: &State| matches!(state, State::Up(live) if live.generation == generation);
        state.wait_for(|state| !stands(state)).await.is_ok()
    }

    /// Waits until a connection stands, or until then.
    pub(super) async fn settle(&self, until: Instant) {
        let mut state = self.state.clone();
        let up = state.wait_for(|state| matches!(state, State::Up(_)));
        let _ = tokio::time::timeout_at(until, up).await;
    }

    /// Ends this generation, so that another connection is made.
    pub(super) fn hang_up(&self, generation: u64) {
        self.hangups.end(generation);
    }
}

impl Live {
    /// Sends one command.
    pub(super) async fn command(&self, command: &Cmd) -> Result<Value, Failure> {
        let answer = self.connection.clone().send_packed_command(command).await;
        self.judge(match answer {
            Ok(Value::ServerError(error)) => Err(Failure::from(&error)),
            Ok(value) => Ok(value),
            Err(error) => Err(Failure::from(error)),
        })
    }

    /// Sends several commands at once. Each answer may be an error of its own.
    pub(super) async fn pipeline(&self, pipeline: &Pipeline) -> Result<Vec<Value>, Failure> {
        let count = pipeline.len();
        let answers = self.connection.clone().send_packed_commands(pipeline, 0, count).await;
        self.judge(match answers {
            Ok(values) if values.len() == count => {
                let errors = values.iter().filter_map(|value| match value {
                    Value::ServerError(error) => Some(Failure::from(error)),
                    _ => None,
                });
                errors.take(1).for_each(|failure| self.hear(&failure));
                Ok(values)
            }
            Ok(_) => Err(Failure::misfit()),
            Err(error) => Err(Failure::from(error)),
        })
    }

    /// Hangs up after a failure that asks for it, and tells the server what others should know.
    fn judge<T>(&self, answer: Result<T, Failure>) -> Result<T, Failure> {
        let Err(failure) = &answer else { return answer };
        if failure.reconnect {
            self.hangups.end(self.generation);
        }
        self.hear(failure);
        answer
    }

    /// The same for an error among several answers.
    pub(super) fn hear(&self, failure: &Failure) {
        if failure.no_primary() {
            self.server.outlived(self.era);
        } else if failure.other_map() {
            self.server.troubled();
        }
    }
}

/// The task that makes a connection, watches it, and makes it anew.
struct Keeper {
    server: Arc<Server>,
    name: &'static str,
    on_push: OnPush,
    publish: watch::Sender<State>,
    hangups: Hangups,
    generation: u64,
}

impl Keeper {
    async fn run(mut self) {
        let mut pause = RECONNECT_PAUSE;
        loop {
            self.generation = self.generation.saturating_add(1);
            let born = Instant::now();
            match self.dial().await {
                Ok(live) => {
                    tracing::debug!(connection = self.name, "connected to Redis");
                    self.publish.send_replace(State::Up(live.clone()));
                    let why = self.watch(&live).await;
                    self.publish.send_replace(State::Making);
                    self.server.troubled();
                    tracing::warn!(
                        connection = self.name,
                        why,
                        "the connection to Redis ended; making it anew"
                    );
                    if born.elapsed() < GOOD_CONNECTION {
                        pause = self.rest(pause).await;
                    } else {
                        pause = RECONNECT_PAUSE;
                    }
                }
                Err(why) => {
                    tracing::debug!(connection = self.name, why, "no connection to Redis");
                    self.publish.send_replace(State::Down(why.into()));
                    self.server.troubled();
                    pause = self.rest(pause).await;
                }
            }
        }
    }

    async fn dial(&self) -> Result<Live, String> {
        let (generation, hangups, on_push) = (self.generation, self.hangups.clone(), self.on_push.clone());
        let pushed = move |push: PushInfo| -> Result<(), SendError> {
            if push.kind == PushKind::Disconnection {
                hangups.end(generation);
            } else {
                on_push(&push);
            }
            Ok(())
        };
        let Dialled { connection, era } = self.server.dial(self.name, pushed).await?;
        let (hangups, server) = (self.hangups.clone(), self.server.clone());
        Ok(Live { connection, generation, hangups, server, era })
    }

    /// Pings the connection until it is lost, falls silent, or is to be ended. Says which.
    async fn watch(&self, live: &Live) -> &'static str {
        let ping = redis::cmd("PING");
        let mut ticks = tokio::time::interval(WATCHDOG_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await; // the first tick is at once, and the connection has just been made
        let mut hangups = self.hangups.0.subscribe();
        let mut misses = 0_u32;
        loop {
            tokio::select! {
                _ = hangups.wait_for(|generation| *generation >= live.generation) => return "lost",
                () = self.server.outlives(live.era) => return "moved",
                answer = async { ticks.tick().await; live.command(&ping).await } => {
                    misses = if answer.is_ok() { 0 } else { misses.saturating_add(1) };
                    if misses >= WATCHDOG_MISSES {
                        return "silent";
                    }
                }
            }
        }
    }

    /// Pauses, and says how long the next pause is. A third of it is chance, so that a fleet does not come back at once.
    async fn rest(&self, pause: Duration) -> Duration {
        let dice = getrandom::u32().unwrap_or(u32::MAX);
        let share = f64::from(dice) / f64::from(u32::MAX);
        tokio::time::sleep(pause.mul_f64(1.0 - share / 3.0)).await;
        pause.saturating_mul(2).min(RECONNECT_PAUSE_MAX)
    }
}
