//! Calls whose answers stay the bytes that came over the wire.

use std::marker::PhantomData;

use http::uri::PathAndQuery;
use prost::Message;
use prost::bytes::{Buf as _, Bytes};
use tests::v1;
use tests::{Client, within};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

use tonic::transport::Channel;
use tonic::{Status, Streaming};

use crate::answer::Answer;
use crate::mask::Masked;

/// A request, with the method that it is for.
pub(crate) trait Question: Message + 'static {
    /// The method's name.
    const METHOD: &'static str;
    /// Its path.
    const PATH: &'static str;
    /// What is answered.
    type Answer: Masked;
}

macro_rules! questions {
    ($($service:literal { $($method:literal: $request:ident -> $response:ident;)+ })+) => {
        $($(impl Question for v1::$request {
            const METHOD: &'static str = $method;
            const PATH: &'static str = concat!("/sedma.v1.", $service, "/", $method);
            type Answer = v1::$response;
        })+)+
    };
}

questions! {
    "TableService" {
        "CreateTable": CreateTableRequest -> CreateTableResponse;
        "GetTable": GetTableRequest -> GetTableResponse;
        "ListTables": ListTablesRequest -> ListTablesResponse;
        "JoinTable": JoinTableRequest -> JoinTableResponse;
        "LeaveTable": LeaveTableRequest -> LeaveTableResponse;
        "StartTable": StartTableRequest -> StartTableResponse;
        "StartNextDeal": StartNextDealRequest -> StartNextDealResponse;
        "CreateRematch": CreateRematchRequest -> CreateRematchResponse;
        "RevokeSeat": RevokeSeatRequest -> RevokeSeatResponse;
        "CloseTable": CloseTableRequest -> CloseTableResponse;
        "WatchTable": WatchTableRequest -> WatchTableResponse;
    }
    "TrickService" {
        "PlayCard": PlayCardRequest -> PlayCardResponse;
        "EndTrick": EndTrickRequest -> EndTrickResponse;
        "ExchangeHands": ExchangeHandsRequest -> ExchangeHandsResponse;
        "ListLegalActions": ListLegalActionsRequest -> ListLegalActionsResponse;
    }
    "RecordService" {
        "ListUpdates": ListUpdatesRequest -> ListUpdatesResponse;
    }
    "ScoringService" {
        "GetScore": GetScoreRequest -> GetScoreResponse;
    }
}

/// Asks; `how` says for a person what is particular about it.
pub(crate) async fn ask<Q: Question>(client: &Client, question: Q, how: &str) -> Answer {
    ask_for(client, question, how).await.0
}

/// Asks; answers the message beside the bytes, where it isn't a refusal.
pub(crate) async fn ask_for<Q: Question>(
    client: &Client,
    question: Q,
    how: &str,
) -> (Answer, Option<Q::Answer>) {
    let what = format!("{} {how}", Q::METHOD);
    let mut grpc = ready(client).await;
    let asked = grpc.unary(client.request(question), path::<Q>(), Uncoded::<Q>(PhantomData));
    match within(Q::METHOD, asked).await {
        Ok(answered) => {
            let headers = answered.metadata().clone();
            let (answer, message) = Answer::message(what, &answered.into_inner());
            (answer.beside(&headers), Some(message))
        }
        Err(status) => (Answer::refusal(what, &status), None),
    }
}

/// Opens a watch.
pub(crate) async fn watch(
    client: &Client,
    question: v1::WatchTableRequest,
) -> Result<Streaming<Bytes>, Status> {
    let codec = Uncoded::<v1::WatchTableRequest>(PhantomData);
    let mut grpc = ready(client).await;
    let opening = grpc.server_streaming(client.request(question), path::<v1::WatchTableRequest>(), codec);
    Ok(within("WatchTable", opening).await?.into_inner())
}

async fn ready(client: &Client) -> tonic::client::Grpc<Channel> {
    let mut grpc = tonic::client::Grpc::new(client.channel());
    grpc.ready().await.expect("a connection that lives");
    grpc
}

fn path<Q: Question>() -> PathAndQuery {
    PathAndQuery::from_static(Q::PATH)
}

/// Requests are encoded, answers stay bytes.
struct Uncoded<Q>(PhantomData<fn(Q)>);

impl<Q: Question> Codec for Uncoded<Q> {
    type Encode = Q;
    type Decode = Bytes;
    type Encoder = Uncoded<Q>;
    type Decoder = Whole;

    fn encoder(&mut self) -> Self::Encoder {
        Uncoded(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        Whole
    }
}

impl<Q: Question> Encoder for Uncoded<Q> {
    type Item = Q;
    type Error = Status;

    fn encode(&mut self, question: Q, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        question.encode(buffer).map_err(|error| Status::internal(error.to_string()))
    }
}

/// Answers the bytes of a message.
struct Whole;

impl Decoder for Whole {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
