//! What ids are derived under and tokens are signed with.

use std::fmt;

use sedma_table::{Edition, IdSecret};

/// The secrets of a deployment. All its servers have the same.
#[derive(Clone)]
pub struct Secrets {
    /// What table ids are derived under. Never rotates.
    pub id_secret: IdSecret,
    /// Key ids and keys for tokens. The first signs; all are accepted.
    pub token_keys: Vec<(String, [u8; 32])>,
}

/// Never prints a key.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = self.token_keys.iter().map(|(id, _)| id.as_str()).collect();
        f.debug_struct("Secrets").field("token_keys", &ids).finish_non_exhaustive()
    }
}

/// Why a store can't be used at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The address can't be understood.
    #[error("the address of Redis can't be used: {0}")]
    Address(String),
    /// Redis can't be reached, or refuses to work.
    #[error("Redis is not ready: {0}")]
    NotReady(String),
    /// The data was laid out by something that counts buckets differently; every key would be looked for elsewhere.
    #[error(
        "sedma:config says {found} buckets, this release needs 256; it must not be started on this Redis"
    )]
    Buckets {
        /// How many it says.
        found: u32,
    },
    /// The shared configuration was written by a newer release.
    #[error("sedma:config has schema {found}, which this release can't read; start a newer release")]
    SchemaAhead {
        /// Its schema.
        found: u32,
    },
    /// The shared configuration does not say what it must say.
    #[error("sedma:config is damaged: {0}")]
    Damaged(String),
    /// Another deployment's configuration stands where this server's was: ids and tokens would not agree.
    #[error("sedma:config holds other secrets than this server was started with; restart it")]
    OtherSecrets,
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes: {0}")]
    NoRandomness(String),
}

/// Random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], StartError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StartError::NoRandomness(error.to_string()))?;
    Ok(bytes)
}

/// Secrets as they are drawn and stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) id_secret: [u8; 32],
    pub(crate) token_keys: Vec<(String, [u8; 32])>,
    /// What the deployment began with.
    pub(crate) edition: Edition,
}

impl Drawn {
    /// New ones.
    pub(crate) fn draw(edition: Edition) -> Result<Self, StartError> {
        let kid = u64::from_be_bytes(random()?);
        Ok(Self { id_secret: random()?, token_keys: vec![(format!("{kid:016x}"), random()?)], edition })
    }

    /// As others may use them.
    pub(crate) fn secrets(&self) -> Secrets {
        Secrets { id_secret: IdSecret::new(self.id_secret), token_keys: self.token_keys.clone() }
    }
}
