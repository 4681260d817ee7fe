//! Tricks and what happens as text, for tests that read like transcripts.

use tests::v1::{self, event::Fact};
use tests::views::{facts, legal};
use tests::{Client, Table, card, reason, refusal};
use tonic::Status;

/// A preset's rules for so many seats.
pub(crate) fn rules(preset: &str, seats: i32) -> v1::SedmaRules {
    v1::SedmaRules { preset: preset.to_owned(), seats: Some(seats), ..v1::SedmaRules::default() }
}

/// A trick that this seat leads, as the text of its cards; `|` between rounds is for the reader, `Kh!` announces.
pub(crate) fn plays(leader: i32, seats: i32, text: &str) -> Vec<v1::Play> {
    let order = (0..).map(|n| (leader - 1 + n) % seats + 1);
    let words = text.split_whitespace().filter(|word| *word != "|");
    let play = |(seat, word): (i32, &str)| v1::Play {
        seat,
        card: Some(card(word.trim_end_matches('!'))),
        announced_marriage: word.ends_with('!'),
        ..v1::Play::default()
    };
    order.zip(words).map(play).collect()
}

/// What `ScoreTrick` says of a trick that seat 1 leads.
pub(crate) async fn judged(client: &Client, rules: v1::SedmaRules, text: &str) -> v1::ScoreTrickResponse {
    let plays = plays(1, rules.seats.expect("a number of seats"), text);
    let request = v1::ScoreTrickRequest { rules: Some(rules), plays, last_trick: false };
    client.score_trick(request).await.unwrap_or_else(|status| panic!("{text}: {status:?}"))
}

/// What `ScoreDeal` says of tricks of one round each; seat 1 leads the first, and winners lead on.
pub(crate) async fn settled(
    client: &Client,
    rules: v1::SedmaRules,
    tricks: &[&str],
) -> v1::ScoreDealResponse {
    settled_from(client, 1, rules, tricks).await.1
}

/// The same where this seat leads the first; answers the plays as well.
pub(crate) async fn settled_from(
    client: &Client,
    first: i32,
    rules: v1::SedmaRules,
    tricks: &[&str],
) -> (Vec<v1::ScoredTrick>, v1::ScoreDealResponse) {
    let (mut leader, mut scored) = (first, Vec::new());
    for text in tricks {
        let plays = plays(leader, rules.seats.expect("a number of seats"), text);
        let request =
            v1::ScoreTrickRequest { rules: Some(rules.clone()), plays: plays.clone(), last_trick: false };
        leader = client.score_trick(request).await.expect("a trick that can be judged").winner_seat;
        scored.push(v1::ScoredTrick { plays });
    }
    let tricks = scored.clone();
    let request = v1::ScoreDealRequest { rules: Some(rules), tricks, ..v1::ScoreDealRequest::default() };
    (scored, client.score_deal(request).await.expect("a deal that can be scored"))
}

/// A deal's tier and sides as text, such as `Win 13:50+1 24:40`: seats, points, and game points that were won.
pub(crate) fn outcome(tier: v1::DealTier, sides: &[v1::SideScore]) -> String {
    let side = |side: &v1::SideScore| {
        let seats: String = side.seats.iter().map(i32::to_string).collect();
        let won = if side.game_points == 0 { String::new() } else { format!("+{}", side.game_points) };
        format!(" {seats}:{}{won}", side.points)
    };
    format!("{tier:?}{}", sides.iter().map(side).collect::<String>())
}

/// What an update tells beside plain plays, one phrase a fact; draws are one phrase together.
pub(crate) fn told(answer: &v1::PlayCardResponse) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let mut drawn: Option<(i32, i32)> = None;
    for fact in facts(answer.update.as_ref().expect("an update")) {
        if let Fact::CardsDrawn(draw) = fact {
            let (first, cards) = drawn.unwrap_or((draw.seat, 0));
            drawn = Some((first, cards + draw.count));
            continue;
        }
        let Some(phrase) = phrase(fact) else { continue };
        phrases.extend(drawn.take().map(|(first, cards)| format!("{first} draws first of {cards}")));
        phrases.push(phrase);
    }
    phrases.extend(drawn.map(|(first, cards)| format!("{first} draws first of {cards}")));
    phrases
}

fn phrase(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Dealt(dealt) => {
            format!("deal {} by {}, led by {}", dealt.deal, dealt.dealer_seat, dealt.leader_seat)
        }
        Fact::HandsExchanged(answer) if answer.exchanged => format!("{} swaps", answer.seat),
        Fact::HandsExchanged(answer) => format!("{} keeps", answer.seat),
        Fact::CardPlayed(played) if played.from_stock => {
            format!("{} plays the unseen {}", played.seat, tests::text(&played.card))
        }
        Fact::CardPlayed(played) if played.announced_marriage => {
            format!("{} announces for {}", played.seat, played.marriage_points)
        }
        Fact::RoundEnded(ended) => format!("{} may go on", ended.leader_seat),
        Fact::TrickSetAside(aside) => format!("{} fights", aside.leader_seat),
        Fact::TrickWon(won) => {
            format!("{} takes {} cards with {} points", won.seat, won.cards.len(), won.points)
        }
        Fact::DealEnded(ended) => outcome(ended.tier(), &ended.sides),
        Fact::MatchEnded(ended) => format!("won by {:?}", ended.winner_seats),
        _ => return None,
    })
}

/// What a seat may do, in one line.
pub(crate) async fn may(table: &Table, seat: i32) -> String {
    legal(&table.seat(seat).view().await, seat).join(" ")
}

/// Asserts that a word of a transcript is refused for this rule, that the refusal says what may be done instead, and
/// that nothing has changed.
pub(crate) async fn forbids(table: &Table, line: &str, rule: v1::BrokenRule) {
    let (seat, word) = table.parse(line);
    let before = seat.view().await;
    let status: Status = seat.act(word).await.expect_err(line);
    assert_eq!(reason(&status), "ILLEGAL_ACTION", "{line}: {status:?}");
    let refusal = refusal(&status);
    assert_eq!(refusal.rule(), rule, "{line}");
    assert_eq!(refusal.legal_actions, before.seats[0].legal_actions, "{line}");
    assert_eq!(seat.view().await, before, "{line}");
}
