//! The harness itself: a trick in each kind of server.

use tests::views::{hand, public};
use tests::{NewTable, Process, World, on_each_store, reason, v1};

on_each_store! {
    async fn a_trick_is_played_and_seen(world: &World) {
        let deal = NewTable::classic().deal(&["8h Kd 9c As", "10c", "", ""], "7d Jd");
        let table = deal.start(world.a()).await;
        let mut watch = table.seat(2).at(world.b()).watch().await;
        let before = watch.snapshot().await;
        assert_eq!(hand(&before, 2), "7c 8c 10c Jc");

        table.play(&["1:8h", "2:10c"]).await;
        let refused = table.seat(2).play("7c").await.unwrap_err();
        assert_eq!(reason(&refused), "NOT_YOUR_TURN");
        let updates = watch.updates_to(public(&before).revision + 2).await;
        assert_eq!(updates[0].actor(), v1::Actor::Player);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_serves_and_ends() {
    let process = Process::memory().await;
    let table = NewTable::two().start(&process.platform().await).await;
    assert!(table.revision().await > 1);
    process.terminate().await;
}
