//! The service: tables that all play one recorded match, one `PlayCard` after the other.

use std::sync::Arc;

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use tests::views::{playable, public};
use tests::{Client, NewTable, Redis, Seat, Server, Table};
use tonic::metadata::{Ascii, MetadataValue};

use crate::load::{Caller, spread};
use crate::raw::call;

const PLAY_CARD: &str = "/sedma.v1.TrickService/PlayCard";

/// Deals of the recorded match; their packs fit into one request.
const DEALS: usize = 16;

/// Who plays which card, for as many plays as the scripted packs last.
pub(crate) type Plays = Arc<Vec<(i32, tests::v1::Card)>>;

/// Bytes of an average play, so that the bare handler moves as many.
#[derive(Clone)]
pub(crate) struct Sizes {
    pub(crate) authorization: MetadataValue<Ascii>,
    pub(crate) request: usize,
    pub(crate) response: usize,
    pub(crate) update: usize,
    pub(crate) snapshot: usize,
}

fn new_table() -> NewTable {
    let mut new = NewTable::two().to(0);
    for _ in 0..DEALS {
        new = new.deal(&["", ""], "");
    }
    new
}

/// Plays the scripted deals once, looking at each view, and writes down what was played and how many bytes it took.
pub(crate) async fn record(server: &Server, redis: &Redis) -> (Plays, Sizes) {
    let table = new_table().start(&server.platform().await).await;
    let mut plays = Vec::new();
    let (mut requests, mut responses) = (0, 0);
    loop {
        let view = table.view_of(&[1, 2]).await;
        let deal = tests::views::game(&view).deal;
        if usize::try_from(deal).unwrap() > DEALS {
            break;
        }
        let turn = public(&view).turn_seat;
        // Not always the first card, or the match would be one-sided.
        let legal = playable(&view, turn);
        let card = legal[plays.len() % legal.len()];
        plays.push((turn, card));
        let seat = table.seat(turn);
        let request = tests::v1::PlayCardRequest {
            card: Some(card),
            ..seat.card_request(public(&view).revision, "7c")
        };
        requests += request.encoded_len();
        responses += seat.client.play_card(request).await.unwrap().encoded_len();
    }
    let sizes = Sizes {
        authorization: format!("Bearer {}", table.seat(1).token).parse().unwrap(),
        request: requests / plays.len(),
        response: responses / plays.len(),
        ..stored(redis, &table.name, plays.len()).await
    };
    (Arc::new(plays), sizes)
}

/// Bytes of the table's snapshot and of its average update, without the heads that the script makes.
async fn stored(redis: &Redis, name: &str, plays: usize) -> Sizes {
    let mut connection =
        redis::Client::open(redis.url()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let code = name.trim_start_matches("tables/");
    let keys: Vec<String> =
        redis::cmd("KEYS").arg(format!("[te]:*:{code}")).query_async(&mut connection).await.unwrap();
    let key = |kind: &str| keys.iter().find(|key| key.starts_with(kind)).unwrap();
    let blob: usize = redis::cmd("STRLEN").arg(key("t")).query_async(&mut connection).await.unwrap();
    let last = -isize::try_from(plays).unwrap();
    let log: Vec<Vec<u8>> =
        redis::cmd("LRANGE").arg(key("e")).arg(last).arg(-1).query_async(&mut connection).await.unwrap();
    let update = log.iter().map(Vec::len).sum::<usize>() / log.len() - 16;
    let authorization = MetadataValue::from_static("");
    Sizes { authorization, request: 0, response: 0, update, snapshot: blob - 24 }
}

/// Fresh tables, dealt and ready.
pub(crate) struct Tables {
    tables: Vec<Table>,
    plays: Plays,
}

impl Tables {
    pub(crate) async fn open(server: &Server, plays: &Plays, tables: usize, connections: usize) -> Self {
        let mut doors: Vec<Client> = Vec::new();
        for _ in 0..connections {
            doors.push(server.platform().await);
        }
        let mut open = Vec::new();
        for worker in 0..tables {
            open.push(new_table().start(&spread(&doors, worker)).await);
        }
        Self { tables: open, plays: plays.clone() }
    }

    pub(crate) fn player(&self, worker: usize) -> Player {
        let table = &self.tables[worker];
        let seats = table.seats.clone();
        Player { seats, plays: self.plays.clone(), next: 0, revision: 3 }
    }
}

/// One table's plays.
pub(crate) struct Player {
    seats: Vec<Seat>,
    plays: Plays,
    next: usize,
    /// The table's revision: creation and two joins, then every play.
    revision: i64,
}

impl Caller for Player {
    async fn call(&mut self) {
        let (turn, card) = self.plays[self.next];
        self.next += 1;
        let seat = &self.seats[usize::try_from(turn).unwrap() - 1];
        let message =
            tests::v1::PlayCardRequest { card: Some(card), ..seat.card_request(self.revision, "7c") };
        let request = seat.client.request(Bytes::from(message.encode_to_vec()));
        call(&seat.client.channel(), request, PathAndQuery::from_static(PLAY_CARD)).await;
        self.revision += 1;
    }
}
