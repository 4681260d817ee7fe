//! The public contract as Rust types, generated from `proto/sedma/v1`.
//!
//! Message types and clients are in [`v1`]. There is no generated server: the gRPC face routes by
//! hand. The feature `channel` lets the clients connect by themselves. Credentials never show in `Debug`.

mod secret;

/// Package `sedma.v1`.
#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub, unused_qualifications)]
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/sedma.v1.rs"));
}

/// Every file of the package and what it imports, with comments and options: for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sedma.v1.binpb"));

#[cfg(test)]
mod tests {
    use prost::Message as _;

    #[test]
    fn the_descriptor_set_has_comments_and_imports() {
        let set = prost_types::FileDescriptorSet::decode(super::FILE_DESCRIPTOR_SET).unwrap();
        let file = |name: &str| set.file.iter().find(|file| file.name() == name).unwrap();
        file("google/protobuf/timestamp.proto");
        let tables = file("sedma/v1/table_service.proto");
        let comments = tables.source_code_info.as_ref().unwrap();
        assert!(comments.location.iter().any(|place| place.leading_comments().contains("Creates a table.")));
    }
}
