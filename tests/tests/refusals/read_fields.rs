//! `INVALID_FIELD` in what is only read: tables, watches, listings, scores.

use tests::{card, v1};

use crate::fields::{check, playing, world};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads() {
    let (server, client, mut bystander) = world().await;
    let table = playing(&client).await;
    let good = v1::GetTableRequest { name: table.name.clone(), min_revision: Some(1), seats: vec![1, 2] };
    check(
        async |request| client.get_table(request).await,
        &good,
        &[
            ("min_revision", |r| r.min_revision = Some(-1)),
            ("seats[0]", |r| r.seats[0] = 0),
            ("seats[1]", |r| r.seats[1] = 5),
            ("seats[1]", |r| r.seats[1] = -1),
        ],
    )
    .await;
    let good = v1::GetScoreRequest { name: table.name.clone(), min_revision: Some(1) };
    check(
        async |request| client.get_score(request).await,
        &good,
        &[("min_revision", |r| {
            r.min_revision = Some(i64::MIN);
        })],
    )
    .await;
    let good = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        history: vec![1; 8].into(),
        seats: vec![2],
        omit_view: true,
    };
    check(
        async |request| client.watch_table(request).await,
        &good,
        &[
            ("after_revision", |r| r.after_revision = Some(-1)),
            ("history", |r| r.history = vec![1; 7].into()),
            ("history", |r| r.history = vec![1; 9].into()),
            ("history", |r| r.after_revision = None),
            ("seats[0]", |r| r.seats[0] = 0),
            ("seats[0]", |r| r.seats[0] = 5),
        ],
    )
    .await;
    let good = v1::ListUpdatesRequest {
        name: table.name.clone(),
        after_revision: 1,
        seats: vec![2],
        page_size: 3,
        ..v1::ListUpdatesRequest::default()
    };
    check(
        async |request| client.list_updates(request).await,
        &good,
        &[
            ("name", |r| r.name = "tables/none".into()),
            ("after_revision", |r| r.after_revision = -1),
            ("history", |r| r.history = vec![1; 7].into()),
            ("seats[0]", |r| r.seats[0] = 0),
            ("seats", |r| r.seats[0] = 4),
            ("page_size", |r| r.page_size = -1),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listings() {
    let (server, client, mut bystander) = world().await;
    for _ in 0..2 {
        playing(&client).await;
    }
    let first =
        v1::ListTablesRequest { page_size: 1, preset: "two".into(), ..v1::ListTablesRequest::default() };
    let page = client.list_tables(first.clone()).await.unwrap();
    let good = v1::ListTablesRequest { page_token: page.next_page_token, ..first };
    check(
        async |request| client.list_tables(request).await,
        &good,
        &[
            ("page_size", |r| r.page_size = -1),
            ("page_token", |r| r.page_token = "garbled".into()),
            ("page_token", |r| r.page_token.push('A')),
            ("page_token", |r| r.preset = "classic".into()),
            ("phase", |r| r.phase = 99),
            ("phase", |r| r.phase = -1),
            ("preset", |r| r.preset = "x".repeat(65)),
            ("player_id", |r| r.player_id = "x".repeat(65)),
            ("player_id", |r| r.player_id = "\u{7f}".into()),
            ("external_ref", |r| r.external_ref = "x".repeat(65)),
            ("label_key", |r| r.label_key = "x".repeat(65)),
            ("label_value", |r| r.label_value = "without a key".into()),
            ("label_value", |r| (r.label_key = "key".into(), r.label_value = "x".repeat(65)).1),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scores() {
    let (server, client, mut bystander) = world().await;
    let play = |seat, text| v1::Play { seat, card: Some(card(text)), ..v1::Play::default() };
    let plays = vec![play(1, "9c"), play(2, "Ac"), play(3, "9d"), play(4, "Kc")];
    let good = v1::ScoreTrickRequest { rules: None, plays, last_trick: false };
    check(
        async |request| client.score_trick(request).await,
        &good,
        &[
            ("plays[1].seat", |r| r.plays[1].seat = 0),
            ("plays[1].seat", |r| r.plays[1].seat = 5),
            ("plays[1].seat", |r| r.plays[1].seat = -1),
            ("plays[1].card", |r| r.plays[1].card = None),
            ("plays[2].card.suit", |r| r.plays[2].card.as_mut().unwrap().suit = 0),
            ("plays[2].card.rank", |r| r.plays[2].card.as_mut().unwrap().rank = 0),
            ("plays[3]", |r| r.plays[3].seat = 3),
            ("plays[3]", |r| r.plays[3].card = Some(card("9c"))),
            ("plays[3]", |r| r.plays[3].card.as_mut().unwrap().rank = v1::Rank::Two.into()),
            ("plays[3]", |r| r.plays[3].announced_marriage = true),
            ("plays", |r| r.plays.truncate(3)),
            ("plays", |r| r.plays.clear()),
            ("plays[4]", |r| r.plays.push(r.plays[0])),
            ("plays", |r| r.plays = vec![r.plays[0]; 53]),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}
