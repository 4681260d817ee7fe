//! A real redis-server for one test: on a free port of the loopback, in a folder of its own, gone with its guard.
//!
//! Shared by the test crates through `#[path]`; needs nothing but `tempfile`.

#![allow(dead_code, unreachable_pub, reason = "each test crate uses its part of it")]
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// How long a server may take to answer, or to bring its slots up.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is asked.
const POLL: Duration = Duration::from_millis(5);
/// How many ports are tried for one server.
const PORTS_TRIED: u32 = 10;
/// Ports that the system gives nobody by itself, so that no client and no other server of a test gets one of them.
const PORTS: std::ops::Range<u16> = 10_000..30_000;

/// A running redis-server.
pub struct Redis {
    program: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    arguments: Vec<String>,
    child: Option<Child>,
}

impl Redis {
    /// One that keeps nothing on disk.
    pub fn start() -> Self {
        Self::start_with(&["--save", "", "--appendonly", "no"])
    }

    /// One that has every write on disk before it answers, so that a restart loses nothing.
    pub fn start_durable() -> Self {
        Self::start_with(&["--save", "", "--appendonly", "yes", "--appendfsync", "always"])
    }

    /// One in cluster mode that serves every slot by itself.
    pub fn start_cluster() -> Self {
        let bus = free_port().to_string();
        let redis =
            Self::start_with(&["--save", "", "--cluster-enabled", "yes", "--cluster-port", bus.as_str()]);
        redis.ask(&["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
        redis
            .until("the cluster is up", |redis| redis.ask(&["CLUSTER", "INFO"]).contains("cluster_state:ok"));
        redis
    }

    /// A Valkey server that keeps nothing on disk.
    pub fn start_valkey() -> Self {
        Self::start_of(valkey(), &["--save", "", "--appendonly", "no"])
    }

    /// One with these arguments beside port, address and folder.
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::start_of("redis-server".into(), arguments)
    }

    fn start_of(program: PathBuf, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::launched(program, folder, arguments.iter().map(|&argument| argument.to_owned()).collect())
    }

    fn launched(program: PathBuf, folder: tempfile::TempDir, arguments: Vec<String>) -> Self {
        let mut redis = Self { program, folder, port: 0, arguments, child: None };
        for _ in 0..PORTS_TRIED {
            redis.port = free_port();
            if redis.try_launch() {
                return redis;
            }
        }
        panic!(
            "redis-server ended at once, {PORTS_TRIED} times over; try `redis-server --port {}`",
            redis.port
        )
    }

    /// One that other servers of a cluster can be joined with. It has no slot yet.
    pub fn start_node() -> Self {
        let bus = free_port().to_string();
        let arguments = [
            "--save",
            "",
            "--appendonly",
            "no",
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            bus.as_str(),
            "--cluster-node-timeout",
            "2000",
            "--repl-diskless-sync-delay",
            "0",
            "--cluster-require-full-coverage",
            "no",
        ];
        Self::start_with(&arguments)
    }

    /// A sentinel that looks after the primary on this port, under the name `tables`.
    pub fn start_sentinel(primary: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("sentinel.conf");
        let lines = format!(
            "sentinel monitor tables 127.0.0.1 {primary} 2\nsentinel down-after-milliseconds tables 1000\n\
             sentinel failover-timeout tables 3000\n"
        );
        std::fs::write(&file, lines).expect("a file for the sentinel");
        let file = file.to_str().expect("a readable path").to_owned();
        let sentinel = Self::launched("redis-server".into(), folder, vec![file, "--sentinel".into()]);
        // A sentinel asks a server for its role once in 10 s, and a former primary becomes a replica only when it said
        // twice, 8 s apart, that it isn't one: 20 s in all. And where it doesn't run for 2 s it does nothing for 30 s.
        for (what, milliseconds) in [("info-period", "1000"), ("tilt-trigger", "20000")] {
            assert_eq!(sentinel.ask(&["SENTINEL", "DEBUG", what, milliseconds]), "OK");
        }
        sentinel
    }

    /// The port of its cluster bus.
    pub fn bus(&self) -> &str {
        let at = self.arguments.iter().position(|argument| argument == "--cluster-port");
        at.and_then(|at| self.arguments.get(at + 1)).expect("a server in cluster mode")
    }

    /// Its port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// The folder with what it has on disk.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its number among the system's processes.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("a running redis-server").id()
    }

    /// Ends it at once, without a goodbye. What it did not have on disk is lost.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it again after [`Self::kill`], on the same port and folder.
    pub fn launch(&mut self) {
        assert!(self.try_launch(), "redis-server ended at once; is port {} taken?", self.port);
    }

    /// Starts it again after [`Self::kill`] with these arguments beside its own, and does not wait until it has read
    /// its data.
    pub fn launch_reading(&mut self, arguments: &[&str]) {
        let own = self.arguments.clone();
        self.arguments.extend(arguments.iter().map(|&argument| argument.to_owned()));
        let launched = self.try_launch_until("LOADING Redis is loading the dataset in memory");
        self.arguments = own;
        assert!(launched, "redis-server ended at once; is port {} taken?", self.port);
    }

    /// Starts it and waits until it answers. False where it ended instead, as it does when the port is taken.
    fn try_launch(&mut self) -> bool {
        self.try_launch_until("PONG")
    }

    /// The same, until it answers a `PING` with these words.
    fn try_launch_until(&mut self, words: &str) -> bool {
        // A configuration's file comes first.
        let file = usize::from(self.arguments.first().is_some_and(|first| !first.starts_with('-')));
        let (file, arguments) = self.arguments.split_at(file);
        let child = Command::new(&self.program)
            .args(file)
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--dir"])
            .arg(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) => {
                panic!("redis-server can't be started ({error}); run tests/setup.sh, which installs it")
            }
        };
        let start = now();
        // Whoever had the port first would answer as well: it must be this process.
        let mine = format!("process_id:{}\r\n", child.id());
        while self.try_ask(&["PING"]).as_deref() != Some(words)
            || !self.try_ask(&["INFO", "server"]).is_some_and(|info| info.contains(&mine))
        {
            if child.try_wait().expect("a child's status").is_some() {
                return false;
            }
            if start.elapsed() > PATIENCE {
                let _ = child.kill();
                panic!("redis-server does not answer within {PATIENCE:?}");
            }
            std::thread::sleep(POLL);
        }
        self.child = Some(child);
        true
    }

    /// Stops it in its tracks, as a machine under a heavy load would be; it neither answers nor closes.
    pub fn freeze(&self) {
        self.signal("STOP");
        let status = format!("/proc/{}/status", self.id());
        self.until("it stands still", |_| {
            std::fs::read_to_string(&status).is_ok_and(|status| status.contains("State:\tT"))
        });
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = self.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status().expect("kill");
        assert!(sent.success());
    }

    /// One command on a connection of its own; what is answered, as text.
    pub fn ask(&self, command: &[&str]) -> String {
        self.try_ask(command).expect("an answer of redis-server")
    }

    /// The same, or nothing where the server does not answer.
    pub fn try_ask(&self, command: &[&str]) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let mut request = format!("*{}\r\n", command.len()).into_bytes();
        for word in command {
            write!(request, "${}\r\n{word}\r\n", word.len()).ok()?;
        }
        stream.write_all(&request).ok()?;
        read_reply(&mut stream)
    }

    /// Waits until something is so, and panics when it takes too long.
    pub fn until(&self, what: &str, so: impl Fn(&Self) -> bool) {
        let start = now();
        while !so(self) {
            assert!(start.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
            std::thread::sleep(POLL);
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nobody listens on just now, and that this process has not been told of before. Another process's first
/// ones are others.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let count = u32::from(PORTS.end - PORTS.start);
    let first = std::process::id().wrapping_mul(97);
    for _ in 0..count {
        let next = u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let offset = u16::try_from(first.wrapping_add(next) % count).expect("an offset within the ports");
        let port = PORTS.start + offset;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port is free between {} and {}", PORTS.start, PORTS.end)
}

#[allow(clippy::disallowed_methods, reason = "waits for another process, whose time nobody can stop")]
fn now() -> Instant {
    Instant::now()
}

/// Reads one reply: the text of a simple one, or the lines of what it is made of.
fn read_reply(stream: &mut TcpStream) -> Option<String> {
    let line = read_line(stream)?;
    let (kind, rest) = line.split_at_checked(1)?;
    match kind {
        "+" | "-" | ":" => Some(rest.to_owned()),
        "$" => {
            let Ok(length) = rest.parse::<usize>() else { return Some(String::new()) };
            let mut bytes = vec![0; length + 2];
            stream.read_exact(&mut bytes).ok()?;
            bytes.truncate(length);
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        "*" => {
            let count: usize = rest.parse().unwrap_or(0);
            let lines: Option<Vec<String>> = (0..count).map(|_| read_reply(stream)).collect();
            Some(lines?.join("\n"))
        }
        _ => None,
    }
}

fn read_line(stream: &mut TcpStream) -> Option<String> {
    let mut line = Vec::new();
    let mut byte = [0];
    while !line.ends_with(b"\r\n") {
        stream.read_exact(&mut byte).ok()?;
        line.push(byte[0]);
    }
    line.truncate(line.len() - 2);
    String::from_utf8(line).ok()
}

/// Where tests/setup.sh has put a Valkey server.
fn valkey() -> PathBuf {
    let place = Path::new("tests/.tools/bin/valkey-server");
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join(place))
        .find(|at| at.exists());
    found.unwrap_or_else(|| panic!("there is no valkey-server; run tests/setup.sh, which brings it"))
}
