//! The only door out of a table's state: what a viewer may know, in types that have no field for the rest.

use std::sync::Arc;

use sedma_rules::{Action, Card, MatchView, Refused, Seat, SeatSet};

use crate::clock::Due;
use crate::fairness::Link;
use crate::ids::TableId;
use crate::refusal::Refusal;
use crate::setup::{Player, Results, Setup};
use crate::table::{Phase, Table};
use crate::timing::{BotLevel, Timing};
use crate::update::CloseReason;

/// Who looks: the seats whose hands he may see. None of them for a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Viewer(SeatSet);

impl Viewer {
    /// Sees what is public and nothing else.
    pub const SPECTATOR: Self = Self(SeatSet::EMPTY);

    /// Sees what one seat sees.
    pub fn seat(seat: Seat) -> Self {
        Self::seats([seat])
    }

    /// Sees what these seats see together; a platform asks for them by number.
    pub fn seats(seats: impl IntoIterator<Item = Seat>) -> Self {
        Self(seats.into_iter().collect())
    }

    /// The seats.
    pub(crate) fn set(self) -> SeatSet {
        self.0
    }
}

/// What one seat shows to everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatInfo {
    /// The seat.
    pub seat: Seat,
    /// Who has it; `None` while it is open.
    pub player: Option<Arc<Player>>,
    /// Whether its player has said that he is here.
    pub here: bool,
    /// Whether it handed in entropy (not what).
    pub has_entropy: bool,
    /// The bot that has it.
    pub bot: Option<BotLevel>,
    /// Whether its player is away and a bot plays for him.
    pub away: bool,
}

/// What a viewer may know of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableView {
    /// The table.
    pub id: TableId,
    /// Revision of the newest update in it.
    pub revision: i64,
    /// The revision since which who may act and what is legal have not changed.
    pub turn_revision: i64,
    /// Where it is in its life.
    pub phase: Phase,
    /// The platform's own name for it.
    pub external_ref: String,
    /// What the table was created with; the secret root is not reachable from here.
    pub setup: PublicSetup,
    /// The seats, in playing order.
    pub seats: Vec<SeatInfo>,
    /// Whether nobody can act and no clock runs.
    pub paused: bool,
    /// What the table waits for.
    pub due: Option<Due>,
    /// The game as the viewer may see it.
    pub game: MatchView,
    /// Number of the deal that `game.last_deal` is the score of; 0 before one has ended.
    pub last_deal: u16,
    /// The table that its players went on to.
    pub rematch: Option<TableId>,
    /// Why it was closed, if it was.
    pub closed: Option<CloseReason>,
}

/// The public part of a table's setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicSetup {
    setup: Arc<Setup>,
}

impl PublicSetup {
    /// Whether the table's end is filed.
    pub fn results(&self) -> Results {
        self.setup.results
    }

    /// The resolved rules.
    pub fn rules(&self) -> &sedma_rules::Rules {
        &self.setup.rules
    }

    /// When the table starts.
    pub fn start(&self) -> crate::setup::StartPolicy {
        self.setup.start
    }

    /// When deals after the first are dealt.
    pub fn between_deals(&self) -> crate::setup::BetweenDeals {
        self.setup.between_deals
    }

    /// Who may watch.
    pub fn spectators(&self) -> crate::setup::Spectators {
        self.setup.spectators
    }

    /// The platform's labels.
    pub fn labels(&self) -> &std::collections::BTreeMap<String, String> {
        &self.setup.labels
    }

    /// How long things may take.
    pub fn timing(&self) -> &Timing {
        &self.setup.timing
    }

    /// Whether chance was replaced by a script.
    pub fn scripted(&self) -> bool {
        self.setup.script.is_some()
    }

    /// The end of the seed chain, which every revealed seed leads to.
    pub fn commitment(&self) -> &Link {
        &self.setup.commitment
    }
}

impl TableView {
    /// Who has won: the match was played to its end, or a seat forfeited it for its side.
    pub fn winners(&self) -> Option<SeatSet> {
        let Some(CloseReason::Forfeited(seat)) = self.closed else { return self.game.winners };
        let sides = self.setup.rules().match_sides().iter();
        Some(sides.filter(|side| !side.contains(seat)).flat_map(SeatSet::iter).collect())
    }
}

impl Table {
    /// Whether the table has the seats that a viewer asks to see.
    pub fn must_show(&self, viewer: Viewer) -> Result<(), Refusal> {
        match viewer.0.iter().find(|seat| self.seat(*seat).is_none()) {
            Some(_) => Err(Refusal::field("seats", format!("the table has {} seats", self.setup.seats()))),
            None => Ok(()),
        }
    }

    /// What this viewer may know.
    pub fn view(&self, viewer: Viewer) -> TableView {
        TableView {
            id: self.setup.id,
            revision: self.revision,
            turn_revision: self.turn_revision,
            phase: self.phase,
            external_ref: self.setup.external_ref.clone(),
            setup: PublicSetup { setup: self.setup.clone() },
            seats: self
                .seats()
                .map(|(seat, state)| SeatInfo {
                    seat,
                    player: state.player.clone(),
                    here: state.here,
                    has_entropy: !state.entropy.is_empty(),
                    bot: state.bot,
                    away: state.away,
                })
                .collect(),
            paused: self.paused,
            due: self.due(),
            game: self.game_view(viewer),
            last_deal: self.game.deal_number().saturating_sub(u16::from(self.game.deal_running())),
            rematch: self.rematch,
            closed: self.closed.clone(),
        }
    }

    /// The cards in a seat's hand that it may not play now, and why. For that seat alone, like its view.
    pub fn forbidden_cards(&self, seat: Seat) -> Vec<(Card, Refused)> {
        let view = self.view(Viewer::seat(seat));
        let rules = &self.setup.rules;
        let hands = view.game.hands.iter();
        hands
            .flat_map(|hand| hand.cards.minus(hand.legal.plays).iter())
            .filter_map(|card| {
                let action = Action::Play { card, announce_marriage: false };
                let refused = match self.phase {
                    Phase::Closed => Some(Refused::DealOver),
                    _ => self.game.refusal(rules, seat, action),
                };
                refused.map(|refused| (card, refused))
            })
            .collect()
    }

    /// The game as the viewer may see it. On a closed table nobody is to act any more, on a paused one not now.
    fn game_view(&self, viewer: Viewer) -> MatchView {
        let mut view = self.game.view(&self.setup.rules, viewer.set());
        if self.phase == Phase::Closed {
            view.turn = None;
        }
        if self.phase == Phase::Closed || self.paused {
            for hand in &mut view.hands {
                hand.legal = sedma_rules::LegalActions::default();
            }
        }
        view
    }
}
