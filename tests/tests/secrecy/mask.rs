//! What differs between two tables without telling anything about cards: the table's name, with the seeds, tokens and
//! page marks that are derived from it; times; the marks of histories; trace contexts. Nothing else is masked.

use std::fmt::Debug;

use prost::Message;
use prost::bytes::Bytes;
use tests::v1;
use tests::v1::event::Fact;
use tests::v1::watch_table_response::Payload;

/// An answer that can be freed of what is bound to differ.
pub(crate) trait Masked: Message + Default + Clone + Debug {
    /// Masks it.
    fn mask(&mut self);

    /// The views in it.
    fn views(&mut self) -> Vec<&mut v1::TableView> {
        Vec::new()
    }

    /// The same without the rules of the game: they name cards, wherever these lie.
    #[must_use]
    fn without_rules(mut self) -> Self {
        for table in self.views().into_iter().filter_map(|view| view.table.as_mut()) {
            table.rules = None;
        }
        self
    }
}

fn text(text: &mut String) {
    if !text.is_empty() {
        "masked".clone_into(text);
    }
}

/// Their number stays.
fn bytes(bytes: &mut Bytes) {
    *bytes = vec![0; bytes.len()].into();
}

/// Whether it is there stays.
fn message<M: Default>(message: &mut Option<M>) {
    if let Some(message) = message {
        *message = M::default();
    }
}

fn view(view: &mut Option<v1::TableView>) {
    if let Some(table) = view.as_mut().and_then(|view| view.table.as_mut()) {
        text(&mut table.name);
        text(&mut table.rematch);
        bytes(&mut table.commitment);
    }
}

fn update(update: &mut Option<v1::Update>) {
    update.iter_mut().for_each(whole_update);
}

fn whole_update(update: &mut v1::Update) {
    bytes(&mut update.history);
    message(&mut update.time);
    text(&mut update.traceparent);
    view(&mut update.after);
    for event in &mut update.events {
        match &mut event.fact {
            Some(Fact::TableCreated(created)) => bytes(&mut created.commitment),
            Some(Fact::SeedRevealed(revealed)) => bytes(&mut revealed.seed),
            Some(Fact::RematchCreated(created)) => text(&mut created.name),
            _ => {}
        }
    }
}

/// The views in an answer that has both, as far as they are there.
fn both<'a>(
    view: &'a mut Option<v1::TableView>,
    update: &'a mut Option<v1::Update>,
) -> Vec<&'a mut v1::TableView> {
    let after = update.as_mut().and_then(|update| update.after.as_mut());
    view.as_mut().into_iter().chain(after).collect()
}

fn token(token: &mut v1::SeatToken) {
    text(&mut token.token);
    message(&mut token.expire_time);
}

/// Answers with an update and a view, and tokens where they have some.
macro_rules! mutations {
    ($($answer:ident $(with $tokens:ident)?;)+) => {
        $(impl Masked for v1::$answer {
            fn mask(&mut self) {
                update(&mut self.update);
                view(&mut self.view);
                $(self.$tokens.iter_mut().for_each(token);)?
            }

            fn views(&mut self) -> Vec<&mut v1::TableView> {
                both(&mut self.view, &mut self.update)
            }
        })+
    };
}

mutations! {
    CreateTableResponse with seat_tokens;
    CreateRematchResponse with seat_tokens;
    JoinTableResponse with seat_token;
    LeaveTableResponse;
    StartTableResponse;
    StartNextDealResponse;
    RevokeSeatResponse;
    CloseTableResponse;
    PlayCardResponse;
    EndTrickResponse;
    ExchangeHandsResponse;
}

impl Masked for v1::GetTableResponse {
    fn mask(&mut self) {
        view(&mut self.view);
    }

    fn views(&mut self) -> Vec<&mut v1::TableView> {
        self.view.as_mut().into_iter().collect()
    }
}

impl Masked for v1::ListLegalActionsResponse {
    fn mask(&mut self) {}
}

impl Masked for v1::GetScoreResponse {
    fn mask(&mut self) {}
}

impl Masked for v1::ListUpdatesResponse {
    fn mask(&mut self) {
        bytes(&mut self.history);
        self.updates.iter_mut().for_each(whole_update);
        if let Some(reset) = &mut self.reset {
            view(&mut reset.snapshot);
        }
    }

    fn views(&mut self) -> Vec<&mut v1::TableView> {
        let snapshot = self.reset.as_mut().and_then(|reset| reset.snapshot.as_mut());
        self.updates.iter_mut().filter_map(|update| update.after.as_mut()).chain(snapshot).collect()
    }
}

impl Masked for v1::ListTablesResponse {
    fn mask(&mut self) {
        text(&mut self.next_page_token);
        for row in &mut self.tables {
            text(&mut row.name);
            message(&mut row.create_time);
        }
    }
}

impl Masked for v1::WatchTableResponse {
    fn mask(&mut self) {
        bytes(&mut self.history);
        match self.payload.take() {
            Some(Payload::Snapshot(snapshot)) => {
                let mut snapshot = Some(snapshot);
                view(&mut snapshot);
                self.payload = snapshot.map(Payload::Snapshot);
            }
            Some(Payload::Update(told)) => {
                let mut told = Some(told);
                update(&mut told);
                self.payload = told.map(Payload::Update);
            }
            Some(Payload::Heartbeat(mut heartbeat)) => {
                message(&mut heartbeat.server_time);
                self.payload = Some(Payload::Heartbeat(heartbeat));
            }
            other => self.payload = other,
        }
    }

    fn views(&mut self) -> Vec<&mut v1::TableView> {
        match &mut self.payload {
            Some(Payload::Snapshot(view)) => vec![view],
            Some(Payload::Update(update)) => update.after.as_mut().into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
