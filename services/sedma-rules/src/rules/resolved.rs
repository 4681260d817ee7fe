//! Rules: options that hold together, with what play looks up again and again worked out once.

use crate::card::Card;
use crate::card_set::CardSet;
use crate::pack::Pack;
use crate::rules::check::card_total;
use crate::rules::choices::{BurnedHand, Continuation, DrawTiming, ForcedMatch, Partnership};
use crate::rules::options::RuleOptions;
use crate::seat::{Seat, SeatSet};
use crate::sides::Sides;

/// A rule set that holds together. Made by [`RuleOptions::check`] only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    options: RuleOptions,
    pack: CardSet,
    wild: CardSet,
    /// What each card counts, by its index; as long as six bits reach, so that looking up needs no check.
    values: [u8; 64],
    card_total: u8,
    /// Every card of the hand may be played at any time.
    free_play: bool,
    /// And nothing else can be done.
    only_hands: bool,
    /// Something may follow from a single play, before the round is full.
    looks_at_each_play: bool,
    match_sides: Sides,
}

impl Rules {
    /// Works out what play needs. The options were checked.
    pub(crate) fn resolve(options: RuleOptions) -> Rules {
        let wild = options.wild_ranks.cards().union(options.all_wild_cards());
        let pack = options.pack.cards();
        let mut values = [0; 64];
        for card in CardSet::FULL {
            if let Some(value) = values.get_mut(usize::from(card.index())) {
                *value = options.card_points.of(card.rank());
            }
        }
        let free_play = options.continuation == Continuation::None
            && options.forced_match == ForcedMatch::Off
            && options.max_same_rank_leads == 0
            && !options.partner_exchange;
        let draws = options.draw_timing == DrawTiming::AfterEachPlay;
        Rules {
            options,
            pack,
            wild: wild.common(pack),
            values,
            card_total: u8::try_from(card_total(&options)).unwrap_or(u8::MAX),
            free_play,
            only_hands: free_play && !options.marriages && !options.blind_stock_play,
            looks_at_each_play: draws || options.burned_trick,
            match_sides: Sides::of_match(options.partnership, options.seats),
        }
    }

    /// The options, every one resolved.
    pub const fn options(&self) -> &RuleOptions {
        &self.options
    }

    /// Whether any option differs from the preset's.
    pub fn is_custom(&self) -> bool {
        self.options != self.options.preset.options(self.options.seats)
    }

    /// How many play.
    #[inline]
    pub const fn seats(&self) -> u8 {
        self.options.seats
    }

    /// The cards of the pack.
    #[inline]
    pub const fn pack(&self) -> CardSet {
        self.pack
    }

    /// The pack in canonical order: suits in order, in each two to ace.
    pub fn canonical_pack(&self) -> Pack {
        Pack::canonical(self.pack)
    }

    /// The cards that match every lead.
    #[inline]
    pub const fn wild(&self) -> CardSet {
        self.wild
    }

    /// The cards that match a led card: those of its printed rank, and the wild ones.
    #[inline]
    pub const fn matching(&self, led: Card) -> CardSet {
        CardSet::same_rank(led).union(self.wild)
    }

    /// What a card counts.
    #[inline]
    pub const fn value(&self, card: Card) -> u8 {
        self.values[card.index() as usize & 63]
    }

    /// All card points of the pack, without bonus and marriages.
    pub const fn card_total(&self) -> u8 {
        self.card_total
    }

    /// The sides that score together for the whole match, by their lowest seat.
    pub const fn match_sides(&self) -> &Sides {
        &self.match_sides
    }

    /// The sides of a deal, as far as they are known: with a secret soloist, him against the two others.
    pub fn deal_sides(&self, soloist: Option<Seat>) -> Sides {
        match (self.options.partnership, soloist) {
            (Partnership::SecretSoloist, Some(soloist)) => {
                let mut others = SeatSet::all(self.seats());
                others.remove(soloist);
                Sides::of(&[SeatSet::of(&[soloist]), others])
            }
            _ => self.match_sides,
        }
    }

    /// The soloist's card, where there is one.
    pub fn soloist_card(&self) -> Option<Card> {
        (self.options.partnership == Partnership::SecretSoloist).then(|| self.options.soloist_card.card())
    }

    #[inline]
    pub(crate) const fn is_free_play(&self) -> bool {
        self.free_play
    }

    #[inline]
    pub(crate) const fn plays_only_from_hands(&self) -> bool {
        self.only_hands
    }

    #[inline]
    pub(crate) const fn looks_at_each_play(&self) -> bool {
        self.looks_at_each_play
    }

    #[inline]
    pub(crate) fn draws_after_each_play(&self) -> bool {
        self.options.draw_timing == DrawTiming::AfterEachPlay
    }

    #[inline]
    pub(crate) fn burns_hands(&self) -> bool {
        self.options.burned_hand != BurnedHand::Off
    }
}
