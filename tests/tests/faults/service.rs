//! A service under faults: three processes on one Redis, a wire before each of the two sides, and what becomes of them.

use std::sync::{Arc, RwLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tests::{Chance, Client, Process, Redis, Strike, Way, Wire};
use tonic::Code;
use tonic::transport::Endpoint;

/// What a commit's bytes have in them on their way to Redis.
const COMMIT: &[u8] = b"EVALSHA";
/// What a process writes when an earlier sending of a commit turns out to have made it.
const RESOLVED: &str = "resolved by its token";
/// How often something that must be done in the end is tried.
const TRIES: usize = 40;

/// Clients of the replicas, as they are at the moment.
#[derive(Clone, Debug)]
pub(crate) struct Doors(Arc<RwLock<Vec<Client>>>);

impl Doors {
    /// The doors of these processes.
    pub(crate) async fn to(processes: &[Process]) -> Self {
        let mut clients = Vec::new();
        for process in processes {
            clients.push(process.platform().await);
        }
        Self(Arc::new(RwLock::new(clients)))
    }

    /// A client of any replica, whether it lives or not.
    pub(crate) fn any(&self, chance: &mut Chance) -> Client {
        chance.pick(&self.0.read().unwrap()).clone()
    }

    /// The door of this replica alone, as it is now.
    pub(crate) fn only(&self, replica: usize) -> Self {
        Self(Arc::new(RwLock::new(vec![self.of(replica); 2])))
    }

    /// A client of this replica.
    pub(crate) fn of(&self, replica: usize) -> Client {
        self.0.read().unwrap()[replica].clone()
    }
}

/// How a replica is started: by the address of its Redis.
pub(crate) type Start = Box<dyn Fn(String) -> BoxFuture<'static, Process> + Send + Sync>;

/// One replica with its two wires.
struct Replica {
    to_redis: Wire,
    to_clients: Wire,
    process: Process,
}

/// The whole service.
pub(crate) struct Service {
    pub(crate) redis: Redis,
    pub(crate) doors: Doors,
    replicas: Vec<Replica>,
    start: Start,
    /// Commits of processes that are gone which were resolved by their tokens.
    resolved: usize,
    /// Strikes of wires to clients that are gone.
    struck: usize,
}

impl Service {
    /// So many replicas on this Redis.
    pub(crate) async fn start(redis: Redis, replicas: usize, start: Start) -> Self {
        let mut all = Vec::new();
        for _ in 0..replicas {
            let to_redis = Wire::to_port(redis.port()).await;
            let process = start(format!("redis://{}/", to_redis.address())).await;
            let to_clients = Wire::to(process.address()).await;
            all.push(Replica { to_redis, to_clients, process });
        }
        let mut clients = Vec::new();
        for replica in &all {
            clients.push(client(&replica.to_clients).await);
        }
        let doors = Doors(Arc::new(RwLock::new(clients)));
        Self { redis, doors, replicas: all, start, resolved: 0, struck: 0 }
    }

    /// Strikes the next commit of any replica, or, once in a while, whatever the next client of one asks for.
    pub(crate) async fn strike(&self, chance: &mut Chance) {
        let replica = &self.replicas[chance.below(self.replicas.len())];
        let (wire, bytes) =
            if chance.once_in(6) { (&replica.to_clients, &b""[..]) } else { (&replica.to_redis, COMMIT) };
        let before: usize = wire.struck().iter().sum();
        wire.strike(Strike::any(chance), bytes);
        // A replica that nobody asks for a commit just now is left in peace.
        let _ = tokio::time::timeout(Duration::from_secs(1), wire.strikes(before + 1)).await;
        wire.struck();
    }

    /// Holds the next commit of this replica, and all that follows it, in the wire to Redis.
    pub(crate) fn hold(&self, replica: usize) {
        self.replicas[replica].to_redis.hold_from(Way::ToServer, COMMIT);
    }

    /// Waits until a commit is held.
    pub(crate) async fn holds(&self, replica: usize) {
        self.replicas[replica].to_redis.holds(Way::ToServer).await;
    }

    /// Lets what was held go on.
    pub(crate) fn let_go(&self, replica: usize) {
        self.replicas[replica].to_redis.mend();
    }

    /// Cuts what any replica has to Redis, all of it.
    pub(crate) fn cut(&self, chance: &mut Chance) {
        self.replicas[chance.below(self.replicas.len())].to_redis.cut();
    }

    /// Strikes so far, by kind.
    pub(crate) fn struck(&self) -> [usize; Strike::KINDS.len()] {
        let mut all = [0; Strike::KINDS.len()];
        for replica in &self.replicas {
            for wire in [&replica.to_redis, &replica.to_clients] {
                for (sum, count) in all.iter_mut().zip(wire.struck()) {
                    *sum += count;
                }
            }
        }
        all
    }

    /// Kills any replica and after a while starts another one in its place.
    pub(crate) async fn kill_replica(&mut self, chance: &mut Chance) {
        let place = chance.below(self.replicas.len());
        let Replica { to_redis, to_clients, process } = self.replicas.swap_remove(place);
        self.resolved += resolved(&process);
        self.struck += to_clients.struck().iter().sum::<usize>();
        process.kill_9().await;
        pass(chance.below(300)).await;
        let process = (self.start)(format!("redis://{}/", to_redis.address())).await;
        let to_clients = Wire::to(process.address()).await;
        let client = client(&to_clients).await;
        self.replicas.push(Replica { to_redis, to_clients, process });
        let mut doors = self.doors.0.write().unwrap();
        doors.swap_remove(place);
        doors.push(client);
    }

    /// Kills Redis and after a while starts it again on what it has on disk.
    pub(crate) async fn kill_redis(&mut self, chance: &mut Chance) {
        self.redis.kill();
        pass(chance.below(300)).await;
        self.redis.launch();
    }

    /// Stops Redis or a replica in its tracks for such a time.
    pub(crate) async fn stop_one(&self, chance: &mut Chance, ms: usize) {
        let replica = &self.replicas[chance.below(self.replicas.len())];
        if chance.once_in(2) {
            self.redis.freeze();
            pass(ms).await;
            self.redis.thaw();
        } else {
            replica.process.freeze();
            pass(ms).await;
            replica.process.thaw();
        }
    }

    /// Commits so far that an earlier sending turned out to have made.
    pub(crate) fn resolved(&self) -> usize {
        self.resolved + self.replicas.iter().map(|replica| resolved(&replica.process)).sum::<usize>()
    }

    /// Ends all; no handler of any of them may have panicked.
    pub(crate) async fn terminate(self) {
        for Replica { process, .. } in self.replicas {
            process.terminate().await;
        }
    }

    /// Ends all, whatever they have done.
    #[cfg(feature = "mutants")]
    pub(crate) async fn kill(self) {
        for Replica { process, .. } in self.replicas {
            process.kill_9().await;
        }
    }
}

/// A client that finds out by itself where its connection has fallen silent.
async fn client(wire: &Wire) -> Client {
    let second = Duration::from_secs(1);
    let lively = |endpoint: Endpoint| {
        endpoint.http2_keep_alive_interval(second).keep_alive_timeout(second).keep_alive_while_idle(true)
    };
    Client::connect_as(wire.address(), lively).await
}

fn resolved(process: &Process) -> usize {
    process.output().iter().filter(|line| line.contains(RESOLVED)).count()
}

/// The ordinary server.
pub(crate) fn ordinary() -> Start {
    Box::new(|redis_url| {
        Box::pin(async move {
            let quick = ["--drain-delay", "0s", "--drain-spread", "0s"];
            Process::start(&[&["--allow-scripted", "--redis-url", &redis_url], quick.as_slice()].concat())
                .await
        })
    })
}

/// Lets some time pass: what is proven is that it does not matter when something happens.
pub(crate) async fn pass(ms: usize) {
    tokio::time::sleep(Duration::from_millis(ms.try_into().expect("milliseconds"))).await;
}

/// Asks one replica after the other until one answers; in the end, or where the table is gone, says so.
pub(crate) async fn insist<T, F>(
    doors: &Doors,
    chance: &mut Chance,
    what: &str,
    ask: impl Fn(Client) -> F,
) -> Result<T, String>
where
    F: Future<Output = Result<T, tonic::Status>>,
{
    let mut last = String::new();
    for _ in 0..TRIES {
        match ask(doors.any(chance).with_deadline(Duration::from_secs(1))).await {
            Ok(answer) => return Ok(answer),
            // No store that goes on forgets a table.
            Err(status) if status.code() == Code::NotFound => return Err(format!("{what}: {status:?}")),
            Err(status) => last = format!("{what}: {status:?}"),
        }
        pass(250).await;
    }
    Err(last)
}
