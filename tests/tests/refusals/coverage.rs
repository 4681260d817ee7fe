//! Every reason that error.proto has is tested here, or cannot be given yet.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tests::v1::ErrorReason as Reason;

use crate::law::code;

/// Reasons that no call of this release can give, and why.
const NOT_YET: [(Reason, &str); 1] =
    [(Reason::TokenMissing, "without authentication a call without a credential is the platform's")];

/// Everything that says which refusal a call must get.
const TESTS: [&str; 13] = [
    include_str!("bytes.rs"),
    include_str!("clocks.rs"),
    include_str!("contention.rs"),
    include_str!("create_fields.rs"),
    include_str!("fields.rs"),
    include_str!("illegal.rs"),
    include_str!("limits.rs"),
    include_str!("options.rs"),
    include_str!("outages.rs"),
    include_str!("play.rs"),
    include_str!("rules.rs"),
    include_str!("tables.rs"),
    include_str!("tokens.rs"),
];

/// Every reason but the one that says nothing.
fn reasons() -> impl Iterator<Item = Reason> {
    (1..=1_000).filter_map(|number| Reason::try_from(number).ok())
}

#[test]
fn every_reason_is_tested_or_cannot_be_given_yet() {
    for reason in reasons() {
        let named = format!("Reason::{reason:?}");
        let tested = TESTS.iter().any(|source| {
            source
                .match_indices(&named)
                .any(|(at, _)| source[at + named.len()..].starts_with([',', ')', ' ']))
        });
        let not_yet = NOT_YET.iter().any(|(listed, why)| *listed == reason && !why.is_empty());
        assert_ne!(tested, not_yet, "{reason:?} is either tested or not to be had yet");
    }
}

#[test]
fn the_comment_of_every_reason_begins_with_its_status_code() {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let file = set.file.iter().find(|file| file.name() == "sedma/v1/error.proto").unwrap();
    let comments = &file.source_code_info.as_ref().unwrap().location;
    let values = &file.enum_type[0].value;
    for reason in reasons() {
        let at = values.iter().position(|value| value.name() == reason.as_str_name()).unwrap();
        let path = [5, 0, 2, i32::try_from(at).unwrap()];
        let comment = comments.iter().find(|place| place.path == path).unwrap().leading_comments();
        let name: String = format!("{:?}", code(reason)).to_uppercase();
        let said = comment.trim().split(':').next().unwrap().replace('_', "");
        assert_eq!(said, name, "{reason:?}");
    }
}
