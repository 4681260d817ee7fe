//! Every preset and every option, as a client sees them: worked examples by their numbers, judged and played, whole
//! matches, and what the contract says of rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

/// Tests that each have a server of their own.
macro_rules! on_a_server {
    ($($(#[$doc:meta])* async fn $name:ident($client:ident: &Client) $body:block)+) => {
        $($(#[$doc])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            async fn the_test($client: &tests::Client) $body
            let server = tests::Server::memory().await;
            the_test(&server.platform().await).await;
            server.stop().await;
        })+
    };
}

mod pairs;
mod round;
mod script;

mod bound;
mod burning;
mod continuing;
mod counted;
mod deals;
mod impossible;
mod listed;
mod matches;
mod options;
mod others;
mod record;
mod reported_deals;
mod reported_tables;
mod tricks;
mod values;
mod words;
