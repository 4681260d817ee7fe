//! Names of things: tables, tenants, requests, commits.

use std::fmt;

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::limits::MAX_TENANT_BYTES;

/// A table's id: 16 bytes, on the wire `tables/` and 26 characters of lower-case base32.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId([u8; 16]);

/// Characters of an id in its name.
const NAME_CHARS: usize = 26;
/// What every table's name begins with.
const NAME_PREFIX: &str = "tables/";

impl TableId {
    /// The id with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The part of the name behind `tables/`.
    pub fn code(&self) -> String {
        let mut code = BASE32_NOPAD.encode(&self.0);
        code.make_ascii_lowercase();
        code
    }

    /// Reads the part of a name behind `tables/`. Only the one spelling that [`Self::code`] writes is taken.
    pub fn from_code(code: &str) -> Option<Self> {
        if code.len() != NAME_CHARS || code.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let bytes = BASE32_NOPAD.decode(code.to_ascii_uppercase().as_bytes()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// Reads a whole name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::from_code(name.strip_prefix(NAME_PREFIX)?)
    }

    /// Which of the 256 buckets the table and all that belongs to it is kept in.
    pub const fn bucket(&self) -> u8 {
        self.0[0]
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME_PREFIX}{}", self.code())
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Who owns a table: a platform. Its bytes are `[a-z0-9-]{1,32}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(String);

impl Tenant {
    /// Checks and takes a tenant's name.
    pub fn new(name: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let fits = (1..=MAX_TENANT_BYTES).contains(&name.len());
        let clean = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        (fits && clean).then_some(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The secret that ids are derived under where a repeat must meet the same table. Never rotates.
#[derive(Clone)]
pub struct IdSecret([u8; 32]);

impl fmt::Debug for IdSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSecret(..)")
    }
}

impl IdSecret {
    /// The secret with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The table that `CreateTable` with this request id makes for this tenant, whoever repeats it.
    pub fn created(&self, tenant: &Tenant, request: RequestId) -> TableId {
        self.derive(&[b"create", tenant.as_str().as_bytes(), &request.0])
    }

    /// The table that `CreateRematch` of this table makes, whoever calls it.
    pub fn rematch(&self, old: TableId) -> TableId {
        self.derive(&[b"rematch", &old.0])
    }

    /// HMAC-SHA-256 over the parts' concatenation, cut to 16 bytes. A tenant ends where the 16 bytes of its request
    /// id begin, so no two calls share an input.
    fn derive(&self, parts: &[&[u8]]) -> TableId {
        let mut mac = hmac_sha256(&self.0);
        for part in parts {
            mac.update(part);
        }
        let full: [u8; 32] = mac.finalize().into_bytes().into();
        let mut id = [0; 16];
        id.copy_from_slice(full.first_chunk::<16>().unwrap_or(&[0; 16]));
        TableId(id)
    }
}

/// HMAC-SHA-256 under a 32-byte key. (A key of any length is taken; there is no failing case.)
pub(crate) fn hmac_sha256(key: &[u8; 32]) -> Hmac<Sha256> {
    let mut block = [0_u8; 64];
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    Hmac::<Sha256>::new(&block.into())
}

/// A caller's name for one request: the value of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId([u8; 16]);

impl RequestId {
    /// The id with these bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// What the replay ring remembers of a request: 8 bytes of its id's hash and 4 of its content's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestKey {
    /// First 8 bytes of SHA-256(request id).
    pub id: [u8; 8],
    /// First 4 bytes of SHA-256(content): the verb and its fields but request id and expected revision.
    pub content: [u8; 4],
}

impl RequestKey {
    /// The key of a request with this id and content.
    pub fn new(id: RequestId, content: &[u8]) -> Self {
        Self { id: prefix(&Sha256::digest(id.0)), content: prefix(&Sha256::digest(content)) }
    }
}

/// The first bytes of a digest.
fn prefix<const N: usize>(digest: &[u8]) -> [u8; N] {
    digest.first_chunk::<N>().copied().unwrap_or([0; N])
}

/// One commit's identity: which revision, and 8 random bytes that no other commit has. A revision number that was
/// used again after a failover has another token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    /// The revision, from 1.
    pub revision: i64,
    /// The random bytes.
    pub token: [u8; 8],
}
