//! Calls whose connection breaks at the worst moment.

use std::time::Duration;

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tests::views::{facts, hand, public};
use tests::{Client, NewTable, Redis, Server, Table, Way, Wire, World, hours, reason, v1, within};
use tonic::{Code, Status};
use v1::event::Fact;

use crate::deals::{assert_no_card_is_doubled, deal};
use crate::ledger::{audited, count};
use crate::moves::{from_now_on, slow_turns, time_runs_out};

/// Two replicas on one Redis, the first of them at the end of a wire.
struct CutOff {
    servers: [Server; 2],
    wire: Wire,
    /// Through the wire.
    doomed: Client,
    /// At the other replica.
    sound: Client,
    _redis: Redis,
}

impl CutOff {
    async fn start() -> Self {
        let redis = Redis::start();
        let servers = [Server::redis(&redis).await, Server::redis(&redis).await];
        let wire = Wire::to(servers[0].address()).await;
        let (doomed, sound) = (Client::connect(wire.address()).await, servers[1].platform().await);
        Self { servers, wire, doomed, sound, _redis: redis }
    }

    /// Makes a call whose answer does not arrive: the wire is cut when it has `happened`.
    async fn unanswered<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, Status>> + Send + 'static,
        happened: impl Future<Output = ()>,
    ) {
        self.wire.swallow(Way::ToClient);
        let calling = tokio::spawn(call);
        happened.await;
        self.wire.cut();
        let answer = within("the end of a call that was cut off", calling).await.expect("a call");
        let Err(lost) = answer else { panic!("an answer came through a wire that swallows them") };
        // What the client library makes of it; the service has said nothing.
        assert!(matches!(lost.code(), Code::Unavailable | Code::Unknown), "{lost:?}");
        self.wire.mend();
    }

    async fn stop(self) {
        drop((self.doomed, self.sound));
        for server in self.servers {
            server.stop().await;
        }
    }
}

/// UNAVAILABLE was taken for "not done", and it was done twice. <https://github.com/grpc/grpc-java/issues/3747>
/// <https://github.com/grpc/grpc-go/issues/2590> <https://github.com/googleapis/google-cloud-ruby/pull/1572>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d08_a_card_whose_answer_was_cut_off_is_answered_by_the_other_replica() {
    let world = CutOff::start().await;
    let table = deal().start(&world.sound).await;
    let mut watch = from_now_on(&table).await;
    let seat = table.seat(1).at(&world.doomed);
    let request = seat.card_request(public(&seat.view().await).revision, "8h");
    let call = {
        let request = request.clone();
        async move { seat.client.play_card(request).await }
    };
    let mut update = None;
    world.unanswered(call, async { update = Some(watch.update().await) }).await;

    let played = update.unwrap();
    let again = table.seat(1).client.play_card(request).await.expect("the same request again");
    assert_eq!((again.replayed, again.revision), (true, played.revision));
    assert_eq!(again.update.as_ref().map(facts), Some(facts(&played)));
    assert_eq!(table.revision().await, played.revision);
    assert_no_card_is_doubled(&table).await;
    world.stop().await;
}

/// The same of a seat that is taken. <https://github.com/grpc/grpc-java/issues/3747>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d08_a_join_whose_answer_was_cut_off_has_taken_one_seat() {
    let world = CutOff::start().await;
    let table = NewTable::classic().with_open_seats().create(&world.sound).await;
    let mut watch = from_now_on(&table).await;
    let request = table.join_request(0, "anna");
    let call = {
        let (doomed, request) = (world.doomed.clone(), request.clone());
        async move { doomed.join_table(request).await }
    };
    world.unanswered(call, async { drop(watch.update().await) }).await;

    let again = world.sound.join_table(request).await.expect("the same request again");
    assert!(again.replayed);
    let own = again.seat_token.as_ref().expect("the token that did not arrive").seat;
    let taken: Vec<i32> =
        public(&table.view().await).seats.iter().filter(|seat| seat.taken).map(|seat| seat.seat).collect();
    assert_eq!(taken, [own]);
    let history = audited(&table, &world.sound).await;
    assert_eq!(count(&history, |fact| matches!(fact, Fact::SeatTaken(_))), 1);
    world.stop().await;
}

/// The same of a new table. <https://github.com/grpc/grpc-java/issues/3747>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d08_a_creation_whose_answer_was_cut_off_has_made_one_table() {
    let world = CutOff::start().await;
    // The connection is there before its answers are lost.
    world.doomed.list_tables(v1::ListTablesRequest::default()).await.unwrap();
    let request = deal().request;
    let listed = async || {
        let answer = world.sound.list_tables(v1::ListTablesRequest::default()).await.unwrap();
        answer.tables.into_iter().map(|table| table.name).collect::<Vec<_>>()
    };
    let created = async { while listed().await.is_empty() {} };
    let call = {
        let (doomed, request) = (world.doomed.clone(), request.clone());
        async move { doomed.create_table(request).await }
    };
    world.unanswered(call, within("a table that is listed", created)).await;

    let again = world.sound.create_table(request).await.expect("the same request again");
    assert!(again.replayed);
    assert_eq!(again.seat_tokens.len(), 4, "the tokens that did not arrive");
    assert_eq!(listed().await, [public(again.view.as_ref().unwrap()).name.clone()]);
    world.stop().await;
}

/// Whether the comment of every `request_id` says what a repeat without one is.
fn said_of_request_ids() {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let mut said = 0;
    for file in set.file.iter().filter(|file| file.package() == "sedma.v1") {
        let comments = &file.source_code_info.as_ref().unwrap().location;
        for (message, of) in (0..).zip(&file.message_type) {
            let Some(field) = of.field.iter().position(|field| field.name() == "request_id") else {
                continue;
            };
            let path = [4, message, 2, i32::try_from(field).unwrap()];
            let comment = comments.iter().find(|place| place.path == path).unwrap().leading_comments();
            let without = ["Required.", "Empty: a repeat is a new", "as in PlayCardRequest."];
            let is_said = without.iter().any(|said| comment.contains(said));
            assert!(is_said, "{}: {comment}", of.name());
            said += 1;
        }
    }
    assert!(said >= 17, "only {said} requests have an id");
}

/// The same without a request id: the protos say that it is not safe, and it is not.
/// <https://github.com/grpc/grpc-java/issues/3747>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d08_without_a_request_id_a_repeat_is_a_new_call_as_the_protos_say() {
    said_of_request_ids();
    let world = World::redis().await;
    let table = deal().start(world.a()).await;
    let bare = |revision| v1::PlayCardRequest {
        request_id: String::new(),
        ..table.seat(1).card_request(revision, "8h")
    };
    let before = table.revision().await;
    table.seat(1).client.play_card(bare(before)).await.unwrap();
    let elsewhere = table.seat(1).at(world.b()).client;
    assert_eq!(reason(&elsewhere.play_card(bare(before)).await.unwrap_err()), "STALE_REVISION");
    assert_eq!(reason(&elsewhere.play_card(bare(before + 1)).await.unwrap_err()), "NOT_YOUR_TURN");

    let open = NewTable::classic().with_open_seats().create(world.a()).await;
    for door in [world.a(), world.b()] {
        let bot = v1::AddBotRequest { request_id: String::new(), ..open.add_bot_request(0) };
        assert!(!door.add_bot(bot).await.unwrap().replayed);
    }
    let taken = public(&open.view().await).seats.iter().filter(|seat| seat.taken).count();
    assert_eq!(taken, 2, "two calls, two bots");
    world.stop().await;
}

/// A player saw the clock run on, thought that he had played, and had lost.
/// <https://github.com/lichess-org/lila/issues/18515> <https://github.com/lichess-org/lila/issues/5624>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f02_a_player_whose_card_was_lost_on_its_way_sees_that_it_was_not_played() {
    let world = CutOff::start().await;
    let new = NewTable::two().deal(&["8h 9h Jh Qh"], "").timed(slow_turns());
    let table: Table = new.start(&world.sound).await;
    let seat = table.seat(1).at(&world.doomed);
    let before = table.revision().await;
    let mut watch = seat.watch().await;
    watch.snapshot().await;

    world.wire.swallow(Way::ToServer);
    let request = seat.card_request(before, "8h");
    let hurried = seat.client.with_deadline(Duration::from_millis(300));
    let lost = hurried.play_card(request.clone()).await.expect_err("a card that never arrived");
    assert!(matches!(lost.code(), Code::DeadlineExceeded | Code::Cancelled), "{lost:?}");

    // What the watch tells on the same connection: it is still his turn, and until when.
    table.extend(hours(2)).await;
    let told = watch.update().await;
    let view = told.after.as_ref().unwrap();
    let public_table = public(view);
    assert_eq!((told.revision, public_table.turn_seat), (before + 1, 1));
    assert_eq!(tests::timing::waits(&told), Some(2 * 60 * 60 * 1_000));
    assert!(public_table.turn_revision <= before, "no turn has begun since he sent his card");
    assert_eq!(hand(view, 1), "8h 9h Jh Qh");

    let missed = time_runs_out(&table, &mut from_now_on(&table).await).await;
    let told = watch.until(|update| update.revision == missed.revision).await.pop().unwrap();
    assert_eq!(facts(&told)[0], &Fact::TurnMissed(v1::TurnMissed { seat: 1 }));
    assert_eq!(public(told.after.as_ref().unwrap()).turn_seat, 2);

    // Nor is it taken afterwards: it was for a turn that is over.
    let late = table.seat(1).client.play_card(request).await.unwrap_err();
    assert_eq!((late.code(), reason(&late).as_str()), (Code::Aborted, "STALE_REVISION"));
    let history = audited(&table, &world.sound).await;
    assert_eq!(count(&history, |fact| matches!(fact, Fact::CardPlayed(_))), 1, "the bot's");
    world.stop().await;
}
