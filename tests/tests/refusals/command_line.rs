//! What `sedmad` says to a configuration that can't be used: why, and the exit code that tells supervisors not to try again.

use std::process::Stdio;

use tests::process::binary;
use tests::within;
use tokio::process::Command;

/// Exit code and error output.
async fn sedmad(flags: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(binary("sedmad"));
    command.args(flags).stdin(Stdio::null()).kill_on_drop(true);
    let output = within("the end of sedmad", command.output()).await.expect("sedmad");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[tokio::test]
async fn a_bad_configuration_ends_it_with_64_and_says_why() {
    let bad: [(&[&str], &str); 8] = [
        (&["--nope"], "--nope"),
        (&["--listen", "x"], "--listen"),
        (&["--open-lifetime", "1"], "--open-lifetime"),
        (&["--result-lifetime", "1ms"], "result-lifetime"),
        (&["--redis-url", "banana"], "address of Redis"),
        (&["--redis-url", ""], "--redis-url"),
        (&["--redis-url", "redis-sentinel://127.0.0.1:1"], "address of Redis"),
        (&["--redis-url", "redis-cluster://127.0.0.1:1/3"], "address of Redis"),
    ];
    for (flags, says) in bad {
        let (code, said) = sedmad(&[&["--listen", "127.0.0.1:0"], flags].concat()).await;
        assert_eq!(code, Some(64), "{flags:?}: {said}");
        assert!(said.contains(says), "{flags:?}: {said}");
    }
}

#[tokio::test]
async fn help_and_version_are_no_errors() {
    for flag in ["--help", "--version"] {
        assert_eq!(sedmad(&[flag]).await, (Some(0), String::new()), "{flag}");
    }
}
