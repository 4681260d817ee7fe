//! Clocks that go wrong: processes under faketime.

/// Where the library is that fakes a process's time, for `LD_PRELOAD`.
pub fn library() -> String {
    let asked = std::process::Command::new("faketime")
        .args(["-m", "-f", "+0", "printenv", "LD_PRELOAD"])
        .output()
        .unwrap_or_else(|error| {
            panic!("faketime can't be started ({error}); run tests/setup.sh, which installs it")
        });
    String::from_utf8(asked.stdout).expect("a path").trim().to_owned()
}
