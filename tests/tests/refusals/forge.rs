//! Tokens as whoever has a deployment's keys could make them.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit as _, Mac as _};
use prost::Message;
use serde_json::Value;
use sha2::Sha256;
use tests::Redis;

/// Prints the shared configuration in hexadecimal: Redis' answer as text would lose bytes.
const HEX_OF_CONFIG: &str =
    "return (redis.call('GET', KEYS[1]):gsub('.', function(c) return ('%02x'):format(c:byte()) end))";

#[derive(Clone, PartialEq, Message)]
struct Config {
    #[prost(message, repeated, tag = "4")]
    token_keys: Vec<TokenKey>,
}

#[derive(Clone, PartialEq, Message)]
struct TokenKey {
    #[prost(string, tag = "1")]
    id: String,
    #[prost(bytes = "vec", tag = "2")]
    key: Vec<u8>,
}

/// The key that a deployment signs with, and its id.
pub(crate) struct Forge {
    id: String,
    key: Vec<u8>,
}

impl Forge {
    /// The key of the servers that share this Redis.
    pub(crate) fn of(redis: &Redis) -> Self {
        let hex = redis.ask(&["EVAL", HEX_OF_CONFIG, "1", "sedma:config"]);
        let bytes = HEXLOWER.decode(hex.as_bytes()).expect("bytes in hexadecimal");
        let config = Config::decode(bytes.as_slice()).expect("the shared configuration");
        let TokenKey { id, key } = config.token_keys.into_iter().next().expect("a key");
        Self { id, key }
    }

    /// A key of nobody's that pretends to be this one.
    pub(crate) fn pretender(&self) -> Self {
        Self { id: self.id.clone(), key: vec![7; 32] }
    }

    /// The same token with other claims, signed by this key.
    pub(crate) fn sign(&self, token: &str, change: impl FnOnce(&mut Value)) -> String {
        let mut claims = claims(token);
        change(&mut claims);
        let header = serde_json::json!({ "typ": "JWT", "alg": "HS256", "kid": self.id });
        let signed = [header, claims].map(|part| encode(part.to_string().as_bytes())).join(".");
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key");
        mac.update(signed.as_bytes());
        format!("{signed}.{}", encode(&mac.finalize().into_bytes()))
    }
}

/// What a token says.
pub(crate) fn claims(token: &str) -> Value {
    let part = token.split('.').nth(1).expect("a token of three parts");
    let bytes = BASE64URL_NOPAD.decode(part.as_bytes()).expect("base64url");
    serde_json::from_slice(&bytes).expect("claims in JSON")
}

/// Bytes as a token carries them.
pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
