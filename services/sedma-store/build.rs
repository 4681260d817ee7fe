//! Compiles the stored records, without a `protoc` on the machine.

use std::error::Error;

/// Records that hold cards, roots or keys: their `Debug` is written by hand and shows nothing.
const SECRET: [&str; 7] = [
    ".sedma.store.v1.Config",
    ".sedma.store.v1.Script",
    ".sedma.store.v1.SeatState",
    ".sedma.store.v1.Setup",
    ".sedma.store.v1.Snapshot",
    ".sedma.store.v1.TokenKey",
    ".sedma.store.v1.Update",
];

fn main() -> Result<(), Box<dyn Error>> {
    let protos = ["setup", "snapshot", "update", "result", "config"]
        .map(|name| format!("sedma/store/v1/{name}.proto"));
    println!("cargo:rerun-if-changed=proto");
    let records = protox::compile(&protos, ["proto"])?;
    prost_build::Config::new().skip_debug(SECRET).compile_fds(records)?;
    Ok(())
}
