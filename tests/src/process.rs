//! The server's own binary as a child process.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use crate::client::Client;
use crate::redis::Redis;
use crate::server::serving;
use crate::wait::within;

/// Flags that make a process go away quickly when it is told to.
const QUICK: [&str; 6] = ["--drain-delay", "100ms", "--drain-spread", "200ms", "--drain-grace", "2s"];

/// How often what it has written is looked at.
const POLL: Duration = Duration::from_millis(20);

/// A running `sedmad`; killed when dropped.
pub struct Process {
    child: Child,
    address: SocketAddr,
    output: Arc<Mutex<Vec<String>>>,
}

impl Process {
    /// A process on this Redis that takes scripts and drains quickly, once its health says SERVING.
    pub async fn redis(redis: &Redis) -> Self {
        let url = redis.url();
        Self::start(&[&["--allow-scripted", "--redis-url", &url], QUICK.as_slice()].concat()).await
    }

    /// A process that keeps tables in its memory, otherwise the same.
    pub async fn memory() -> Self {
        Self::start(&[&["--allow-scripted"], QUICK.as_slice()].concat()).await
    }

    /// A process with these flags beside address and log format, once its health says SERVING.
    pub async fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, &[]).await
    }

    /// The same with these environment variables, and no others but `PATH`.
    pub async fn start_with(flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let process = Self::listen_with(flags, environment).await;
        serving(process.address).await;
        process
    }

    /// A process on the Redis at this address, as soon as it listens: its Redis need not answer.
    pub async fn listen(redis_url: &str) -> Self {
        Self::listen_with(&[&["--allow-scripted", "--redis-url", redis_url], QUICK.as_slice()].concat(), &[])
            .await
    }

    /// A process with these flags and environment variables, as soon as it listens.
    pub async fn listen_with(flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let arguments = [&["--listen", "127.0.0.1:0", "--log", "json"], flags].concat();
        Self::launch("sedmad", &arguments, environment).await
    }

    /// A process of this binary with these arguments and environment variables, and no others but `PATH`, once its
    /// health says SERVING. It must log as JSON.
    pub async fn run(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let process = Self::launch(name, arguments, environment).await;
        serving(process.address).await;
        process
    }

    async fn launch(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(binary(name))
            .args(arguments)
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a child process");
        let output = Arc::new(Mutex::new(Vec::new()));
        let (listening, address) = oneshot::channel();
        keep_lines(child.stdout.take().expect("its output"), output.clone(), Some(listening));
        keep_lines(child.stderr.take().expect("its errors"), output.clone(), None);
        let Ok(address) = within("the line that says `listening`", address).await else {
            panic!("{name} did not start to listen; it said: {:#?}", output.lock().unwrap());
        };
        Self { child, address, output }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A platform's client, on a connection of its own.
    pub async fn platform(&self) -> Client {
        Client::connect(self.address).await
    }

    /// What it has written so far, line by line; what went to the two outputs is mixed.
    pub fn output(&self) -> Vec<String> {
        self.output.lock().unwrap().clone()
    }

    /// Waits until it has written a line with these words; answers the line.
    pub async fn says(&self, words: &str) -> String {
        let said = async {
            loop {
                if let Some(line) = self.output().into_iter().find(|line| line.contains(words)) {
                    return line;
                }
                tokio::time::sleep(POLL).await;
            }
        };
        within(words, said).await
    }

    /// Ends it at once, without a goodbye.
    pub async fn kill_9(mut self) {
        self.child.start_kill().expect("a process to kill");
        within("the end of a killed process", self.child.wait()).await.expect("its status");
    }

    /// Its number among the system's processes.
    pub fn id(&self) -> u32 {
        self.child.id().expect("a running process")
    }

    /// Asks it to drain, as an orchestrator does.
    pub fn sigterm(&self) {
        self.signal("TERM");
    }

    /// Stops it in its tracks, as a machine that is suspended would be.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let id = self.id().to_string();
        let sent = std::process::Command::new("kill").args(["-s", signal, &id]).status().expect("kill");
        assert!(sent.success());
    }

    /// Its exit status, once it has ended by itself.
    pub async fn ended(&mut self) -> ExitStatus {
        within("the end of the process", self.child.wait()).await.expect("its status")
    }

    /// Asks it to drain and waits for its end, which must be exit 0: it is another one where a handler panicked.
    pub async fn terminate(mut self) {
        self.sigterm();
        let status = self.ended().await;
        assert!(status.success(), "{status}; it said: {:#?}", self.output());
    }
}

/// A binary of this workspace, as it was built for the profile that the tests are.
pub fn binary(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the test's own path");
    let profile = own.parent().and_then(std::path::Path::parent).expect("the profile's folder");
    let path = profile.join(name);
    assert!(path.exists(), "{} is missing; run `cargo build --bins` first", path.display());
    path
}

/// Keeps what a process writes, and tells the address that it listens on.
fn keep_lines(
    from: impl AsyncRead + Send + Unpin + 'static,
    into: Arc<Mutex<Vec<String>>>,
    mut listening: Option<oneshot::Sender<SocketAddr>>,
) {
    tokio::spawn(async move {
        let mut lines = BufReader::new(from).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(address) = listening_address(&line)
                && let Some(listening) = listening.take()
            {
                let _ = listening.send(address);
            }
            into.lock().unwrap().push(line);
        }
    });
}

fn listening_address(line: &str) -> Option<SocketAddr> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    (line["message"] == "listening").then(|| line["address"].as_str()?.parse().ok()).flatten()
}
