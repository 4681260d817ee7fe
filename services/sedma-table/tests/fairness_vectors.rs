//! The shuffle that users are told of in proto/FAIRNESS.md, held against the vectors that are published with it. They were
//! made by an implementation in another language.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "where a test can't go on, it fails"
)]

use data_encoding::HEXLOWER;
use sedma_rules::Preset;
use sedma_table::TableId;
use sedma_table::fairness::{Chain, Draw, Link, previous_link};
use sedma_table::limits::MAX_DEALS;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    table: String,
    root: String,
    commitment: String,
    entropies: Vec<String>,
    first_dealer_seat: u8,
    deals: Vec<Deal>,
}

#[derive(Deserialize)]
struct Deal {
    #[serde(rename = "deal")]
    number: u16,
    seed: String,
    pack: Vec<String>,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../proto/fairness_vectors.json");
    serde_json::from_str(text).expect("the vectors are JSON")
}

fn bytes(hex: &str) -> Vec<u8> {
    HEXLOWER.decode(hex.as_bytes()).expect("hex")
}

fn link_of(hex: &str) -> Link {
    Link::new(bytes(hex).try_into().expect("32 bytes"))
}

#[test]
fn the_published_vectors_hold() {
    let vectors = vectors();
    assert!(vectors.len() >= 3);
    for vector in &vectors {
        let table = TableId::from_name(&vector.table).expect("a table's name");
        let root = link_of(&vector.root);
        let chain = Chain::new(table, root);
        assert_eq!(chain.link(0), link_of(&vector.commitment), "commitment of {table}");

        let entropies: Vec<Vec<u8>> = vector.entropies.iter().map(|hex| bytes(hex)).collect();
        let entropies: Vec<&[u8]> = entropies.iter().map(Vec::as_slice).collect();
        let seats = u8::try_from(entropies.len()).expect("few seats");
        for deal in &vector.deals {
            let seed = chain.link(deal.number);
            assert_eq!(seed, link_of(&deal.seed), "seed of deal {}", deal.number);
            let draw = Draw { table, deal: u32::from(deal.number), link: &seed, entropies: &entropies };
            if deal.number == 1 {
                assert_eq!(draw.first_dealer(seats).number(), vector.first_dealer_seat);
            }
            let preset = Preset::ALL.iter().find(|preset| preset.default_seats() == seats).expect("a preset");
            let rules = preset.options(seats).check().expect("rules");
            let mut shuffled = rules.canonical_pack();
            draw.shuffle(&mut shuffled);
            let pack: Vec<String> = shuffled.cards().iter().map(ToString::to_string).collect();
            assert_eq!(pack, deal.pack, "pack of deal {}", deal.number);
        }
    }
}

#[test]
fn every_revealed_link_leads_to_the_one_before() {
    let table = TableId::from_bytes([7; 16]);
    let root = Link::new([9; 32]);
    let chain = Chain::new(table, root);
    assert_eq!(chain.link(MAX_DEALS), root);
    for k in 1..=MAX_DEALS {
        assert_eq!(previous_link(table, u32::from(k), &chain.link(k)), chain.link(k - 1));
    }
}

#[test]
fn a_link_is_never_printed() {
    let link = Link::new([1; 32]);
    assert_eq!(
        format!("{link:?} {:?}", Chain::new(TableId::from_bytes([1; 16]), link)),
        "Link(..) Chain(..)"
    );
}
