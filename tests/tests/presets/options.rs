//! Every option with every value: it is resolved, it is custom exactly when it differs, and a table keeps it.

use std::collections::BTreeSet;

use prost::Message as _;
use prost_types::field_descriptor_proto::Type;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use tests::table::game_rules;
use tests::views::public;
use tests::{Client, NewTable, Table, request_id, v1};
use v1::SedmaRules as Rules;
use v1::game_rules::Game;

use crate::script::rules;
use crate::values::{CASES, Case, change, wild};

/// The rules of the preset, resolved, with the same change made to them: what the changed rules must be.
async fn expected(client: &Client, case: &Case) -> (Rules, bool) {
    let request = v1::GetPresetRequest { preset: case.preset.to_owned(), seats: case.seats };
    let preset = client.get_preset(request).await.unwrap().preset.unwrap();
    let Some(Game::Sedma(resolved)) = preset.rules.unwrap().game else { panic!("no rules") };
    let mut changed = resolved.clone();
    change(case, &mut changed);
    // A soloist's card is always among the wild ones.
    let (before, now) = (soloists_card(&resolved), soloists_card(&changed));
    let wild_cards = &mut changed.wild_cards.as_mut().unwrap().cards;
    wild_cards.retain(|card| Some(*card) != before && Some(*card) != now);
    wild_cards.extend(now);
    // Lists come in order, whatever the order they were asked for in.
    changed.wild_ranks.as_mut().unwrap().ranks.sort_unstable();
    changed.wild_cards.as_mut().unwrap().cards.sort_by_key(|card| (card.suit, card.rank));
    let differs = changed != resolved;
    (changed, differs)
}

/// The card whose holder plays alone, where the rules have one.
fn soloists_card(rules: &Rules) -> Option<v1::Card> {
    let card = match rules.soloist_card() {
        v1::SoloistCard::KingOfLeaves => "Ks",
        _ => "Kh",
    };
    (rules.partnership() == v1::Partnership::SecretSoloist).then(|| tests::card(card))
}

fn asked(case: &Case) -> Rules {
    let mut asked = rules(case.preset, case.seats);
    change(case, &mut asked);
    asked
}

fn custom(rules: Rules, custom: bool) -> v1::GameRules {
    v1::GameRules { custom, ..game_rules(rules) }
}

/// A table with these rules, and what everybody who looks at it is told they are.
async fn shown(client: &Client, rules: Rules, seats: i32) -> (Table, Vec<Option<v1::GameRules>>) {
    let mut new = NewTable::with_rules(rules, seats);
    new.request.script = None;
    let created = client.create_table(new.request).await.expect("a table with these rules");
    let name = public(created.view.as_ref().unwrap()).name.clone();
    let seats = created.seat_tokens.iter().map(|token| tests::Seat::new(client, &name, token)).collect();
    let table = Table { platform: client.clone(), name, seats };
    let mut watch = table.seat(1).watch().await;
    let snapshot = watch.snapshot().await;
    table.revoke(2).await;
    let after = watch.update().await.after.unwrap();
    let views = [created.view.unwrap(), snapshot, after];
    let told = views.iter().map(|view| public(view).rules.clone()).collect();
    (table, told)
}

on_a_server! {
    async fn every_value_is_resolved_and_kept(client: &Client) {
        for case in CASES {
            let (expected, differs) = expected(client, case).await;
            let expected = Some(custom(expected, differs));
            let rules = Some(game_rules(asked(case)));
            let said = client.validate_rules(v1::ValidateRulesRequest { rules }).await.unwrap();
            let told = (said.valid, &said.rules, said.custom, said.problems.as_slice());
            assert_eq!(told, (true, &expected, differs, [].as_slice()), "{} {}", case.option, case.value);

            let (table, told) = shown(client, asked(case), case.seats).await;
            for rules in told {
                assert_eq!(rules, expected, "{} {}", case.option, case.value);
            }
            table.close().await;
            let request = v1::CreateRematchRequest { name: table.name, request_id: request_id() };
            let rematch = client.create_rematch(request).await.unwrap();
            assert_eq!(public(rematch.view.as_ref().unwrap()).rules, expected, "{} {}", case.option, case.value);
        }
    }

    /// An enum's zero is an absent option, and what a request says of `custom` is not read.
    async fn nothing_said_is_the_presets_value(client: &Client) {
        let zeros = Rules {
            tie: Some(0),
            pack: Some(0),
            partnership: Some(0),
            soloist_card: Some(0),
            direction: Some(0),
            wild_led: Some(0),
            continuation: Some(0),
            continuation_condition: Some(0),
            draw_timing: Some(0),
            draw_order: Some(0),
            burned_hand: Some(0),
            forced_match: Some(0),
            forced_match_scope: Some(0),
            card_points: Some(0),
            sweep_points_rule: Some(0),
            dealer_rotation: Some(0),
            ..Rules::default()
        };
        for (preset, seats) in crate::pairs::pairs() {
            let bare = rules(preset, seats);
            let asked = Rules { preset: bare.preset.clone(), seats: bare.seats, ..zeros.clone() };
            let rules = |rules| v1::ValidateRulesRequest { rules: Some(rules) };
            let [zeros, bare] = [custom(asked, true), custom(bare, false)].map(rules);
            let (zeros, bare) = (client.validate_rules(zeros).await.unwrap(), client.validate_rules(bare).await.unwrap());
            assert_eq!((zeros.rules, zeros.custom), (bare.rules, false), "{preset} {seats}");
        }
    }

    async fn no_seats_are_the_most_and_no_preset_is_classic(client: &Client) {
        let validate = async |rules: Rules| {
            let rules = Some(game_rules(rules));
            client.validate_rules(v1::ValidateRulesRequest { rules }).await.unwrap().rules.unwrap()
        };
        let largest = validate(Rules { preset: "septica".to_owned(), ..Rules::default() }).await;
        assert_eq!(largest, validate(rules("septica", 4)).await);
        assert_eq!(validate(Rules::default()).await, validate(rules("classic", 4)).await);
        let twice = Rules { wild_ranks: Some(wild(&[v1::Rank::Seven, v1::Rank::Seven])), ..rules("classic", 4) };
        assert_eq!(validate(twice).await, validate(rules("classic", 4)).await, "a list is a set");
    }
}

fn rules_proto() -> (FileDescriptorProto, FileDescriptorProto) {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let file = |name: &str| set.file.iter().find(|file| file.name() == name).unwrap().clone();
    (file("sedma/v1/rules.proto"), file("sedma/v1/rule_options.proto"))
}

/// The contract names every option and every value of a choice; the cases must have them all.
#[test]
fn no_option_and_no_value_is_left_out() {
    let (rules, options) = rules_proto();
    let message = rules.message_type.iter().find(|message| message.name() == "SedmaRules").unwrap();
    let mut wanted: BTreeSet<(String, String)> = BTreeSet::new();
    let mut named: BTreeSet<String> = BTreeSet::new();
    for field in message.field.iter().filter(|field| field.name() != "preset") {
        named.insert(field.name().to_owned());
        if field.r#type() == Type::Enum {
            let kind = field.type_name().rsplit('.').next().unwrap();
            let values = &options.enum_type.iter().find(|one| one.name() == kind).unwrap().value;
            let given = values.iter().filter(|value| value.number() != 0);
            wanted.extend(given.map(|value| (field.name().to_owned(), value.name().to_owned())));
        }
    }
    let tried: BTreeSet<(String, String)> =
        CASES.iter().map(|case| (case.option.to_owned(), case.value.to_owned())).collect();
    assert_eq!(wanted.difference(&tried).collect::<Vec<_>>(), Vec::<&(String, String)>::new());
    let options: BTreeSet<String> = CASES.iter().map(|case| case.option.to_owned()).collect();
    assert_eq!(options, named);
    assert_eq!(tried.len(), CASES.len(), "a case comes twice");
}
