//! Presets as they are listed, described and resolved.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tests::v1;
use v1::game_rules::Game;

use crate::pairs::{PRESETS, pairs};
use crate::script::rules;

/// Columns that a line of a preset's text may have.
const COLUMNS: usize = 100;

async fn preset(client: &tests::Client, name: &str, seats: i32) -> v1::Preset {
    let request = v1::GetPresetRequest { preset: name.to_owned(), seats };
    client.get_preset(request).await.expect("a preset").preset.expect("a preset")
}

fn options(rules: &v1::GameRules) -> &v1::SedmaRules {
    match &rules.game {
        Some(Game::Sedma(options)) => options,
        None => panic!("rules of no game"),
    }
}

/// The field numbers of a message's bytes.
fn fields(mut bytes: &[u8]) -> Vec<u32> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (number, kind) = prost::encoding::decode_key(&mut bytes).expect("a key");
        found.push(number);
        let context = prost::encoding::DecodeContext::default();
        prost::encoding::skip_field(kind, number, &mut bytes, context).expect("a field");
    }
    found
}

/// Every option that the contract has: its number and its name. Those of one choice count once.
fn contract() -> Vec<(u32, String)> {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let file = set.file.iter().find(|file| file.name() == "sedma/v1/rules.proto").unwrap();
    let message = file.message_type.iter().find(|message| message.name() == "SedmaRules").unwrap();
    let raw = |name: &str| name == "raw_points";
    message
        .field
        .iter()
        .filter(|field| !raw(field.name()))
        .map(|field| (u32::try_from(field.number()).unwrap(), field.name().to_owned()))
        .collect()
}

on_a_server! {
    async fn every_preset_is_listed_once_the_default_first(client: &Client) {
        let listed = client.list_presets(v1::ListPresetsRequest {}).await.unwrap().presets;
        let told: Vec<(&str, &[i32])> = listed.iter().map(|one| (one.name.as_str(), one.seat_counts.as_slice())).collect();
        assert_eq!(told[0].0, "classic");
        let sorted = |mut names: Vec<(String, Vec<i32>)>| { names.sort(); names };
        let owned = |(name, counts): (&str, &[i32])| (name.to_owned(), counts.to_vec());
        assert_eq!(sorted(told.into_iter().map(owned).collect()), sorted(PRESETS.map(owned).to_vec()));
        for one in &listed {
            let largest = *one.seat_counts.last().unwrap();
            assert_eq!(*one, preset(client, &one.name, largest).await, "{}", one.name);
            assert_eq!(*one, preset(client, &one.name, 0).await, "{}", one.name);
        }
    }

    /// No option is left for the client to guess.
    async fn every_option_of_every_pair_is_resolved(client: &Client) {
        let contract = contract();
        assert_eq!(contract.len(), 33);
        for (name, seats) in pairs() {
            let told = preset(client, name, seats).await;
            let rules = told.rules.as_ref().unwrap();
            assert!(!rules.custom, "{name} {seats}");
            let there = fields(&options(rules).encode_to_vec());
            for (number, option) in &contract {
                let raw = option == "tiers" && there.contains(&33);
                assert!(there.contains(number) || raw, "{name} {seats} does not say {option}");
            }
            assert_eq!(options(rules).seats, Some(seats));
            assert_eq!(options(rules).preset, name);
            assert!(!told.source.trim().is_empty(), "{name} {seats}");
        }
    }

    async fn a_bare_preset_validates_as_it_is_listed(client: &Client) {
        for (name, seats) in pairs() {
            let told = preset(client, name, seats).await;
            let game = tests::table::game_rules(rules(name, seats));
            let said = client.validate_rules(v1::ValidateRulesRequest { rules: Some(game) }).await.unwrap();
            assert!(said.valid && !said.custom && said.problems.is_empty(), "{name} {seats}: {said:?}");
            assert_eq!((said.rules, said.text), (told.rules.clone(), told.text), "{name} {seats}");
            // What was resolved says the same when it is asked for again.
            let again = client.validate_rules(v1::ValidateRulesRequest { rules: told.rules.clone() }).await.unwrap();
            assert_eq!((again.rules, again.custom), (told.rules, false), "{name} {seats}");
        }
    }

    async fn every_pair_has_a_text_of_its_own_to_learn_it_from(client: &Client) {
        let mut texts: Vec<String> = Vec::new();
        for (name, seats) in pairs() {
            let text = preset(client, name, seats).await.text;
            assert!(text.len() > 200, "{name} {seats}: {text}");
            assert!(!texts.contains(&text), "{name} {seats} reads as another preset does");
            texts.push(text);
        }
    }

    async fn a_text_fits_a_page(client: &Client) {
        for (name, seats) in pairs() {
            let text = preset(client, name, seats).await.text;
            for line in text.lines() {
                assert!(line.chars().count() <= COLUMNS, "{name} {seats}: {line}");
                assert!(!line.ends_with(' ') && !line.chars().any(char::is_control), "{name} {seats}: {line:?}");
            }
        }
    }
}
