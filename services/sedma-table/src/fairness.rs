//! Packs and lots that nobody can steer after the fact: a hash chain that is committed to at creation, and a
//! shuffle that anyone can repeat. `proto/FAIRNESS.md` says it to users, with vectors.
//!
//! Counting: `s_N` is the root, `s_(k-1) = SHA-256(lp("sedma/v1/chain") || table || k || s_k)`, `s_0` is public from
//! the start. Deal k is shuffled under a key made from `s_k`, which is revealed when the deal ends.

use std::fmt;
use std::sync::{Arc, OnceLock};

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use hmac::Mac;
use sedma_rules::{Pack, Seat};
use sha2::{Digest, Sha256};

use crate::ids::{TableId, hmac_sha256};
use crate::limits::MAX_DEALS;

const CHAIN: &[u8] = b"sedma/v1/chain";
const DEAL: &[u8] = b"sedma/v1/deal";
const DEALER_LOT: &[u8] = b"sedma/v1/lot/dealer";

/// One link of the chain: 32 bytes that are secret until the deal they belong to has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link([u8; 32]);

impl Link {
    /// The link with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes; whoever asks must know that they may be shown.
    pub const fn reveal(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Never prints the bytes: a link in a log would tell the cards.
impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(..)")
    }
}

/// The link before `link`, which is number `k` (from 1).
pub fn previous_link(table: TableId, k: u32, link: &Link) -> Link {
    let mut hash = Sha256::new();
    update_lp(&mut hash, CHAIN);
    hash.update(table.as_bytes());
    hash.update(k.to_be_bytes());
    hash.update(link.0);
    Link(hash.finalize().into())
}

/// A table's whole chain, for who has its root: any link within a few hashes.
///
/// The first look walks it once and keeps every 32nd link; a chain of a table that was just read has not been looked at.
#[derive(Clone)]
pub struct Chain {
    table: TableId,
    root: Link,
    marks: Arc<OnceLock<Box<[Link]>>>,
}

/// Links between two that are kept.
const MARK_EVERY: u16 = 32;

impl Chain {
    /// The chain of a table that ends in `root`.
    pub fn new(table: TableId, root: Link) -> Self {
        Self { table, root, marks: Arc::default() }
    }

    /// The end of the chain. Secret.
    pub fn root(&self) -> &Link {
        &self.root
    }

    /// Link `k`, from 0 for the commitment up to [`MAX_DEALS`] for the root.
    pub fn link(&self, k: u16) -> Link {
        let marks = self.marks.get_or_init(|| self.walk());
        let above = k.div_ceil(MARK_EVERY);
        let mut link = marks.get(usize::from(above)).copied().unwrap_or(self.root);
        let mut number = above.saturating_mul(MARK_EVERY).min(MAX_DEALS);
        while number > k {
            link = previous_link(self.table, u32::from(number), &link);
            number = number.saturating_sub(1);
        }
        link
    }

    /// Links 0, 32, 64, .. up to the root.
    fn walk(&self) -> Box<[Link]> {
        let mut marks = Vec::new();
        let mut link = self.root;
        for number in (1..=MAX_DEALS).rev() {
            if number.is_multiple_of(MARK_EVERY) {
                marks.push(link);
            }
            link = previous_link(self.table, u32::from(number), &link);
        }
        marks.push(link);
        marks.reverse();
        marks.into()
    }
}

/// The same chain has the same table and root, whether or not it was looked at.
impl PartialEq for Chain {
    fn eq(&self, other: &Self) -> bool {
        (self.table, self.root) == (other.table, other.root)
    }
}

impl Eq for Chain {}

/// Never prints a link.
impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chain(..)")
    }
}

/// What deal `k` of a table with these seats' entropies is shuffled under.
#[derive(Clone, Copy)]
pub struct Draw<'a> {
    /// The table.
    pub table: TableId,
    /// The deal's number, from 1.
    pub deal: u32,
    /// Link `deal` of the chain.
    pub link: &'a Link,
    /// What each seat handed in before the first deal, in seat order; empty where it handed in nothing.
    pub entropies: &'a [&'a [u8]],
}

impl Draw<'_> {
    /// Shuffles the canonical pack: Fisher-Yates from the last index down.
    pub fn shuffle(&self, pack: &mut Pack) {
        let mut stream = self.stream(DEAL, self.deal);
        pack.shuffle(|bound| u8::try_from(stream.below(u32::from(bound))).unwrap_or(0));
    }

    /// Draws the first dealer by lot; meant for deal 1, whose reveal then proves both.
    pub fn first_dealer(&self, seats: u8) -> Seat {
        let drawn = self.stream(DEALER_LOT, 1).below(u32::from(seats));
        u8::try_from(drawn.saturating_add(1)).ok().and_then(Seat::new).unwrap_or(Seat::One)
    }

    fn stream(&self, label: &[u8], k: u32) -> Stream {
        let mut mac = hmac_sha256(&self.link.0);
        mac_lp(&mut mac, label);
        mac.update(self.table.as_bytes());
        mac.update(&k.to_be_bytes());
        mac.update(&[u8::try_from(self.entropies.len()).unwrap_or(u8::MAX)]);
        for entropy in self.entropies {
            mac_lp(&mut mac, entropy);
        }
        let key: [u8; 32] = mac.finalize().into_bytes().into();
        Stream { cipher: ChaCha20::new(&key.into(), &[0; 12].into()) }
    }
}

/// `ChaCha20` (RFC 8439) with nonce 0 from counter 0, read as little-endian `uint32`.
struct Stream {
    cipher: ChaCha20,
}

impl Stream {
    fn next(&mut self) -> u32 {
        let mut word = [0; 4];
        self.cipher.apply_keystream(&mut word);
        u32::from_le_bytes(word)
    }

    /// A number below `bound` without bias: draws above the last whole multiple are thrown away.
    fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        let whole = (1_u64 << 32).saturating_sub((1_u64 << 32).checked_rem(bound).unwrap_or(0));
        loop {
            let x = u64::from(self.next());
            if x < whole {
                return u32::try_from(x.checked_rem(bound).unwrap_or(0)).unwrap_or(0);
            }
        }
    }
}

/// Feeds a length-prefixed string: `uint32` big-endian, then the bytes.
fn update_lp(hash: &mut Sha256, bytes: &[u8]) {
    hash.update(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    hash.update(bytes);
}

/// The same into a MAC.
fn mac_lp(mac: &mut impl Mac, bytes: &[u8]) {
    mac.update(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    mac.update(bytes);
}
