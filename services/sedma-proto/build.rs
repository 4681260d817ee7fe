//! Compiles the public protos, without a `protoc` on the machine.

use std::{env, error::Error, fs, path::PathBuf};

const PACKAGE: &str = "sedma/v1";
/// Credentials: their `Debug` is written by hand and does not show them.
const SECRET: [&str; 2] = [".sedma.v1.SeatToken", ".sedma.v1.WatchToken"];

fn main() -> Result<(), Box<dyn Error>> {
    let module = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    let mut protos = Vec::new();
    for entry in fs::read_dir(module.join(PACKAGE))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "proto") {
            protos.push(path);
        }
    }
    protos.sort();

    // tonic-prost-build 0.14 takes `emit_rerun_if_changed` and prints nothing
    // (https://github.com/grpc/grpc-rust/issues/2511). The folder is for files that come and go.
    println!("cargo:rerun-if-changed={}", module.join(PACKAGE).display());
    for proto in &protos {
        println!("cargo:rerun-if-changed={}", proto.display());
    }

    let mut compiler = protox::Compiler::new([&module])?;
    compiler.include_imports(true).include_source_info(true).open_files(&protos)?;

    // Encoded by protox itself: a set that went through prost's types would have lost its options.
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("sedma.v1.binpb"), compiler.encode_file_descriptor_set())?;

    tonic_prost_build::configure()
        .build_client(true)
        .build_server(false)
        .build_transport(cfg!(feature = "channel"))
        .bytes(".")
        // Maps in key order: the same message has the same bytes, which a request's hash is made over.
        .btree_map(".")
        .skip_debug(SECRET)
        .compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
