//! Deliberate faults in the one script and in what is done with its answer, to measure what finds faults. Compiled with
//! the feature `mutants` only.

use std::sync::Arc;

use sedma_table::mutants::{Mutant, chosen};
use sedma_table::store::Committed;
use tokio::sync::mpsc;

use crate::lifetimes::Lifetimes;
use crate::redis::commit::{Committer, Parcel, SCRIPT};
use crate::redis::nodes::Nodes;

/// The line that compares versions, and the one that compares lengths.
const COMPARE: &str = "if string.sub(head, 1, 16) ~= ARGV[1] then";
const LENGTH: &str = "if length + 1 ~= struct.unpack('>i8', revision) then";
/// The lines that look at the clock, and the one that writes the log.
const CLOCK: &str = "local time = call('TIME')\nlocal now = time[1] * 1000 + math.floor(time[2] / 1000)\n";
const PUSH: &str = "call('RPUSH', log, token .. struct.pack('>i8', now) .. ARGV[4])\n";

/// The script with a fault.
fn mutated(mutant: Option<Mutant>) -> String {
    match mutant {
        Some(Mutant::NoCompare) => {
            let unless_gone = "if head == '' and ARGV[1] ~= '' then";
            SCRIPT.replace(COMPARE, unless_gone).replace(LENGTH, "if false then")
        }
        Some(Mutant::NoToken) => {
            SCRIPT.replace(COMPARE, "if string.sub(head, 1, 8) ~= string.sub(ARGV[1], 1, 8) then")
        }
        Some(Mutant::LogBeforeCheck) => {
            SCRIPT.replace(PUSH, "").replace(COMPARE, &format!("{CLOCK}{PUSH}{COMPARE}"))
        }
        Some(Mutant::NoRingLookup | Mutant::ReplyBeforeCommit) | None => SCRIPT.to_owned(),
    }
}

/// The script that this process runs. It stays for as long as the process does.
pub(super) fn script() -> &'static str {
    mutated(chosen()).leak()
}

/// Where commits go that are answered before they are sent.
pub(super) struct Late(Option<mpsc::UnboundedSender<Parcel>>);

impl Late {
    /// Begins to send what was answered already, where that is the fault.
    pub(super) fn begin(nodes: &Arc<Nodes>, lifetimes: Lifetimes) -> Self {
        if chosen() != Some(Mutant::ReplyBeforeCommit) {
            return Self(None);
        }
        let (sender, mut parcels) = mpsc::unbounded_channel::<Parcel>();
        let nodes = nodes.clone();
        tokio::spawn(async move {
            let committer = Committer::new(lifetimes);
            while let Some(parcel) = parcels.recv().await {
                let _ = committer.deliver(&nodes, &parcel).await;
            }
        });
        Self(Some(sender))
    }

    /// Answers a commit at once, where that is the fault.
    pub(super) fn answer(&self, nodes: &Nodes, parcel: &Parcel) -> Option<Committed> {
        self.0.as_ref()?.send(parcel.clone()).ok()?;
        Some(Committed::Done { version: parcel.version, time_ms: nodes.now_ms() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_of_the_script_is_one() {
        for mutant in [Mutant::NoCompare, Mutant::NoToken, Mutant::LogBeforeCheck] {
            assert_ne!(mutated(Some(mutant)), SCRIPT, "{mutant:?}");
        }
        for line in [COMPARE, LENGTH, CLOCK, PUSH] {
            assert_eq!(SCRIPT.matches(line).count(), 1, "{line}");
        }
    }
}
