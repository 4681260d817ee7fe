//! Why something did not happen: a closed vocabulary, the same in code, logs and on the wire.

use sedma_rules::{Card, LegalActions, Rule, Seat};

/// A reason from the closed list. What status and details each becomes is the business of the gRPC face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each name says it; proto/sedma/v1/error.proto documents them for users")]
pub enum Reason {
    InvalidField,
    MalformedRequest,
    RequestTooLarge,
    UnknownMethod,
    RequestIdReused,
    RulesInvalid,
    TokenMissing,
    TokenInvalid,
    TokenExpired,
    SeatForbidden,
    PlatformOnly,
    ScriptForbidden,
    TableNotFound,
    StaleRevision,
    Contention,
    NotStarted,
    AlreadyStarted,
    TableEnded,
    TablePaused,
    NotYourTurn,
    CardNotInHand,
    IllegalAction,
    TurnExpired,
    TableFull,
    SeatTaken,
    QuotaExceeded,
    StoreUnavailable,
    Draining,
    Overloaded,
    SchemaAhead,
    Deadline,
    Invariant,
}

/// A field that could not be taken, with its path as in the request message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// Path, such as `seats[2].player_id`.
    pub field: String,
    /// What is wrong with it and what would be right.
    pub description: String,
}

/// Where the table stood when it refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The table's revision.
    pub revision: i64,
    /// The revision since which who may act and what is legal have not changed.
    pub turn_revision: i64,
}

/// A refused action or read. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// One sentence for a person that names the next step.
    pub message: String,
    /// The rule that forbids it, for `IllegalAction`.
    pub rule: Option<Rule>,
    /// The card it was about.
    pub card: Option<Card>,
    /// What the seat might have done instead. Boxed: most refusals have none.
    pub legal: Option<Box<LegalActions>>,
    /// Where the table stood.
    pub standing: Option<Standing>,
    /// Fields that could not be taken.
    pub fields: Vec<FieldViolation>,
}

impl Refusal {
    /// A refusal with a reason and its sentence.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            rule: None,
            card: None,
            legal: None,
            standing: None,
            fields: Vec::new(),
        }
    }

    /// One field that could not be taken.
    pub fn field(field: impl Into<String>, description: impl Into<String>) -> Self {
        let (field, description) = (field.into(), description.into());
        let mut refusal =
            Self::new(Reason::InvalidField, format!("The field {field} can't be taken: {description}."));
        refusal.fields.push(FieldViolation { field, description });
        refusal
    }

    /// The caller's credential does not cover this seat.
    pub fn seat_forbidden(seat: Seat) -> Self {
        Self::new(
            Reason::SeatForbidden,
            format!("Your token is not for seat {}; leave `seat` at 0 to act for your own.", seat.number()),
        )
    }

    /// No such table, or one of another tenant: the same answer for both.
    pub fn table_not_found() -> Self {
        Self::new(
            Reason::TableNotFound,
            "There is no such table; check its name, or create one (tables expire some time after their end).",
        )
    }

    /// The caller decided on an older state than the one that counts, or on one that this store never had.
    pub fn stale(expected: i64, standing: Standing) -> Self {
        let Standing { revision, turn_revision } = standing;
        let mut refusal = Self::new(
            Reason::StaleRevision,
            format!(
                "expected_revision {expected} is not one of {turn_revision} to {revision}; read the table again and decide \
                 on that view."
            ),
        );
        refusal.standing = Some(standing);
        refusal
    }

    /// The action came after its deadline and the time that is given for the way.
    pub fn turn_expired(standing: Standing) -> Self {
        Self::new(
            Reason::TurnExpired,
            "Your time for this turn is over; look at the newest view for what was done instead.",
        )
        .at(standing)
    }

    /// Others changed the table again and again while this was judged.
    pub fn contention(standing: Standing) -> Self {
        Self::new(Reason::Contention, "The table is very busy; send the same request again in a moment.")
            .at(standing)
    }

    /// The same with the table's standing filled in.
    #[must_use]
    pub fn at(mut self, standing: Standing) -> Self {
        self.standing = Some(standing);
        self
    }
}
