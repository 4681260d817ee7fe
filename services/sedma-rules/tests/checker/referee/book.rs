//! The rules of one game as the rule book gives them: options by name, each with its value.

use super::card::{Card, pack_called};
use super::presets::settings_of;

/// Who scores with whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Company {
    Pairs,
    Alone,
    Soloist,
}

/// What a leader who goes on leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoingOn {
    Never,
    SameTrick,
    NewTrick,
}

/// What must have happened in a round before its leader may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoOnIf {
    Always,
    SomeoneMatched,
    OpponentWinning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BurnedHand {
    Never,
    Drawn,
    DealtOrDrawn,
}

/// What binds a follower to some of his cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Never,
    AfterTwoEqual,
    AfterTwoEqualToTheLead,
    MustMatch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    SameDealer,
    LastTrick,
    Share,
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    Next,
    LoserDeals,
    WinnerDeals,
    KeepOnMajority,
}

/// What a deal is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// A win, all points, all tricks, a burned hand, a burned trick. A game that does not know a category
    /// leaves it out.
    Categories(Vec<u32>),
    /// Each side scores its points, and so many more for all tricks.
    Points(u32),
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the games differ in as many questions of yes or no")]
pub(crate) struct Book {
    pub(crate) seats: usize,
    pub(crate) pack: Vec<Card>,
    pub(crate) company: Company,
    pub(crate) soloist_card: Card,
    pub(crate) hand_size: usize,
    pub(crate) wild_ranks: String,
    pub(crate) wild_cards: Vec<Card>,
    pub(crate) going_on: GoingOn,
    pub(crate) go_on_if: GoOnIf,
    pub(crate) draw_after_each_play: bool,
    pub(crate) blind_play: bool,
    pub(crate) leads_of_a_rank: usize,
    pub(crate) burned_hand: BurnedHand,
    pub(crate) burned_trick: bool,
    pub(crate) bound: Bound,
    pub(crate) exchange: bool,
    /// Pairs of a rank and what a card of it counts.
    pub(crate) values: Vec<(char, u32)>,
    pub(crate) last_trick: u32,
    pub(crate) marriages: bool,
    pub(crate) forty_suit: Option<char>,
    /// What a side must have to win; with 0 it only needs the most.
    pub(crate) enough: u32,
    pub(crate) stop_at: u32,
    pub(crate) worth: Worth,
    pub(crate) sweep_needs_bonus: bool,
    pub(crate) target: u32,
    pub(crate) tie: Tie,
    pub(crate) rotation: Rotation,
}

impl Book {
    /// The rules of a preset with so many seats, and some options changed.
    pub(crate) fn open(preset: &str, seats: usize, changes: &[(&str, &str)]) -> Book {
        let mut book = Book::plain(seats);
        for (option, value) in settings_of(preset, seats).iter().chain(changes) {
            book.set(option, value);
        }
        book
    }

    /// What holds wherever a preset says nothing else.
    fn plain(seats: usize) -> Book {
        Book {
            seats,
            pack: pack_called("french32"),
            company: if seats == 4 { Company::Pairs } else { Company::Alone },
            soloist_card: Card::read("Kh"),
            hand_size: 4,
            wild_ranks: "7".to_owned(),
            wild_cards: Vec::new(),
            going_on: GoingOn::Never,
            go_on_if: GoOnIf::Always,
            draw_after_each_play: false,
            blind_play: false,
            leads_of_a_rank: 0,
            burned_hand: BurnedHand::Never,
            burned_trick: false,
            bound: Bound::Never,
            exchange: false,
            values: vec![('A', 10), ('X', 10)],
            last_trick: 10,
            marriages: false,
            forty_suit: None,
            enough: 0,
            stop_at: 0,
            worth: Worth::Categories(vec![1, 2, 3]),
            sweep_needs_bonus: false,
            target: 0,
            tie: Tie::SameDealer,
            rotation: Rotation::Next,
        }
    }

    fn set(&mut self, option: &str, value: &str) {
        match option {
            "pack" => self.pack = pack_called(value),
            "hand_size" => self.hand_size = value.parse().unwrap(),
            "wild_ranks" => value.clone_into(&mut self.wild_ranks),
            "wild_cards" => self.wild_cards = value.split(' ').map(Card::read).collect(),
            "draw_timing" => self.draw_after_each_play = one_of(value, "after_trick", "after_each_play"),
            "blind_stock_play" => self.blind_play = one_of(value, "no", "yes"),
            "max_same_rank_leads" => self.leads_of_a_rank = value.parse().unwrap(),
            "burned_trick" => self.burned_trick = one_of(value, "no", "yes"),
            "partner_exchange" => self.exchange = one_of(value, "no", "yes"),
            "last_trick_bonus" => self.last_trick = value.parse().unwrap(),
            "marriages" => self.marriages = one_of(value, "no", "yes"),
            "marriage_forty_suit" => self.forty_suit = value.parse().ok(),
            "win_rule" => self.enough = value.parse().unwrap_or(0),
            "stop_at_points" => self.stop_at = value.parse().unwrap(),
            "sweep_points_rule" => {
                self.sweep_needs_bonus = one_of(value, "all_card_points", "opponents_zero");
            }
            "match_target" => self.target = value.parse().unwrap(),
            // How a table is drawn and what partners call out bind nobody.
            "direction" | "partner_calls" => {}
            _ => self.set_choice(option, value),
        }
    }

    fn set_choice(&mut self, option: &str, value: &str) {
        match (option, value) {
            ("partnership", "fixed_pairs") => self.company = Company::Pairs,
            ("partnership", "individual") => self.company = Company::Alone,
            ("partnership", "secret_soloist") => self.company = Company::Soloist,
            ("soloist_card", "K_hearts") => self.soloist_card = Card::read("Kh"),
            ("soloist_card", "K_leaves") => self.soloist_card = Card::read("Ks"),
            ("continuation", "none") => self.going_on = GoingOn::Never,
            ("continuation", "same_rank_or_wild") => self.going_on = GoingOn::SameTrick,
            ("continuation", "abeyance_new_lead") => self.going_on = GoingOn::NewTrick,
            ("continuation_condition", "always") => self.go_on_if = GoOnIf::Always,
            ("continuation_condition", "someone_matched") => self.go_on_if = GoOnIf::SomeoneMatched,
            ("continuation_condition", "opponent_winning") => self.go_on_if = GoOnIf::OpponentWinning,
            ("burned_hand", "off") => self.burned_hand = BurnedHand::Never,
            ("burned_hand", "on_draw") => self.burned_hand = BurnedHand::Drawn,
            ("burned_hand", "on_deal_or_draw") => self.burned_hand = BurnedHand::DealtOrDrawn,
            ("forced_match", "off") => self.bound = Bound::Never,
            ("forced_match", "after_two_equal") => self.bound = Bound::AfterTwoEqual,
            ("forced_match", "must_match_if_able") => self.bound = Bound::MustMatch,
            ("forced_match_scope", "led_rank") => self.bound = Bound::AfterTwoEqualToTheLead,
            ("card_points", "ace_ten_10") => self.values = vec![('A', 10), ('X', 10)],
            ("card_points", "ace_ten_1") => self.values = vec![('A', 1), ('X', 1)],
            ("card_points", "ace_ten_full") => {
                self.values = vec![('A', 11), ('X', 10), ('K', 4), ('Q', 3), ('J', 2)];
            }
            ("deal_score", worth) => self.worth = worth_of(worth),
            ("tie", "void_same_dealer") => self.tie = Tie::SameDealer,
            ("tie", "last_trick_winner") => self.tie = Tie::LastTrick,
            ("tie", "share") => self.tie = Tie::Share,
            ("tie", "no_score") => self.tie = Tie::Nothing,
            ("dealer_rotation", "next") => self.rotation = Rotation::Next,
            ("dealer_rotation", "loser_deals") => self.rotation = Rotation::LoserDeals,
            ("dealer_rotation", "winner_deals") => self.rotation = Rotation::WinnerDeals,
            ("dealer_rotation", "keep_on_majority") => self.rotation = Rotation::KeepOnMajority,
            _ => panic!("the book has no {option} = {value}"),
        }
    }

    /// What a card counts.
    pub(crate) fn value(&self, card: Card) -> u32 {
        self.values.iter().filter(|(rank, _)| *rank == card.rank).map(|(_, points)| points).sum()
    }

    /// What all cards of the pack count together.
    pub(crate) fn all_card_points(&self) -> u32 {
        self.pack.iter().map(|card| self.value(*card)).sum()
    }

    /// What an announced marriage of the suit earns.
    pub(crate) fn marriage_in(&self, suit: char) -> u32 {
        if self.forty_suit == Some(suit) { 40 } else { 20 }
    }

    /// Whether the card matches every lead.
    pub(crate) fn is_wild(&self, card: Card) -> bool {
        let soloist = self.company == Company::Soloist && card == self.soloist_card;
        soloist || self.wild_ranks.contains(card.rank) || self.wild_cards.contains(&card)
    }

    /// Whether the card matches a trick that began with this one.
    pub(crate) fn matches(&self, first: Card, card: Card) -> bool {
        card.rank == first.rank || self.is_wild(card)
    }

    /// The seat whose turn comes so many turns later.
    pub(crate) fn seat_after(&self, seat: usize, turns: usize) -> usize {
        (seat - 1 + turns) % self.seats + 1
    }

    /// The seats in playing order, from this one on.
    pub(crate) fn seats_from(&self, seat: usize) -> impl Iterator<Item = usize> {
        (0..self.seats).map(move |turns| self.seat_after(seat, turns))
    }

    /// Whether two seats are known to score together.
    pub(crate) fn partners(&self, one: usize, other: usize) -> bool {
        one == other || self.company == Company::Pairs && one % 2 == other % 2
    }
}

/// Whether it is the second of the only two values there are.
fn one_of(value: &str, first: &str, second: &str) -> bool {
    assert!(value == first || value == second, "{value} is neither {first} nor {second}");
    value == second
}

/// Reads `1/2/3/4/1`, what each category is worth, or `raw 80`.
fn worth_of(text: &str) -> Worth {
    match text.strip_prefix("raw ") {
        Some(bonus) => Worth::Points(bonus.parse().unwrap()),
        None => Worth::Categories(text.split('/').map(|worth| worth.parse().unwrap()).collect()),
    }
}
