//! Tables as tests make them, and matches as transcripts.

use sedma_proto::v1;

use crate::cards::Deck;
use crate::client::{Client, request_id};
use crate::seat::Seat;
use crate::views::public;

/// A table to be made: named players `p1`, `p2`, .. at every seat, and as many scripted deals as are added.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// The whole request, to be changed at will.
    pub request: v1::CreateTableRequest,
    seats: i32,
}

impl NewTable {
    /// Four seats, seat 4 deals first and seat 1 leads.
    pub fn classic() -> Self {
        Self::with_rules(v1::SedmaRules { preset: "classic".to_owned(), ..v1::SedmaRules::default() }, 4)
    }

    /// Two seats, seat 2 deals first and seat 1 leads.
    pub fn two() -> Self {
        Self::with_rules(v1::SedmaRules { preset: "two".to_owned(), ..v1::SedmaRules::default() }, 2)
    }

    /// A preset with so many seats, of which the last deals first.
    pub fn preset(name: &str, seats: i32) -> Self {
        let preset = name.to_owned();
        Self::with_rules(v1::SedmaRules { preset, seats: Some(seats), ..v1::SedmaRules::default() }, seats)
    }

    /// These rules, which are for so many seats.
    pub fn with_rules(rules: v1::SedmaRules, seats: i32) -> Self {
        let request = v1::CreateTableRequest {
            request_id: request_id(),
            rules: Some(game_rules(rules)),
            spectators: v1::SpectatorPolicy::Allowed.into(),
            seats: (1..=seats).map(player).collect(),
            script: Some(v1::Script { first_dealer_seat: seats, ..v1::Script::default() }),
            ..v1::CreateTableRequest::default()
        };
        Self { request, seats }
    }

    /// Adds the next deal: hands in the order of the seats, and the stock from its top. What is left out is filled up;
    /// see [`Deck::pack`]. The deal's dealer is the seat after the last one's, as the rotation of most presets has it.
    #[must_use]
    pub fn deal(mut self, hands: &[&str], stock: &str) -> Self {
        let seats = self.seats;
        let script = self.script();
        let dealt = i32::try_from(script.packs.len()).expect("deals");
        let dealer = (script.first_dealer_seat - 1 + dealt) % seats + 1;
        self.dealt_by(dealer, hands, stock)
    }

    /// The same, for a deal that this seat deals.
    #[must_use]
    pub fn dealt_by(mut self, dealer: i32, hands: &[&str], stock: &str) -> Self {
        let mut hands = hands.to_vec();
        hands.resize(usize::try_from(self.seats).expect("seats"), "");
        let seats = self.seats;
        let pack = Deck::by(self.rules(), seats).pack(dealer, &hands, stock);
        self.script().packs.push(pack);
        self
    }

    /// The same with other options; before [`Self::deal`] where they change what is dealt.
    #[must_use]
    pub fn changed(mut self, change: impl FnOnce(&mut v1::SedmaRules)) -> Self {
        change(self.rules());
        self
    }

    /// Deals are started by `StartNextDeal`.
    #[must_use]
    pub fn pausing_between_deals(mut self) -> Self {
        self.request.between_deals = v1::BetweenDeals::Manual.into();
        self
    }

    /// When the match starts.
    #[must_use]
    pub fn starting(mut self, policy: v1::StartPolicy) -> Self {
        self.request.start_policy = policy.into();
        self
    }

    /// So many game points end the match.
    #[must_use]
    pub fn to(self, game_points: i32) -> Self {
        self.changed(|rules| rules.match_target = Some(game_points))
    }

    /// Nobody has a seat yet.
    #[must_use]
    pub fn with_open_seats(mut self) -> Self {
        self.request.seats.clear();
        self
    }

    fn rules(&mut self) -> &mut v1::SedmaRules {
        match self.request.rules.as_mut().and_then(|rules| rules.game.as_mut()) {
            Some(v1::game_rules::Game::Sedma(rules)) => rules,
            None => panic!("a table without rules"),
        }
    }

    fn script(&mut self) -> &mut v1::Script {
        self.request.script.as_mut().expect("a script")
    }

    /// Makes the table.
    pub async fn create(self, door: &Client) -> Table {
        let created = door.create_table(self.request).await.expect("a new table");
        let name = public(created.view.as_ref().expect("a view")).name.clone();
        let seats = created.seat_tokens.iter().map(|token| Seat::new(door, &name, token)).collect();
        Table { platform: door.clone(), name, seats }
    }

    /// Makes the table, and lets every player say "here": the match has started.
    pub async fn start(self, door: &Client) -> Table {
        let table = self.create(door).await;
        for seat in &table.seats {
            seat.join().await.expect("a seat that joins");
        }
        table
    }
}

/// Rules of the Sedma family as a game's.
pub fn game_rules(rules: v1::SedmaRules) -> v1::GameRules {
    v1::GameRules { game: Some(v1::game_rules::Game::Sedma(rules)), ..v1::GameRules::default() }
}

fn player(seat: i32) -> v1::NewSeat {
    v1::NewSeat {
        player_id: format!("p{seat}"),
        display_name: format!("Player {seat}"),
        ..v1::NewSeat::default()
    }
}

/// A table with its players.
#[derive(Clone, Debug)]
pub struct Table {
    /// The platform's client.
    pub platform: Client,
    /// Name of the table.
    pub name: String,
    /// The holders of the seats, as far as they are known.
    pub seats: Vec<Seat>,
}

impl Table {
    /// The holder of a seat.
    pub fn seat(&self, number: i32) -> &Seat {
        let found = self.seats.iter().find(|seat| seat.number == number);
        found.unwrap_or_else(|| panic!("nobody is known to have seat {number}"))
    }

    /// The same table and players at another door.
    #[must_use]
    pub fn at(&self, door: &Client) -> Self {
        let seats = self.seats.iter().map(|seat| seat.at(door)).collect();
        Self { platform: door.clone(), name: self.name.clone(), seats }
    }

    /// Plays a transcript such as `["1:10h", "2:7c", "1:end"]`, whose words are those of [`Seat::act`]; answers what the
    /// last action was answered with.
    pub async fn play(&self, plays: &[&str]) -> v1::PlayCardResponse {
        let mut last = None;
        for play in plays {
            let (seat, word) = self.parse(play);
            let played = seat.act(word).await;
            last = Some(played.unwrap_or_else(|status| panic!("{play} was refused: {status:?}")));
        }
        last.expect("a transcript with at least one action")
    }

    /// The seat and the word of one line of a transcript.
    pub fn parse<'a>(&self, play: &'a str) -> (&Seat, &'a str) {
        let (seat, card) = play.split_once(':').unwrap_or_else(|| panic!("{play} is no play such as 1:10h"));
        (self.seat(seat.parse().unwrap_or_else(|_| panic!("{play} is no play such as 1:10h"))), card)
    }

    /// The public view, as the platform has it.
    pub async fn view(&self) -> v1::TableView {
        self.view_of(&[]).await
    }

    /// The platform's view with the hands of these seats.
    pub async fn view_of(&self, seats: &[i32]) -> v1::TableView {
        let request = v1::GetTableRequest {
            name: self.name.clone(),
            seats: seats.to_vec(),
            ..v1::GetTableRequest::default()
        };
        self.platform.get_table(request).await.expect("the platform's view").view.expect("a view")
    }

    /// The newest revision.
    pub async fn revision(&self) -> i64 {
        public(&self.view().await).revision
    }

    /// Closes the table.
    pub async fn close(&self) -> v1::CloseTableResponse {
        let request = v1::CloseTableRequest {
            name: self.name.clone(),
            request_id: request_id(),
            ..v1::CloseTableRequest::default()
        };
        self.platform.close_table(request).await.expect("a closed table")
    }

    /// Revokes the tokens of a seat.
    pub async fn revoke(&self, seat: i32) -> v1::RevokeSeatResponse {
        let request = v1::RevokeSeatRequest { name: self.name.clone(), request_id: request_id(), seat };
        self.platform.revoke_seat(request).await.expect("a revoked seat")
    }

    /// The holder of a seat with a token that was made just now.
    pub async fn issue(&self, seat: i32) -> Seat {
        let request = v1::IssueSeatTokenRequest { name: self.name.clone(), seat };
        let issued = self.platform.issue_seat_token(request).await.expect("a new token");
        Seat::new(&self.platform, &self.name, issued.seat_token.as_ref().expect("a token"))
    }

    /// A spectator's client.
    pub async fn spectator(&self) -> Client {
        let request = v1::IssueWatchTokenRequest { name: self.name.clone() };
        let issued = self.platform.issue_watch_token(request).await.expect("a watch token");
        self.platform.with_token(&issued.watch_token.expect("a token").token)
    }

    /// Seats a player as the platform does.
    pub fn join_request(&self, seat: i32, player_id: &str) -> v1::JoinTableRequest {
        v1::JoinTableRequest {
            name: self.name.clone(),
            request_id: request_id(),
            seat,
            player_id: player_id.to_owned(),
            ..v1::JoinTableRequest::default()
        }
    }
}
