//! Seat and watch tokens: JWTs under HS256 with a key id, so that keys can be rotated.

use std::collections::HashMap;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use quick_cache::sync::Cache;
use sedma_rules::Seat;
use sedma_table::{Caller, Reason, Refusal, TableId, Tenant};
use serde::{Deserialize, Serialize};

use crate::hs256;
use crate::limits::{MAX_CHECKED_TOKENS, MAX_TOKEN_BYTES, TOKEN_LIFE};

/// What a token says. Short names: every call carries one.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    /// Tenant.
    ten: String,
    /// Table, without `tables/`.
    tab: String,
    /// Seat and its generation; without them the token only watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<(u8, u32)>,
    /// Seconds since the Unix epoch from which it is no longer good.
    exp: i64,
}

/// A token for a caller, with the instant from which it is no longer good.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Issued {
    /// What the caller sends.
    pub(crate) token: String,
    /// Seconds since the Unix epoch.
    pub(crate) expires_s: i64,
}

/// The keys that tokens are signed and checked with.
pub struct TokenKeys {
    /// The key that signs, by its id.
    signing: (String, EncodingKey),
    /// All that are accepted, by id.
    accepted: HashMap<String, DecodingKey>,
    validation: Validation,
    /// Tokens that were checked before: whoever plays sends the same one with every call.
    checked: Cache<String, Checked>,
}

/// Who sent a token, and the second since the Unix epoch from which it is no longer good.
pub(crate) type Checked = (Caller, i64);

impl std::fmt::Debug for TokenKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenKeys").field("signing", &self.signing.0).finish_non_exhaustive()
    }
}

impl TokenKeys {
    /// Takes keys by id. The first signs; all are accepted. `None` without any, or where one is refused.
    pub fn new(keys: &[(String, [u8; 32])]) -> Option<Self> {
        hs256::install();
        let (id, secret) = keys.first()?;
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.validate_aud = false;
        Some(Self {
            signing: (id.clone(), EncodingKey::from_secret(secret).ok()?),
            accepted: keys
                .iter()
                .map(|(id, key)| Some((id.clone(), DecodingKey::from_secret(key).ok()?)))
                .collect::<Option<_>>()?,
            validation,
            checked: Cache::new(MAX_CHECKED_TOKENS),
        })
    }

    /// A seat's token, good for [`TOKEN_LIFE`] from an instant. The same claims give the same token, which is what a
    /// repeated answer must carry.
    pub(crate) fn seat(
        &self,
        tenant: &Tenant,
        table: TableId,
        seat: Seat,
        generation: u32,
        from_ms: i64,
    ) -> Result<Issued, Refusal> {
        self.issue(tenant, table, Some((seat.number(), generation)), from_ms)
    }

    /// A token that only watches.
    pub(crate) fn watch(&self, tenant: &Tenant, table: TableId, from_ms: i64) -> Result<Issued, Refusal> {
        self.issue(tenant, table, None, from_ms)
    }

    fn issue(
        &self,
        tenant: &Tenant,
        table: TableId,
        seat: Option<(u8, u32)>,
        from_ms: i64,
    ) -> Result<Issued, Refusal> {
        let life = i64::try_from(TOKEN_LIFE.as_secs()).unwrap_or(i64::MAX);
        let expires_s = from_ms.div_euclid(1_000).saturating_add(life);
        let claims = Claims { ten: tenant.as_str().to_owned(), tab: table.code(), seat, exp: expires_s };
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some(self.signing.0.clone());
        let token = jsonwebtoken::encode(&header, &claims, &self.signing.1).map_err(|_| {
            Refusal::new(Reason::Invariant, "A token could not be signed; please report this.")
        })?;
        Ok(Issued { token, expires_s })
    }

    /// Who sent this token, and until when it is good. Nothing is read for it: whether the seat's generation still
    /// counts is checked against the table's state.
    pub(crate) fn check(&self, token: &str, now_ms: i64) -> Result<Checked, Refusal> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(invalid());
        }
        if let Some(known) = self.checked.get(token) {
            return if now_ms.div_euclid(1_000) < known.1 { Ok(known) } else { Err(expired()) };
        }
        let checked = self.decode(token)?;
        self.checked.insert(token.to_owned(), checked.clone());
        Ok(checked)
    }

    fn decode(&self, token: &str) -> Result<Checked, Refusal> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
        let key = header.kid.as_ref().and_then(|id| self.accepted.get(id)).ok_or_else(invalid)?;
        let claims =
            jsonwebtoken::decode::<Claims>(token, key, &self.validation).map_err(|error| {
                match error.kind() {
                    ErrorKind::ExpiredSignature => expired(),
                    _ => invalid(),
                }
            })?;
        let Claims { ten, tab, seat, exp } = claims.claims;
        let tenant = Tenant::new(ten).ok_or_else(invalid)?;
        let table = TableId::from_code(&tab).ok_or_else(invalid)?;
        let caller = match seat {
            None => Caller::Watcher { tenant, table },
            Some((number, generation)) => {
                let seat = Seat::new(number).ok_or_else(invalid)?;
                Caller::Seat { tenant, table, seat, generation }
            }
        };
        Ok((caller, exp))
    }
}

fn expired() -> Refusal {
    Refusal::new(Reason::TokenExpired, "This token has expired; ask the platform for a new one.")
}

/// The same answer for everything that is not a token of ours.
fn invalid() -> Refusal {
    Refusal::new(
        Reason::TokenInvalid,
        "The credential is not one that this server gave out; send `authorization: Bearer <token>` as received.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [1; 32];
    const OTHER_KEY: [u8; 32] = [2; 32];

    fn keys(list: &[(&str, [u8; 32])]) -> TokenKeys {
        let list: Vec<_> = list.iter().map(|(id, key)| ((*id).to_owned(), *key)).collect();
        TokenKeys::new(&list).unwrap()
    }

    fn seat_token(keys: &TokenKeys, from_ms: i64) -> String {
        let (tenant, table) = (Tenant::new("dev").unwrap(), TableId::from_bytes([4; 16]));
        keys.seat(&tenant, table, Seat::Two, 3, from_ms).unwrap().token
    }

    #[expect(clippy::disallowed_methods, reason = "the library reads the same clock")]
    fn now_ms() -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        i64::try_from(since.as_millis()).unwrap()
    }

    #[test]
    fn a_seat_token_says_who_holds_it() {
        let keys = keys(&[("a", KEY)]);
        let (caller, expires_s) = keys.check(&seat_token(&keys, now_ms()), now_ms()).unwrap();
        let Caller::Seat { seat: Seat::Two, generation: 3, table, .. } = caller else { panic!("{caller:?}") };
        assert_eq!(table, TableId::from_bytes([4; 16]));
        assert!(expires_s * 1_000 > now_ms());
    }

    #[test]
    fn the_same_claims_are_the_same_token() {
        let keys = keys(&[("a", KEY)]);
        let from = now_ms();
        assert_eq!(seat_token(&keys, from), seat_token(&keys, from));
    }

    #[test]
    fn a_token_expires_seven_days_after_it_began() {
        let keys = keys(&[("a", KEY)]);
        let week_ms = 7 * 24 * 3_600 * 1_000;
        assert!(keys.check(&seat_token(&keys, now_ms() - week_ms + 60_000), now_ms()).is_ok());
        let refused = keys.check(&seat_token(&keys, now_ms() - week_ms - 1_000), now_ms()).unwrap_err();
        assert_eq!(refused.reason, Reason::TokenExpired);
    }

    #[test]
    fn a_token_that_was_checked_before_expires_all_the_same() {
        let keys = keys(&[("a", KEY)]);
        let token = seat_token(&keys, now_ms());
        let (_, expires_s) = keys.check(&token, now_ms()).unwrap();
        assert!(keys.check(&token, expires_s * 1_000 - 1).is_ok());
        assert_eq!(keys.check(&token, expires_s * 1_000).unwrap_err().reason, Reason::TokenExpired);
    }

    #[test]
    fn an_old_key_still_checks_what_it_signed_and_an_unknown_one_does_not() {
        let token = seat_token(&keys(&[("a", KEY)]), now_ms());
        assert!(keys(&[("b", OTHER_KEY), ("a", KEY)]).check(&token, now_ms()).is_ok());
        for stranger in [keys(&[("b", OTHER_KEY)]), keys(&[("a", OTHER_KEY)])] {
            assert_eq!(stranger.check(&token, now_ms()).unwrap_err().reason, Reason::TokenInvalid);
        }
    }

    #[test]
    fn what_is_no_token_of_ours_gets_one_answer() {
        let keys = keys(&[("a", KEY)]);
        let good = seat_token(&keys, now_ms());
        let unsigned = good.rsplit_once('.').unwrap().0.to_owned() + ".";
        let long = "x".repeat(5_000);
        for bad in ["", "x", "a.b.c", &good[1..], &good[..good.len() - 2], &unsigned, &long] {
            assert_eq!(keys.check(bad, now_ms()).unwrap_err(), invalid());
        }
    }
}
