//! What a viewer got for an answer, as bytes.

use std::collections::BTreeMap;
use std::fmt::Debug;

use prost::Message;
use prost::bytes::Bytes;
use tests::v1;
use tonic::Status;
use tonic::metadata::MetadataMap;
use tonic_types::pb;

use crate::mask::Masked;
use crate::seen::About;

/// One answer: a message, or a refusal.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// What was asked.
    pub(crate) what: String,
    /// Whether it is a refusal.
    pub(crate) refused: bool,
    /// The message as it came, but for the rules of the game in it; or a refusal's details.
    pub(crate) raw: Bytes,
    /// The same without what is bound to differ; a refusal with its code and sentence.
    pub(crate) masked: Bytes,
    /// What came beside it: headers and trailers, without the date.
    pub(crate) headers: Vec<String>,
    /// What it tells about, and so which cards may be in it.
    pub(crate) about: Vec<About>,
    /// The card that was asked about: a refusal repeats it, whether or not the viewer has seen it.
    pub(crate) asked: Option<v1::Card>,
    /// The masked message as text.
    pub(crate) show: fn(&[u8]) -> String,
}

impl Answer {
    /// An accepted call's message, or one of a stream.
    pub(crate) fn message<M: Masked>(what: String, raw: &Bytes) -> (Self, M) {
        let mut message = M::decode(raw.clone()).expect("a message as in the protos");
        assert_eq!(&message.encode_to_vec(), raw, "{what}: there is more in the bytes than the protos know");
        let answered = message.clone();
        message.mask();
        let masked = message.encode_to_vec().into();
        let raw = answered.clone().without_rules().encode_to_vec().into();
        (Self::new(what, false, raw, masked, show::<M>), answered)
    }

    /// A refusal. Nothing in one is masked; it is compared as text, for its metadata are in no order.
    pub(crate) fn refusal(what: String, status: &Status) -> Self {
        let raw = Bytes::copy_from_slice(status.details());
        let head = format!("{:?}: {}", status.code(), status.message());
        let lines: Vec<String> = [head].into_iter().chain(details(status)).collect();
        let masked = lines.join("\n").into();
        Self::new(what, true, raw, masked, plain).beside(status.metadata())
    }

    fn new(what: String, refused: bool, raw: Bytes, masked: Bytes, show: fn(&[u8]) -> String) -> Self {
        let (headers, about, asked) = (Vec::new(), Vec::new(), None);
        Self { what, refused, raw, masked, headers, about, asked, show }
    }

    /// The same, with what came beside it.
    #[must_use]
    pub(crate) fn beside(mut self, headers: &MetadataMap) -> Self {
        let headers = headers.clone().into_headers();
        let shown = headers.iter().filter(|(name, _)| *name != "date");
        self.headers = shown.map(|(name, value)| format!("{name}: {value:?}")).collect();
        self.headers.sort();
        self
    }

    /// The same, about this.
    #[must_use]
    pub(crate) fn about(mut self, about: impl IntoIterator<Item = About>) -> Self {
        self.about.extend(about);
        self
    }

    /// The same, asked for with this card.
    #[must_use]
    pub(crate) fn asked(mut self, card: v1::Card) -> Self {
        self.asked = Some(card);
        self
    }

    /// As text, without what was masked.
    pub(crate) fn text(&self) -> String {
        (self.show)(&self.masked)
    }
}

fn show<M: Message + Default + Debug>(bytes: &[u8]) -> String {
    format!("{:#?}", M::decode(bytes).expect("a message"))
}

fn plain(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A refusal's details, a line each.
fn details(status: &Status) -> Vec<String> {
    let whole = pb::Status::decode(status.details()).expect("details that are a google.rpc.Status");
    assert_eq!(whole.encode_to_vec(), status.details(), "there is more in the details than the protos know");
    let line = |any: &prost_types::Any| match any.type_url.rsplit('.').next() {
        Some("ErrorInfo") => {
            let info = known::<pb::ErrorInfo>(any);
            let metadata: BTreeMap<_, _> = info.metadata.iter().collect();
            format!("{} {} {metadata:?}", info.reason, info.domain)
        }
        Some("Refusal") => format!("{:?}", known::<v1::Refusal>(any)),
        _ => format!("{} {}", any.type_url, any.value.escape_ascii()),
    };
    let head = format!("{} {}", whole.code, whole.message);
    [head].into_iter().chain(whole.details.iter().map(line)).collect()
}

/// A detail of this type, with nothing more in it than that. (Entries of a map have no order, but a length.)
fn known<M: Message + Default>(any: &prost_types::Any) -> M {
    let message = M::decode(&*any.value).expect("a detail as in its proto");
    assert_eq!(
        message.encoded_len(),
        any.value.len(),
        "there is more in {} than its proto knows",
        any.type_url
    );
    message
}
