//! How messages become bytes: prost's coding, with refusals that say what is wrong, and a second face for answers that
//! are encoded once for many watchers.

use std::marker::PhantomData;

use bytes::{Buf, BufMut, Bytes};
use prost::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

use crate::status;

/// Answers are messages.
#[derive(Debug)]
pub(crate) struct MessageCodec<Answer, Question>(PhantomData<fn() -> (Answer, Question)>);

/// Answers are encoded already.
#[derive(Debug)]
pub(crate) struct EncodedCodec<Question>(PhantomData<fn() -> Question>);

impl<A, Q> Default for MessageCodec<A, Q> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<Q> Default for EncodedCodec<Q> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<A, Q> Codec for MessageCodec<A, Q>
where
    A: Message + 'static,
    Q: Message + Default + 'static,
{
    type Encode = A;
    type Decode = Q;
    type Encoder = MessageEncoder<A>;
    type Decoder = MessageDecoder<Q>;

    fn encoder(&mut self) -> Self::Encoder {
        MessageEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        MessageDecoder::default()
    }
}

impl<Q> Codec for EncodedCodec<Q>
where
    Q: Message + Default + 'static,
{
    type Encode = Bytes;
    type Decode = Q;
    type Encoder = BytesEncoder;
    type Decoder = MessageDecoder<Q>;

    fn encoder(&mut self) -> Self::Encoder {
        BytesEncoder
    }

    fn decoder(&mut self) -> Self::Decoder {
        MessageDecoder::default()
    }
}

/// Encodes one message.
#[derive(Debug)]
pub(crate) struct MessageEncoder<A>(PhantomData<fn() -> A>);

impl<A: Message> Encoder for MessageEncoder<A> {
    type Item = A;
    type Error = Status;

    fn encode(&mut self, item: A, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // EncodeBuf grows, so the one failing case, a full buffer, can't be met.
        item.encode(buffer).map_err(|error| status::invariant(&error.to_string()))
    }
}

/// Passes encoded messages on.
#[derive(Debug)]
pub(crate) struct BytesEncoder;

impl Encoder for BytesEncoder {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.reserve(item.len());
        buffer.put(item);
        Ok(())
    }
}

/// Decodes the one message of a request; what is none, and a second one, is the caller's mistake and said so.
#[derive(Debug)]
pub(crate) struct MessageDecoder<Q> {
    /// tonic reads a request to its end before any handler sees it, and would drop a second message in silence.
    decoded: bool,
    message: PhantomData<fn() -> Q>,
}

impl<Q> Default for MessageDecoder<Q> {
    fn default() -> Self {
        Self { decoded: false, message: PhantomData }
    }
}

impl<Q: Message + Default> Decoder for MessageDecoder<Q> {
    type Item = Q;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Q>, Status> {
        let length = buffer.remaining();
        if std::mem::replace(&mut self.decoded, true) {
            buffer.advance(length);
            return Err(status::malformed("it has a second message"));
        }
        match Q::decode(&mut *buffer) {
            Ok(message) => Ok(Some(message)),
            Err(error) => {
                // What the failed decoder left would be taken for the next message.
                buffer.advance(buffer.remaining());
                Err(status::malformed(&format!("{length} bytes are not the request's message: {error}")))
            }
        }
    }
}
