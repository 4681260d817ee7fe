//! Redis lost the end of a match whose result was told already: the second end supersedes the first.

use tests::known_deal::{deal, next_play};
use tests::v1::TablePhase;
use tests::views::public;
use tests::{Consumer, Process, Redis};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_end_after_a_rewind_has_a_result_of_its_own_that_supersedes_the_first() {
    let redis = Redis::start();
    let process = Process::redis(&redis).await;
    let platform = process.platform().await;
    let table = deal().to(1).start(&platform).await;
    let keys = |redis: &Redis| -> Vec<String> {
        let code = table.name.trim_start_matches("tables/").to_owned();
        redis.ask(&["KEYS", &format!("[te]:*{code}")]).split_whitespace().map(str::to_owned).collect()
    };
    // All but the last play; what Redis knows then is kept aside.
    loop {
        for key in keys(&redis) {
            redis.ask(&["COPY", &key, &format!("kept:{key}"), "REPLACE"]);
        }
        let (seat, request) = next_play(&table).await;
        table.seat(seat).client.play_card(request).await.unwrap();
        if public(&table.view().await).phase() == TablePhase::Finished {
            break;
        }
    }
    let mut books = Consumer::of(&platform, "books", 60).await;
    let first = books.next().await;
    assert!(books.acknowledge(&first).await);

    for key in keys(&redis) {
        redis.ask(&["COPY", &format!("kept:{key}"), &key, "REPLACE"]);
    }
    assert_eq!(public(&table.view().await).phase(), TablePhase::Playing, "the end is lost");
    let (seat, request) = next_play(&table).await;
    table.seat(seat).client.play_card(request).await.unwrap();
    let second = books.next().await;
    assert_eq!((&second.table, second.revision), (&first.table, first.revision));
    assert_ne!(second.result_id, first.result_id, "the platform knows that the first does not count");
    assert_eq!(second.record_sha256, first.record_sha256, "it was the same play");
    assert!(!books.acknowledge(&first).await, "an old acknowledgement takes nothing away");
    assert!(books.acknowledge(&second).await);
}
