//! `sedma:config` as a record.

use prost::Message;
use sedma_table::Edition;

use crate::codec::reader::exact;
use crate::codec::{SCHEMA, records, whole};
use crate::limits::BUCKETS;
use crate::secrets::{Drawn, StartError};

pub(crate) fn encode_config(drawn: &Drawn) -> Vec<u8> {
    let token_key = |(id, key): &(String, [u8; 32])| records::TokenKey { id: id.clone(), key: key.to_vec() };
    records::Config {
        schema: drawn.edition.number().into(),
        buckets: BUCKETS,
        id_secret: drawn.id_secret.to_vec(),
        token_keys: drawn.token_keys.iter().map(token_key).collect(),
    }
    .encode_to_vec()
}

/// Reads the shared configuration. A newer schema is told before anything else that a newer release may have changed.
pub(crate) fn decode_config(bytes: &[u8]) -> Result<Drawn, StartError> {
    let damaged = |what: &str| StartError::Damaged(what.to_owned());
    let record = records::Config::decode(bytes).map_err(|_| damaged("it can't be parsed"))?;
    if record.schema > u32::from(SCHEMA) {
        return Err(StartError::SchemaAhead { found: record.schema });
    }
    let edition = u8::try_from(record.schema).ok().and_then(Edition::from_number);
    let edition = edition.ok_or_else(|| damaged("its schema is none that was ever written"))?;
    if record.buckets != BUCKETS {
        return Err(StartError::Buckets { found: record.buckets });
    }
    let record: records::Config = whole(bytes).map_err(|unfit| damaged(unfit.0))?;
    let token_key = |record: records::TokenKey| {
        Ok((record.id, exact(&record.key, "a token key is not 32 bytes").map_err(|unfit| damaged(unfit.0))?))
    };
    let token_keys: Vec<_> =
        record.token_keys.into_iter().map(token_key).collect::<Result<_, StartError>>()?;
    if token_keys.is_empty() {
        return Err(damaged("it has no token key"));
    }
    let id_secret =
        exact(&record.id_secret, "its id secret is not 32 bytes").map_err(|unfit| damaged(unfit.0))?;
    Ok(Drawn { id_secret, token_keys, edition })
}
