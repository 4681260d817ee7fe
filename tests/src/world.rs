//! What a test runs on: one server with its own memory, or two replicas on one Redis.

use sedmad::Config;

use crate::client::Client;
use crate::redis::Redis;
use crate::server::Server;

/// Two doors to one store. In memory both are the same server, but connections of their own.
pub struct World {
    clients: [Client; 2],
    servers: Vec<Server>,
    redis: Option<Redis>,
}

impl World {
    /// One server that keeps tables in its memory.
    pub async fn memory() -> Self {
        let server = Server::memory().await;
        let clients = [server.platform().await, server.platform().await];
        Self { clients, servers: vec![server], redis: None }
    }

    /// Two replicas on a Redis of their own.
    pub async fn redis() -> Self {
        Self::on(Redis::start()).await
    }

    /// Two replicas on this Redis.
    pub async fn on(redis: Redis) -> Self {
        Self::on_with(redis, |_| ()).await
    }

    /// Two replicas on this Redis whose configuration is another.
    pub async fn on_with(redis: Redis, change: impl Fn(&mut Config)) -> Self {
        let mut servers = Vec::new();
        for _ in 0..2 {
            let mut config = Server::config(Some(redis.url()));
            change(&mut config);
            servers.push(Server::start(config).await);
        }
        let clients = [servers[0].platform().await, servers[1].platform().await];
        Self { clients, servers, redis: Some(redis) }
    }

    /// The platform's client at the first door.
    pub fn a(&self) -> &Client {
        &self.clients[0]
    }

    /// The platform's client at the second door.
    pub fn b(&self) -> &Client {
        &self.clients[1]
    }

    /// One door or the other, in turns.
    pub fn door(&self, n: usize) -> &Client {
        &self.clients[n % 2]
    }

    /// The servers behind the doors.
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// The Redis, where there is one.
    pub fn its_redis(&self) -> &Redis {
        self.redis.as_ref().expect("a world with a Redis")
    }

    /// The Redis, to be killed and launched.
    pub fn its_redis_mut(&mut self) -> &mut Redis {
        self.redis.as_mut().expect("a world with a Redis")
    }

    /// Ends everything; no handler may have panicked.
    pub async fn stop(self) {
        drop(self.clients);
        for server in self.servers {
            server.stop().await;
        }
    }
}

/// A test that runs twice: in memory, and on two replicas with one Redis.
///
/// ```text
/// on_each_store! {
///     async fn a_sentence_that_says_what_holds(world: &World) { .. }
/// }
/// ```
#[macro_export]
macro_rules! on_each_store {
    ($(async fn $name:ident($world:ident: $World:ty) $body:block)+) => {
        $(mod $name {
            #[allow(unused_imports, reason = "what the tests around it use")]
            use super::*;

            async fn the_test($world: $World) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn in_memory() {
                let world = $crate::World::memory().await;
                the_test(&world).await;
                world.stop().await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_two_replicas_with_redis() {
                let world = $crate::World::redis().await;
                the_test(&world).await;
                world.stop().await;
            }
        })+
    };
}
