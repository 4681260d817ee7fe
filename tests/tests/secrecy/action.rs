//! What the players and the platform do at a table.

use tests::{Table, v1};
use uuid::Uuid;

use crate::answer::Answer;
use crate::ask::ask;
use crate::seen::About;
use crate::turn::{self, Asking, Turn};
use crate::viewer::Viewer;

/// Something that is accepted and becomes one update. Where the seat may be 0 that is the platform.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Join { seat: i32, entropy: Vec<u8> },
    Turn { seat: i32, turn: Turn },
    NextDeal { seat: i32 },
    Leave { seat: i32 },
    Revoke { seat: i32 },
    Close,
    Rematch { seat: i32 },
}

impl Action {
    /// Who does it.
    pub(crate) fn by(&self) -> Viewer {
        match self {
            Self::NextDeal { seat: 0 } | Self::Rematch { seat: 0 } | Self::Revoke { .. } | Self::Close => {
                Viewer::Platform
            }
            Self::Join { seat, .. }
            | Self::Turn { seat, .. }
            | Self::Leave { seat }
            | Self::NextDeal { seat }
            | Self::Rematch { seat } => Viewer::Seat(*seat),
        }
    }

    /// Does it, decided on the view of this revision, which is the newest.
    pub(crate) async fn perform(&self, table: &Table, revision: i64) -> Answer {
        let client = self.by().client(table).await;
        let (name, request_id) = (table.name.clone(), id(revision));
        let how = &format!("on revision {revision}");
        let answer = match self {
            Self::Join { entropy, .. } => {
                let entropy = entropy.clone().into();
                let request = v1::JoinTableRequest { name, request_id, entropy, ..Default::default() };
                ask(&client, request, how).await
            }
            Self::Turn { turn, .. } => return take_turn(table, self.by(), turn, revision).await,
            Self::NextDeal { .. } => {
                let expected_revision = revision;
                let request = v1::StartNextDealRequest { name, request_id, expected_revision, seat: 0 };
                ask(&client, request, how).await
            }
            Self::Leave { .. } => {
                ask(&client, v1::LeaveTableRequest { name, request_id, seat: 0 }, how).await
            }
            Self::Revoke { seat } => {
                ask(&client, v1::RevokeSeatRequest { name, request_id, seat: *seat }, how).await
            }
            Self::Close => {
                let reason = "enough".to_owned();
                ask(&client, v1::CloseTableRequest { name, request_id, reason }, how).await
            }
            Self::Rematch { .. } => ask(&client, v1::CreateRematchRequest { name, request_id }, how).await,
        };
        answer.about([About::Update(revision + 1)])
    }
}

/// Takes a turn on the view of this revision. Sent again it is the same request.
pub(crate) async fn take_turn(table: &Table, by: Viewer, turn: &Turn, revision: i64) -> Answer {
    let asking =
        Asking { name: table.name.clone(), request_id: id(revision), expected_revision: revision, seat: 0 };
    let client = by.client(table).await;
    turn::take(&client, turn, asking).await.about([About::Update(revision + 1)])
}

/// The request id of what is done on this revision.
fn id(revision: i64) -> String {
    Uuid::from_u128(u128::try_from(revision).expect("a revision")).to_string()
}
