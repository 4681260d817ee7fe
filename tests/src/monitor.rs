//! Everything that a Redis is asked, as `MONITOR` tells it.

use std::collections::HashMap;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpStream;

use crate::redis::Redis;
use crate::wait::within;

/// One command that a client sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Name of the connection, as in `CLIENT LIST`; empty where it has none.
    pub connection: String,
    /// The command's name, in upper case.
    pub command: String,
    /// The line, for messages.
    pub line: String,
}

/// A `MONITOR` of a Redis.
pub struct Monitor {
    lines: Lines<BufReader<TcpStream>>,
    port: u16,
}

impl Monitor {
    /// Begins to listen.
    pub async fn start(redis: &Redis) -> Self {
        let mut stream =
            TcpStream::connect(("127.0.0.1", redis.port())).await.expect("a connection to Redis");
        stream.write_all(b"MONITOR\r\n").await.expect("a Redis that listens");
        let mut lines = BufReader::new(stream).lines();
        let answer = within("MONITOR", lines.next_line()).await.expect("an answer").expect("an answer");
        assert_eq!(answer, "+OK");
        Self { lines, port: redis.port() }
    }

    /// What was asked since the last time, by connections that are still there. Commands that scripts call are no
    /// client's and left out.
    ///
    /// Redis tells commands in their order, so a mark of our own on another connection says where to stop.
    pub async fn asked(&mut self, redis: &Redis) -> Vec<Asked> {
        assert_eq!(redis.port(), self.port, "another Redis");
        let names = names(&redis.ask(&["CLIENT", "LIST"]));
        let mark = crate::client::request_id();
        redis.ask(&["ECHO", &mark]);
        let mut asked = Vec::new();
        loop {
            let line = within("MONITOR", self.lines.next_line()).await.expect("a line").expect("a line");
            if line.contains(&mark) {
                return asked;
            }
            let (address, command) = parts(&line);
            if address != "lua" && !command.eq_ignore_ascii_case("CLIENT") {
                let connection = names.get(address).cloned().unwrap_or_default();
                asked.push(Asked { connection, command: command.to_ascii_uppercase(), line: line.clone() });
            }
        }
    }
}

/// Who asked and for what: `+1700000000.123456 [0 127.0.0.1:1234] "EVALSHA" "..."`.
fn parts(line: &str) -> (&str, &str) {
    let (_, rest) = line.split_once(" [").unwrap_or_else(|| panic!("no line of MONITOR: {line}"));
    let (who, command) = rest.split_once("] \"").unwrap_or_else(|| panic!("no line of MONITOR: {line}"));
    let address = who.split_once(' ').map_or(who, |(_database, address)| address);
    (address, command.split('"').next().unwrap_or_default())
}

/// The names of connections by their addresses, of `CLIENT LIST`.
fn names(list: &str) -> HashMap<String, String> {
    let field = |line: &str, key: &str| {
        let fields = line.split(' ').filter_map(|field| field.split_once('='));
        fields.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
    };
    list.lines().filter_map(|line| Some((field(line, "addr")?, field(line, "name")?))).collect()
}
