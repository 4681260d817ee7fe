//! Cards as text, and packs as tests want them.

use sedma_proto::v1;

const RANKS: [(&str, v1::Rank); 8] = [
    ("7", v1::Rank::Seven),
    ("8", v1::Rank::Eight),
    ("9", v1::Rank::Nine),
    ("10", v1::Rank::Ten),
    ("J", v1::Rank::Jack),
    ("Q", v1::Rank::Queen),
    ("K", v1::Rank::King),
    ("A", v1::Rank::Ace),
];
const SUITS: [(&str, v1::Suit); 4] =
    [("c", v1::Suit::Clubs), ("d", v1::Suit::Diamonds), ("h", v1::Suit::Hearts), ("s", v1::Suit::Spades)];
/// Cards in a full hand.
const HAND: usize = 4;

/// The card that a text such as `10h` names.
pub fn card(text: &str) -> v1::Card {
    let (rank, suit) = text.split_at(text.len() - 1);
    let rank = RANKS.iter().find(|(name, _)| *name == rank);
    let suit = SUITS.iter().find(|(name, _)| *name == suit);
    match (rank, suit) {
        (Some((_, rank)), Some((_, suit))) => v1::Card { rank: (*rank).into(), suit: (*suit).into() },
        _ => panic!("{text} is no card of the pack of 32"),
    }
}

/// The cards of a text such as `10h Kd 7c`.
pub fn cards(text: &str) -> Vec<v1::Card> {
    text.split_whitespace().map(card).collect()
}

/// Cards as such a text.
pub fn text<'a>(cards: impl IntoIterator<Item = &'a v1::Card>) -> String {
    let one = |card: &v1::Card| {
        let rank = RANKS.iter().find(|(_, rank)| *rank == card.rank()).expect("a rank of the pack of 32");
        let suit = SUITS.iter().find(|(_, suit)| *suit == card.suit()).expect("a French suit");
        format!("{}{}", rank.0, suit.0)
    };
    cards.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The pack of 32 in canonical order: by suit, then rank.
pub fn canonical() -> Vec<v1::Card> {
    let all = SUITS.iter().flat_map(|suit| RANKS.iter().map(move |rank| (rank, suit)));
    all.map(|((_, rank), (_, suit))| v1::Card { rank: (*rank).into(), suit: (*suit).into() }).collect()
}

/// The whole pack that deals these hands (the first is seat 1's) when `dealer` deals, and leaves this stock, top first.
///
/// What a test does not care about may be left out: a short hand and a short stock are filled up with the cards that
/// nobody asked for, in canonical order.
pub fn pack(dealer: i32, hands: &[&str], stock: &str) -> v1::ScriptedPack {
    let seats = hands.len();
    let mut hands: Vec<Vec<v1::Card>> = hands.iter().map(|hand| cards(hand)).collect();
    let mut stock = cards(stock);
    let wanted: Vec<v1::Card> = hands.iter().flatten().chain(&stock).copied().collect();
    for (at, one) in wanted.iter().enumerate() {
        assert!(!wanted[..at].contains(one), "{} is asked for twice", text([one]));
    }
    let mut rest = canonical().into_iter().filter(|one| !wanted.contains(one));
    for (at, hand) in hands.iter_mut().enumerate() {
        assert!(hand.len() <= HAND, "seat {} can't be dealt {} cards", at + 1, hand.len());
        hand.extend(rest.by_ref().take(HAND - hand.len()));
    }
    stock.extend(rest);
    let after_dealer = usize::try_from(dealer).expect("a seat from 1");
    let dealt = (0..HAND * seats).map(|n| hands[(after_dealer + n) % seats][n / seats]);
    v1::ScriptedPack { cards: dealt.chain(stock).collect() }
}

#[cfg(test)]
mod tests {
    use super::{canonical, card, cards, pack, text};

    #[test]
    fn text_and_cards_are_each_others_reverse() {
        assert_eq!(text(&cards("10h 7c  As")), "10h 7c As");
        assert_eq!(text(&canonical()[..9]), "7c 8c 9c 10c Jc Qc Kc Ac 7d");
    }

    #[test]
    fn a_pack_deals_one_by_one_from_the_seat_after_the_dealer() {
        let pack = pack(4, &["8h Kd 9c As", "10c 9d", "", ""], "7d Jd");
        assert_eq!(pack.cards.len(), 32);
        assert_eq!(text(&pack.cards[..3]), "8h 10c Jc");
        assert_eq!(pack.cards[4], card("Kd"));
        assert_eq!(text(&pack.cards[16..18]), "7d Jd");
    }
}
