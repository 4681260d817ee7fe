//! One player: a client without rules. What it may do is in its own view.

use anyhow::Context as _;
use sedma_proto::v1;
use sedma_proto::v1::legal_action::Action;
use sedma_proto::v1::watch_table_response::Payload;

use super::client::{Client, Link};
use super::watcher::{Seen, from_the_start};

/// A player at a seat.
pub(super) struct Player {
    client: Client,
    link: Link,
    chance: Chance,
}

impl Player {
    pub(super) fn new(client: Client, link: Link, seed: u64) -> Self {
        let chance = Chance(seed.wrapping_mul(0x9E37_79B9).wrapping_add(u64::from(link.seat.unsigned_abs())));
        Self { client, link, chance }
    }

    /// Says "here", plays until the table has ended, and answers what was seen.
    pub(super) async fn play(mut self) -> anyhow::Result<Seen> {
        let mut watch = self.client.watch(from_the_start(&self.link.table)).await?;
        let mut entropy = Vec::new();
        for _ in 0..4 {
            entropy.extend_from_slice(&self.chance.next().to_be_bytes());
        }
        self.client.join(&self.link, entropy).await?;
        let mut seen = Seen::default();
        loop {
            let message = watch.message().await?.context("the watch ended without End")?;
            let news = matches!(message.payload, Some(Payload::Update(_)));
            if seen.take(message)? {
                return Ok(seen);
            }
            if news && let Some(view) = &seen.last {
                self.act(view).await?;
            }
        }
    }

    /// Does one of the things that the view says may be done.
    async fn act(&mut self, view: &v1::TableView) -> anyhow::Result<()> {
        let listed = view.seats.iter().flat_map(|seat| &seat.legal_actions);
        let legal: Vec<Action> = listed.filter_map(|legal| legal.action).collect();
        let Some(action) = self.chance.pick(&legal) else { return Ok(()) };
        let revision = view.table.as_ref().map_or(0, |table| table.revision);
        self.client.act(&self.link, revision, action).await
    }
}

/// `SplitMix64`: a player's taste in cards, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let count = u64::try_from(from.len()).ok().filter(|count| *count > 0)?;
        let at = usize::try_from(self.next() % count).ok()?;
        from.get(at).copied()
    }
}
