//! Tells a match as it is played.

use sedma_proto::v1;
use sedma_proto::v1::event::Fact;

/// A teller, or a silent one.
pub(super) struct Narrator {
    speaks: bool,
    trick: Vec<String>,
    number: usize,
}

impl Narrator {
    pub(super) fn new(speaks: bool) -> Self {
        Self { speaks, trick: Vec::new(), number: 0 }
    }

    pub(super) fn say(&self, line: &str) {
        if self.speaks {
            println!("{line}");
        }
    }

    /// Tells an update.
    pub(super) fn tell(&mut self, update: &v1::Update) {
        for event in &update.events {
            if let Some(fact) = &event.fact {
                self.tell_fact(fact);
            }
        }
    }

    fn tell_fact(&mut self, fact: &Fact) {
        match fact {
            Fact::SeatReady(ready) => self.say(&format!("  seat {} is here", ready.seat)),
            Fact::Dealt(dealt) => {
                self.number = 0;
                self.say(&format!(
                    "deal {}: seat {} deals, seat {} leads, {} cards in the stock",
                    dealt.deal, dealt.dealer_seat, dealt.leader_seat, dealt.stock_count
                ));
            }
            Fact::CardPlayed(played) => {
                let card = played.card.as_ref().map(card).unwrap_or_default();
                let unseen = if played.from_stock { " unseen" } else { "" };
                let marriage = match played.marriage_points {
                    0 => String::new(),
                    points => format!(" marriage +{points}"),
                };
                self.trick.push(format!("{}:{card}{unseen}{marriage}", played.seat));
            }
            Fact::RoundEnded(_) => self.trick.push("|".to_owned()),
            Fact::TrickSetAside(_) => self.trick.push("fights".to_owned()),
            Fact::HandsExchanged(decided) if decided.exchanged => {
                self.say(&format!("  seat {} exchanges hands with the partner", decided.seat));
            }
            Fact::TrickWon(won) => {
                self.number += 1;
                let plays = std::mem::take(&mut self.trick).join("  ");
                self.say(&format!(
                    "  trick {:>2}   {plays}   seat {} takes {}",
                    self.number, won.seat, won.points
                ));
            }
            Fact::DealEnded(ended) => self.tell_deal(ended),
            Fact::MatchEnded(ended) => {
                self.say(&format!("the match is won by {}", list(&ended.winner_seats)));
            }
            _ => {}
        }
    }

    fn tell_deal(&mut self, ended: &v1::DealEnded) {
        // A trick that burned is taken by nobody.
        let burned = std::mem::take(&mut self.trick).join("  ");
        if !burned.is_empty() {
            self.say(&format!("  burned     {burned}"));
        }
        let sides: Vec<String> = ended
            .sides
            .iter()
            .map(|side| format!("{} {} points, +{}", list(&side.seats), side.points, side.game_points))
            .collect();
        let totals: Vec<String> = ended.totals.iter().map(|side| side.game_points.to_string()).collect();
        let how = match ended.tier() {
            v1::DealTier::Void => "no winner: ",
            v1::DealTier::SweepPoints => "bald: ",
            v1::DealTier::SweepCards => "every trick: ",
            v1::DealTier::BurnedHand => "four of a rank in one hand: ",
            v1::DealTier::BurnedTrick => "four of a rank in a row: ",
            v1::DealTier::Shared => "level on top: ",
            _ => "",
        };
        self.say(&format!("  {how}{}   (match {})", sides.join(";  "), totals.join("–")));
    }
}

fn list(seats: &[i32]) -> String {
    let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
    format!("seat {}", seats.join("+"))
}

/// A card as it is drawn on paper: `10♥`.
fn card(card: &v1::Card) -> String {
    let suit = match card.suit() {
        v1::Suit::Clubs => "♣",
        v1::Suit::Diamonds => "♦",
        v1::Suit::Hearts => "♥",
        v1::Suit::Spades => "♠",
        _ => "?",
    };
    let rank = match card.rank() {
        v1::Rank::Jack => "J".to_owned(),
        v1::Rank::Queen => "Q".to_owned(),
        v1::Rank::King => "K".to_owned(),
        v1::Rank::Ace => "A".to_owned(),
        other => i32::from(other).to_string(),
    };
    format!("{rank:>2}{suit}")
}
