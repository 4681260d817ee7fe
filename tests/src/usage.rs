//! What a process takes of its machine, as Linux tells it.

use std::fs;
use std::time::Duration;

/// The unit of CPU times in `/proc`: a hundredth of a second on every Linux (`USER_HZ`).
const TICK: Duration = Duration::from_millis(10);

/// What one process has taken so far.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Time of a CPU, of all its threads together.
    pub cpu: Duration,
    /// Bytes of memory that it holds just now.
    pub memory: u64,
}

impl Usage {
    /// What a running process has taken.
    pub fn of(id: u32) -> Self {
        let read = |file: &str| {
            fs::read_to_string(format!("/proc/{id}/{file}")).expect("a running process on Linux")
        };
        let stat = read("stat");
        // The second field is the program's name in brackets and may hold anything.
        let (_, fields) = stat.rsplit_once(") ").expect("the fields after the name");
        let field = |number: usize| {
            let text = fields.split(' ').nth(number - 3).expect("a field");
            text.parse::<u32>().expect("a number")
        };
        let status = read("status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        let kib: u64 = resident.trim().trim_end_matches(" kB").parse().expect("KiB");
        Self { cpu: TICK * (field(14) + field(15)), memory: kib * 1_024 }
    }
}
