//! What is stored and hashed: bytes and texts go round, damage is found, sizes and layouts stay.

use sedma_rules::{Action, Card, Deal, Event, Fact, Match, Preset, Rank, RuleOptions, Seat, Suit};

use crate::chance::{every_preset, play_deals, rules};

fn bytes(game: &Match) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.encode(&mut bytes);
    bytes
}

fn fact_bytes(fact: &Fact) -> Vec<u8> {
    let mut bytes = Vec::new();
    fact.encode(&mut bytes);
    bytes
}

#[test]
fn a_deal_is_small_enough_to_copy() {
    assert!(size_of::<Deal>() <= 128, "{}", size_of::<Deal>());
    assert_eq!(size_of::<Option<Seat>>(), 1);
}

#[test]
fn every_state_and_fact_goes_round_in_bytes_and_in_text() {
    let mut largest = 0;
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        play_deals(&rules, 3, 30, |_, fact, game| {
            let stored = bytes(game);
            largest = largest.max(stored.len());
            assert_eq!(Match::decode(&stored).as_ref(), Ok(game));
            assert_eq!(game.to_string().parse::<Match>().as_ref(), Ok(game), "{game}");
            let mut stored = &fact_bytes(fact)[..];
            assert_eq!(Fact::decode(&mut stored).as_ref(), Ok(fact));
            assert!(stored.is_empty());
            assert_eq!(fact.to_string().parse::<Fact>().as_ref(), Ok(fact), "{fact}");
            for seat in Seat::first(seats) {
                for action in game.legal_actions(&rules, seat).iter() {
                    assert_eq!(action.to_string().parse::<Action>(), Ok(action));
                }
            }
        });
    }
    println!("a deal has {} bytes, the largest stored state {largest}", size_of::<Deal>());
    assert!(largest <= 200, "{largest}");
}

#[test]
fn facts_alone_lead_to_the_same_state() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut log: Vec<u8> = Vec::new();
        let mut last = Match::new(&rules);
        play_deals(&rules, 4, 1, |_, fact, after| {
            fact.encode(&mut log);
            last = after.clone();
        });
        let mut replayed = Match::new(&rules);
        let mut log = &log[..];
        while !log.is_empty() {
            replayed.evolve(&Fact::decode(&mut log).unwrap()).unwrap();
        }
        assert_eq!(replayed, last);
        assert_eq!(bytes(&replayed), bytes(&last));
    }
}

#[test]
fn facts_are_short() {
    let card = Card::new(Rank::Ten, Suit::Hearts);
    let len = |fact: &Fact| fact_bytes(fact).len();
    let played = Fact::CardPlayed { seat: Seat::Four, card, from_stock: true, marriage_points: 40 };
    assert_eq!(len(&played), 3);
    assert_eq!(len(&Fact::RoundEnded), 1);
    assert_eq!(len(&Fact::TrickWon { seat: Seat::One, points: 40, cards: 16 }), 4);
    assert_eq!(len(&Fact::Drawn { first: Seat::Two, cards: 4 }), 3);
    let rules = rules(Preset::Classic, 4);
    let pack = rules.canonical_pack();
    let dealt = Fact::Dealt { deal: 1, dealer: Seat::Four, leader: Seat::One, hand_size: 4, pack };
    assert_eq!(len(&dealt), 6 + 32);
}

/// The layouts themselves. A change here breaks every stored table: write a new format beside the old one
/// instead.
#[test]
fn layouts_stay() {
    let golden = [
        ("play 4 10h blind marriage 40", vec![3, 34, 4 | 8 | 4 << 4]),
        ("play 1 7c", vec![3, 5, 1]),
        ("exchange 1 yes", vec![2, 1, 1]),
        ("round", vec![4]),
        ("aside", vec![5]),
        ("trick 3 points 10 cards 4", vec![6, 3, 10, 4]),
        ("draw 3 cards 4", vec![7, 3, 4]),
        (
            "end win bonus 10 last 4 side 13 points 70 tricks 7 game 1 side 24 points 20 tricks 1 game 0",
            vec![8, 2, 10, 4 | 2 << 4, 5, 70, 7, 1, 10, 20, 1, 0],
        ),
        ("match 13", vec![9, 5]),
    ];
    for (text, bytes) in golden {
        let fact: Fact = text.parse().unwrap();
        assert_eq!(fact.to_string(), text);
        assert_eq!(fact_bytes(&fact), bytes, "{text}");
    }
    let mut game = Match::new(&rules(Preset::Two, 2));
    assert_eq!(bytes(&game), [1, 2, 0, 0, 0, 0, 0]);
    assert_eq!(game.to_string(), "seats 2 pairs no; scores 0 0; winners -");
    let pack = rules(Preset::Two, 2).canonical_pack();
    game.evolve(&Fact::Dealt { deal: 1, dealer: Seat::One, leader: Seat::Two, hand_size: 4, pack }).unwrap();
    let stored = bytes(&game);
    assert_eq!(stored[..15], [1, 2 | 32, 0, 0, 0, 0, 0, 1, 0, 1 | 2 << 4, 0, 0, 0, 8, 32]);
    assert_eq!(stored.len(), 15 + 24 + 2 * 7 + 2 * 3 + 4);
}

/// FNV-1a over everything that was stored, so that one number stands for many layouts.
fn fingerprint(of: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(of, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// All states and facts of a few deals of every preset, and the rules they are played by.
#[test]
fn fingerprints_stay() {
    let (mut states, mut facts, mut options, mut texts) = (EMPTY, EMPTY, EMPTY, EMPTY);
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut stored = Vec::new();
        rules.options().encode(&mut stored);
        options = fingerprint(options, &stored);
        play_deals(&rules, 12, 3, |_, fact, game| {
            states = fingerprint(states, &bytes(game));
            facts = fingerprint(facts, &fact_bytes(fact));
            texts = fingerprint(texts, game.to_string().as_bytes());
        });
    }
    let known = [0x2f45_b658_8f7c_c9aa, 0x1aa9_9f7f_2ab8_36b5, 0xd6ff_aae3_dc1e_d03a, 0x4203_4388_d081_7200];
    assert_eq!([states, facts, options, texts], known);
}

#[test]
fn options_go_round() {
    for (preset, seats) in every_preset() {
        let options = preset.options(seats);
        let mut stored = Vec::new();
        options.encode(&mut stored);
        assert_eq!(RuleOptions::decode(&stored), Ok(options));
        for len in 0..stored.len() {
            assert!(RuleOptions::decode(&stored[..len]).is_err());
        }
        stored.push(0);
        assert!(RuleOptions::decode(&stored).is_err());
    }
}

/// Cut, lengthened or changed bytes never panic; what is taken for a state can be written again.
#[test]
fn damaged_states_are_found_or_harmless() {
    let rules = rules(Preset::Classic, 4);
    let mut states = Vec::new();
    play_deals(&rules, 6, 1, |_, _, game| states.push(bytes(game)));
    for state in states.iter().step_by(7) {
        for len in 0..state.len() {
            assert!(Match::decode(&state[..len]).is_err(), "cut at {len}");
        }
        for at in 0..state.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                let mut damaged = state.clone();
                damaged[at] ^= flip;
                if let Ok(game) = Match::decode(&damaged) {
                    use_somehow(&rules, &game);
                }
            }
        }
    }
}

fn use_somehow(rules: &sedma_rules::Rules, game: &Match) {
    let everybody = sedma_rules::SeatSet::all(game.seats());
    let _ = game.view(rules, everybody);
    let mut events: Vec<Event> = Vec::new();
    game.events(&Fact::Drawn { first: Seat::One, cards: 200 }, everybody, &mut events);
    if let Some(seat) = game.turn() {
        for action in game.legal_actions(rules, seat).iter() {
            let mut facts = Vec::new();
            let mut after = game.clone();
            if game.act(rules, seat, action, &mut facts).is_ok() {
                let _ = facts.iter().try_for_each(|fact| after.evolve(fact));
            }
        }
    }
}

#[test]
fn facts_that_cannot_be_are_reported_and_change_nothing() {
    let mut game = Match::new(&rules(Preset::Classic, 4));
    let pack = rules(Preset::Classic, 4).canonical_pack();
    let dealt = |deal| Fact::Dealt { deal, dealer: Seat::Four, leader: Seat::One, hand_size: 4, pack };
    let card = |text: &str| text.parse::<Fact>().unwrap();
    assert!(game.evolve(&card("play 1 7c")).is_err(), "nothing is dealt");
    assert!(game.evolve(&dealt(2)).is_err(), "the first deal is number 1");
    game.evolve(&dealt(1)).unwrap();
    let before = game.clone();
    for nonsense in [
        "play 1 8c",
        "play 2 8c",
        "play 1 2c",
        "round",
        "aside",
        "trick 1 points 0 cards 4",
        "draw 1 cards 17",
        "play 1 9h blind",
        "exchange 2 yes",
    ] {
        assert!(game.evolve(&card(nonsense)).is_err(), "{nonsense}");
        assert_eq!(game, before);
    }
    assert!(game.evolve(&dealt(2)).is_err(), "a deal is running");
}
