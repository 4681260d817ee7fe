//! Options that are no options, and options that make no rules: each is named by its path, at every door.

use prost::Message as _;
use prost_types::field_descriptor_proto::Type;
use prost_types::{FieldDescriptorProto, FileDescriptorSet};
use tests::table::game_rules;
use tests::v1::{self, ErrorReason as Reason, SedmaRules as Rules, sedma_rules::DealScore};
use tests::{Client, Server, cards, request_id};

use crate::law::refused_field;

/// Asks for these rules at every door that takes some: each must name the same option.
async fn refused_everywhere(client: &Client, rules: &Rules, why: Reason, option: &str) {
    let game = Some(game_rules(rules.clone()));
    let create = v1::CreateTableRequest {
        request_id: request_id(),
        rules: game.clone(),
        ..v1::CreateTableRequest::default()
    };
    refused_field(client.create_table(create).await, why, &format!("rules.sedma.{option}"));
    let trick = v1::ScoreTrickRequest { rules: Some(rules.clone()), ..v1::ScoreTrickRequest::default() };
    refused_field(client.score_trick(trick).await, why, &format!("rules.{option}"));
    let deal = v1::ScoreDealRequest { rules: Some(rules.clone()), ..v1::ScoreDealRequest::default() };
    refused_field(client.score_deal(deal).await, why, &format!("rules.{option}"));

    let said = client.validate_rules(v1::ValidateRulesRequest { rules: game }).await.expect("an answer");
    assert!(!said.valid && said.rules.is_none() && said.text.is_empty() && !said.custom, "{said:?}");
    let problems: Vec<&str> = said.problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(problems, [format!("rules.sedma.{option}")]);
    assert!(said.problems[0].description.split(' ').count() >= 3, "{said:?}");
}

/// The options that are fields of this type.
fn options(kind: Type) -> Vec<FieldDescriptorProto> {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let file = set.file.into_iter().find(|file| file.name() == "sedma/v1/rules.proto").unwrap();
    let message = file.message_type.into_iter().find(|message| message.name() == "SedmaRules").unwrap();
    message.field.into_iter().filter(|field| field.r#type() == kind).collect()
}

/// The rules of `classic` with this number in this field, whatever the field is.
fn with_number(field: &FieldDescriptorProto, number: i64) -> Rules {
    let mut bytes = Rules { preset: "classic".to_owned(), ..Rules::default() }.encode_to_vec();
    prost::encoding::encode_varint(u64::try_from(field.number() << 3).unwrap(), &mut bytes);
    prost::encoding::encode_varint(number.cast_unsigned(), &mut bytes);
    Rules::decode(bytes.as_slice()).expect("rules")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_that_name_no_choice() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let choices = options(Type::Enum);
    assert_eq!(choices.len(), 16);
    for field in &choices {
        for number in [99, -1, i64::from(i32::MAX), i64::from(i32::MIN)] {
            let rules = with_number(field, number);
            refused_everywhere(&client, &rules, Reason::InvalidField, field.name()).await;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_beyond_their_bounds() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let most = |option: &str| match option {
        "match_target" => 1_000,
        "stop_at_points" | "win_threshold" => 170,
        "last_trick_bonus" => 90,
        "hand_size" => 8,
        "seats" | "max_same_rank_leads" => 4,
        other => panic!("{other} has no bound here"),
    };
    for field in options(Type::Int32) {
        for number in [-1, most(field.name()) + 1, i64::from(i32::MAX), i64::from(i32::MIN)] {
            let rules = with_number(&field, number);
            refused_everywhere(&client, &rules, Reason::InvalidField, field.name()).await;
        }
    }
    server.stop().await;
}

type Spoil = fn(&mut Rules);

/// What is no value of a field within an option.
const NO_VALUES: [(&str, Spoil); 12] = [
    ("last_trick_bonus", |r| r.last_trick_bonus = Some(15)),
    ("wild_ranks.ranks[1]", |r| r.wild_ranks = Some(v1::RankList { ranks: vec![7, 0] })),
    ("wild_ranks.ranks[0]", |r| r.wild_ranks = Some(v1::RankList { ranks: vec![v1::Rank::Knight.into()] })),
    ("wild_cards.cards[0].suit", |r| {
        r.wild_cards = Some(v1::CardList { cards: vec![v1::Card { rank: 7, suit: v1::Suit::Coins.into() }] });
    }),
    ("wild_cards.cards[0].rank", |r| {
        r.wild_cards = Some(v1::CardList { cards: vec![v1::Card { rank: 0, suit: 1 }] });
    }),
    ("marriage_forty.suit", |r| r.marriage_forty = Some(v1::MarriageForty { suit: 9 })),
    ("marriage_forty.suit", |r| {
        r.marriage_forty = Some(v1::MarriageForty { suit: v1::Suit::Cups.into() });
    }),
    ("tiers.win", |r| r.deal_score = Some(tiers([101, 101, 101, 4, 1]))),
    ("tiers.sweep_cards", |r| r.deal_score = Some(tiers([1, 2, 101, 4, 1]))),
    ("tiers.burned_trick", |r| r.deal_score = Some(tiers([1, 2, 3, 4, -1]))),
    ("raw_points.all_tricks_bonus", |r| r.deal_score = Some(raw_points(101))),
    ("raw_points.all_tricks_bonus", |r| r.deal_score = Some(raw_points(-1))),
];

fn tiers([win, sweep_points, sweep_cards, burned_hand, burned_trick]: [i32; 5]) -> DealScore {
    DealScore::Tiers(v1::DealTiers { win, sweep_points, sweep_cards, burned_hand, burned_trick })
}

fn raw_points(all_tricks_bonus: i32) -> DealScore {
    DealScore::RawPoints(v1::RawPoints { all_tricks_bonus })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_that_are_none() {
    let server = Server::memory().await;
    let client = server.platform().await;
    for (path, spoil) in NO_VALUES {
        let mut rules = Rules { preset: "marias_sedma".to_owned(), ..Rules::default() };
        spoil(&mut rules);
        refused_everywhere(&client, &rules, Reason::InvalidField, path).await;
    }
    server.stop().await;
}

/// Options that do not hold together: the preset that they change, the change, the option that is named, and a word of
/// what is said of it. Two reasons of the rules themselves cannot be had here: no request can allow more leads in a row
/// than a rank has cards, and every pack has both kings that make a soloist.
const CONTRADICTIONS: [(&str, i32, &str, &str, Spoil); 22] = [
    ("classic", 3, "seats", "so many", |_| {}),
    ("classic", 4, "hand_size", "4, 6 or 8", |r| r.hand_size = Some(5)),
    ("two", 2, "partnership", "needs seats = 4", |r| {
        r.partnership = Some(v1::Partnership::FixedPairs.into());
    }),
    ("classic", 4, "partnership", "needs seats = 3", |r| {
        r.partnership = Some(v1::Partnership::SecretSoloist.into());
    }),
    ("classic", 4, "pack", "fewer cards", |r| {
        r.pack = Some(v1::PackKind::P24WithSevens.into());
        r.hand_size = Some(8);
    }),
    ("classic", 4, "pack", "share evenly", |r| r.pack = Some(v1::PackKind::P30Minus8And9.into())),
    ("classic", 4, "wild_ranks", "cards of the pack", |r| {
        r.wild_ranks = Some(v1::RankList { ranks: vec![v1::Rank::Two.into()] });
    }),
    ("classic", 4, "wild_cards", "cards of the pack", |r| {
        r.wild_cards = Some(v1::CardList { cards: cards("2c") });
    }),
    ("three_24", 3, "burned_trick", "seats = 3", |r| r.burned_trick = Some(true)),
    ("two", 2, "partner_exchange", "fixed_pairs", |r| r.partner_exchange = Some(true)),
    ("cervena", 2, "continuation", "burned_trick", |r| {
        r.continuation = Some(v1::Continuation::AbeyanceNewLead.into());
    }),
    ("schmierer", 4, "continuation", "forced_match", |r| {
        r.continuation = Some(v1::Continuation::AbeyanceNewLead.into());
    }),
    ("classic", 4, "blind_stock_play", "draw_timing", |r| r.blind_stock_play = Some(true)),
    ("pagat", 4, "blind_stock_play", "continuation", |r| {
        r.blind_stock_play = Some(true);
        r.draw_timing = Some(v1::DrawTiming::AfterEachPlay.into());
    }),
    ("three_red_king", 3, "continuation_condition", "betray", |r| {
        r.continuation_condition = Some(v1::ContinuationCondition::OpponentWinning.into());
    }),
    ("three_red_king", 3, "stop_at_points", "betray", |r| r.stop_at_points = Some(50)),
    ("classic", 4, "marriage_forty", "needs marriages", |r| {
        r.marriage_forty = Some(v1::MarriageForty { suit: v1::Suit::Hearts.into() });
    }),
    ("classic", 4, "win_threshold", "half", |r| r.win_threshold = Some(45)),
    ("classic", 4, "win_threshold", "all of them", |r| r.win_threshold = Some(91)),
    ("classic", 4, "tiers", "must not fall", |r| r.deal_score = Some(tiers([3, 2, 3, 4, 1]))),
    ("cervena", 4, "raw_points", "burned_hand", |r| r.deal_score = Some(raw_points(80))),
    ("pagat", 4, "last_trick_bonus", "255", |r| {
        r.deal_score = Some(raw_points(100));
        r.last_trick_bonus = Some(90);
    }),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_that_do_not_hold_together() {
    let server = Server::memory().await;
    let client = server.platform().await;
    for (preset, seats, option, word, spoil) in CONTRADICTIONS {
        let mut rules = Rules { preset: preset.to_owned(), seats: Some(seats), ..Rules::default() };
        spoil(&mut rules);
        refused_everywhere(&client, &rules, Reason::RulesInvalid, option).await;
        let asked = v1::ValidateRulesRequest { rules: Some(game_rules(rules)) };
        let said = client.validate_rules(asked).await.unwrap().problems.remove(0).description;
        assert!(said.contains(word), "{option}: {said}");
    }
    server.stop().await;
}
