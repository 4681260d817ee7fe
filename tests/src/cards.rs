//! Cards as text, and packs as tests want them.

use sedma_proto::v1;

const RANKS: [(&str, v1::Rank); 13] = [
    ("2", v1::Rank::Two),
    ("3", v1::Rank::Three),
    ("4", v1::Rank::Four),
    ("5", v1::Rank::Five),
    ("6", v1::Rank::Six),
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

/// The card that a text such as `10h` names.
pub fn card(text: &str) -> v1::Card {
    let (rank, suit) = text.split_at(text.len() - 1);
    let rank = RANKS.iter().find(|(name, _)| *name == rank);
    let suit = SUITS.iter().find(|(name, _)| *name == suit);
    match (rank, suit) {
        (Some((_, rank)), Some((_, suit))) => v1::Card { rank: (*rank).into(), suit: (*suit).into() },
        _ => panic!("{text} is no French card"),
    }
}

/// The cards of a text such as `10h Kd 7c`.
pub fn cards(text: &str) -> Vec<v1::Card> {
    text.split_whitespace().map(card).collect()
}

/// Cards as such a text.
pub fn text<'a>(cards: impl IntoIterator<Item = &'a v1::Card>) -> String {
    let one = |card: &v1::Card| {
        let rank = RANKS.iter().find(|(_, rank)| *rank == card.rank()).expect("a French rank");
        let suit = SUITS.iter().find(|(_, suit)| *suit == card.suit()).expect("a French suit");
        format!("{}{}", rank.0, suit.0)
    };
    cards.into_iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The pack of 52 in canonical order: by suit, then rank.
pub fn all() -> Vec<v1::Card> {
    Deck::of(v1::PackKind::P52, 4).cards
}

/// The pack of 32 in the same order.
pub fn canonical() -> Vec<v1::Card> {
    Deck::of(v1::PackKind::French32, 4).cards
}

/// The whole pack of 32 that deals these hands of four (the first is seat 1's) when `dealer` deals, and leaves this
/// stock, top first; see [`Deck::pack`].
pub fn pack(dealer: i32, hands: &[&str], stock: &str) -> v1::ScriptedPack {
    Deck::of(v1::PackKind::French32, 4).pack(dealer, hands, stock)
}

/// What is dealt: a pack's cards in canonical order, and how many a full hand has.
#[derive(Clone, Debug)]
pub struct Deck {
    /// The cards.
    pub cards: Vec<v1::Card>,
    /// Cards in a full hand.
    pub hand: usize,
}

impl Deck {
    /// The cards of a kind of pack, dealt so many to a hand.
    pub fn of(kind: v1::PackKind, hand: usize) -> Self {
        use v1::PackKind as Kind;
        let left_out = match kind {
            Kind::P30Minus8And9 => "8d 9d",
            Kind::P30MinusTwo8 => "8c 8d",
            _ => "",
        };
        let ranks: &[&str] = match kind {
            Kind::P24WithSevens => &["7", "10", "J", "Q", "K", "A"],
            Kind::P24WithoutSevens => &["9", "10", "J", "Q", "K", "A"],
            Kind::P52 => &["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"],
            _ => &["7", "8", "9", "10", "J", "Q", "K", "A"],
        };
        let left_out = cards(left_out);
        let all =
            SUITS.iter().flat_map(|(suit, _)| ranks.iter().map(move |rank| card(&format!("{rank}{suit}"))));
        Self { cards: all.filter(|one| !left_out.contains(one)).collect(), hand }
    }

    /// What rules deal, as far as their preset says it and their options change it.
    pub fn by(rules: &v1::SedmaRules, seats: i32) -> Self {
        use v1::PackKind as Kind;
        let (kind, hand) = match (rules.preset.as_str(), seats) {
            ("three_24", _) => (Kind::P24WithSevens, 4),
            ("three_red_king", _) | ("pagat", 3) => (Kind::P30Minus8And9, 4),
            ("septica", 3) => (Kind::P30MinusTwo8, 4),
            ("hola", _) => (Kind::P52, 4),
            ("ristikontra", _) => (Kind::P52, 6),
            ("lusti_kartln", _) => (Kind::French32, 8),
            _ => (Kind::French32, 4),
        };
        let kind = if rules.pack.is_some() { rules.pack() } else { kind };
        let hand = rules.hand_size.map_or(hand, |size| usize::try_from(size).expect("a size"));
        Self::of(kind, hand)
    }

    /// The whole pack that deals these hands (the first is seat 1's) when `dealer` deals, and leaves this stock, top
    /// first.
    ///
    /// What a test does not care about may be left out: a short hand and a short stock are filled up with the cards
    /// that nobody asked for, in canonical order.
    pub fn pack(&self, dealer: i32, hands: &[&str], stock: &str) -> v1::ScriptedPack {
        let seats = hands.len();
        let mut hands: Vec<Vec<v1::Card>> = hands.iter().map(|hand| cards(hand)).collect();
        let mut stock = cards(stock);
        let wanted: Vec<v1::Card> = hands.iter().flatten().chain(&stock).copied().collect();
        for (at, one) in wanted.iter().enumerate() {
            assert!(self.cards.contains(one), "{} is not in the pack", text([one]));
            assert!(!wanted[..at].contains(one), "{} is asked for twice", text([one]));
        }
        let mut rest = self.cards.iter().copied().filter(|one| !wanted.contains(one));
        for (at, hand) in hands.iter_mut().enumerate() {
            assert!(hand.len() <= self.hand, "seat {} can't be dealt {} cards", at + 1, hand.len());
            hand.extend(rest.by_ref().take(self.hand - hand.len()));
        }
        stock.extend(rest);
        let after_dealer = usize::try_from(dealer).expect("a seat from 1");
        let dealt = (0..self.hand * seats).map(|n| hands[(after_dealer + n) % seats][n / seats]);
        v1::ScriptedPack { cards: dealt.chain(stock).collect() }
    }
}

#[cfg(test)]
mod tests {
    use sedma_proto::v1::PackKind;

    use super::{Deck, all, canonical, card, cards, pack, text};

    #[test]
    fn text_and_cards_are_each_others_reverse() {
        assert_eq!(text(&cards("10h 7c  As")), "10h 7c As");
        assert_eq!(text(&canonical()[..9]), "7c 8c 9c 10c Jc Qc Kc Ac 7d");
        assert_eq!(text(&all()[..6]), "2c 3c 4c 5c 6c 7c");
        assert_eq!((canonical().len(), all().len()), (32, 52));
    }

    #[test]
    fn a_pack_deals_one_by_one_from_the_seat_after_the_dealer() {
        let pack = pack(4, &["8h Kd 9c As", "10c 9d", "", ""], "7d Jd");
        assert_eq!(pack.cards.len(), 32);
        assert_eq!(text(&pack.cards[..3]), "8h 10c Jc");
        assert_eq!(pack.cards[4], card("Kd"));
        assert_eq!(text(&pack.cards[16..18]), "7d Jd");
    }

    #[test]
    fn a_deck_has_the_cards_of_its_kind() {
        let size = |kind| Deck::of(kind, 4).cards.len();
        assert_eq!([PackKind::French32, PackKind::P52].map(size), [32, 52]);
        assert_eq!([PackKind::P30Minus8And9, PackKind::P30MinusTwo8].map(size), [30, 30]);
        assert_eq!([PackKind::P24WithSevens, PackKind::P24WithoutSevens].map(size), [24, 24]);
        assert_eq!(text(&Deck::of(PackKind::P24WithoutSevens, 4).cards[..7]), "9c 10c Jc Qc Kc Ac 9d");
    }
}
