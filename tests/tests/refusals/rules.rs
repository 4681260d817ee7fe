//! Presets, rules and scores: what is asked about them and cannot be answered.

use tests::v1::{self, ErrorReason as Reason};
use tests::{Server, cards, request_id};

use crate::fields::check;
use crate::law::{refused, refused_field};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn presets_that_are_not_there() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let ask = async |preset: &str, seats| {
        client.get_preset(v1::GetPresetRequest { preset: preset.to_owned(), seats }).await
    };
    refused_field(ask("whist", 0).await, Reason::RulesInvalid, "preset");
    refused_field(ask(&"x".repeat(10_000), 0).await, Reason::RulesInvalid, "preset");
    refused_field(ask("classic", -1).await, Reason::InvalidField, "seats");
    for seats in [2, 3, 5, 260] {
        refused_field(ask("classic", seats).await, Reason::RulesInvalid, "seats");
    }
    assert_eq!(ask("", 0).await.unwrap().preset.unwrap().name, "classic");
    assert_eq!(ask("two", 2).await.unwrap().preset.unwrap().name, "two");
    server.stop().await;
}

/// A client of a later release may ask for a game that this server doesn't know: it must not get another one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_of_no_game() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let none = Some(v1::GameRules::default());
    let request = v1::CreateTableRequest {
        request_id: request_id(),
        rules: none.clone(),
        ..v1::CreateTableRequest::default()
    };
    refused(client.create_table(request).await, Reason::InvalidField);
    refused(client.validate_rules(v1::ValidateRulesRequest { rules: none }).await, Reason::InvalidField);
    let absent = client.validate_rules(v1::ValidateRulesRequest { rules: None }).await;
    refused_field(absent, Reason::InvalidField, "rules");
    server.stop().await;
}

/// Seat 1 leads every trick and takes it.
fn a_deal() -> v1::ScoreDealRequest {
    let trick = |text: &str| v1::ScoredTrick {
        plays: (1..).zip(cards(text)).map(|(seat, card)| play(seat, card)).collect(),
    };
    v1::ScoreDealRequest {
        tricks: tests::deals::EVERY_TRICK.into_iter().map(trick).collect(),
        ..v1::ScoreDealRequest::default()
    }
}

fn play(seat: i32, card: v1::Card) -> v1::Play {
    v1::Play { seat, card: Some(card), ..v1::Play::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deals_that_were_never_played() {
    let server = Server::memory().await;
    let client = server.platform().await;
    check(
        async |request| client.score_deal(request).await,
        &a_deal(),
        &[
            ("burned_hand_seat", |r| r.burned_hand_seat = 5),
            ("burned_hand_seat", |r| r.burned_hand_seat = -1),
            ("burned_hand_seat", |r| r.burned_hand_seat = 1),
            ("tricks", |r| r.tricks.clear()),
            ("tricks", |r| r.tricks = vec![r.tricks[0].clone(); 27]),
            ("tricks[0].plays", |r| r.tricks[0].plays = vec![play(1, cards("7c")[0]); 53]),
            ("tricks[2].plays[1].seat", |r| r.tricks[2].plays[1].seat = 0),
            ("tricks[2].plays[1].seat", |r| r.tricks[2].plays[1].seat = 5),
            ("tricks[2].plays[1].card", |r| r.tricks[2].plays[1].card = None),
            ("tricks[2].plays[1].card.rank", |r| r.tricks[2].plays[1].card.as_mut().unwrap().rank = 0),
            ("tricks[2].plays[1].card.suit", |r| r.tricks[2].plays[1].card.as_mut().unwrap().suit = 8),
            ("tricks[2].plays[1]", |r| r.tricks[2].plays[1].seat = 3),
            ("tricks[2].plays[1]", |r| r.tricks[2].plays[1].card = Some(cards("7c")[0])),
            ("tricks[2].plays[1]", |r| {
                r.tricks[2].plays[1].card.as_mut().unwrap().rank = v1::Rank::Six.into();
            }),
            ("tricks[2].plays[1]", |r| r.tricks[2].plays[1].announced_marriage = true),
            ("tricks[2].plays", |r| r.tricks[2].plays.truncate(3)),
            ("tricks[2].plays", |r| r.tricks[2].plays.clear()),
            ("tricks[2].plays[4]", |r| r.tricks[2].plays.push(play(1, cards("8c")[0]))),
            ("tricks[1].plays[0]", |r| {
                (1..).zip(&mut r.tricks[1].plays).for_each(|(n, p)| p.seat = n % 4 + 1);
            }),
            ("tricks", |r| r.tricks.truncate(7)),
            ("tricks[8].plays[0]", |r| r.tricks.push(r.tricks[0].clone())),
        ],
    )
    .await;
    server.stop().await;
}
