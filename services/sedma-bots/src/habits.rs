//! The figures behind the rules of thumb, in points of a pack that holds 80. They were found by playing
//! thousands of deals against random players and against earlier figures.

/// How likely a player takes an opponents' trick without points, when he holds a card of the led rank.
pub(crate) const TAKES_FOR_NOTHING: f64 = 0.8;
/// The same, when a wild card is all he could take it with.
pub(crate) const WASTES_A_WILD: f64 = 0.4;
/// How likely he takes one with points, with whatever he holds.
pub(crate) const TAKES_POINTS: f64 = 0.85;
/// Points from which a trick counts as one with points.
pub(crate) const SOME_POINTS: f64 = 5.0;

/// How likely a leader fights for a trick that an opponent would take, where he may lead to a new one.
pub(crate) const FIGHTS: f64 = 0.8;
/// How likely such a fight is won.
pub(crate) const WINS_A_FIGHT: f64 = 0.5;

/// What a player who is still to play adds to a trick that his own side will take.
pub(crate) const FATTENS: f64 = 2.5;
/// What he adds to one that his opponents will take.
pub(crate) const SPARES: f64 = 1.5;

/// What leading to the next trick is worth.
pub(crate) const LEAD: f64 = 4.0;
/// The same between two players where the leader may fight: he can go on until the hands are empty.
pub(crate) const LEAD_OF_A_DUEL: f64 = 8.0;
/// What each point means to somebody who is against several players of whom each is alone.
pub(crate) const ONE_OF_SEVERAL: f64 = -0.5;
/// And while it is open who plays alone: any other may turn out to be a partner.
pub(crate) const PERHAPS_A_PARTNER: f64 = -0.35;

/// What a wild card in the hand is worth. Other cards are worth nothing there: holding points or pairs did
/// not pay.
pub(crate) const WILD: f64 = 10.0;
/// The same, once the stock is gone and nobody draws another.
pub(crate) const WILD_AT_THE_END: f64 = 12.0;
/// How much of a marriage's points both its cards are worth before it is announced.
pub(crate) const MARRIAGE_IN_HAND: f64 = 0.3;
/// What three of a rank are worth where the fourth wins the deal.
pub(crate) const NEARLY_BURNED: f64 = 8.0;
/// By how much a card that is played unseen must promise more than any in the hand: it rarely pays.
pub(crate) const GAMBLE: f64 = 2.0;
/// What it is worth to end a deal as its winner.
pub(crate) const WINS_THE_DEAL: f64 = 60.0;
