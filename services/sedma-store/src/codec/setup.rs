//! [`Setup`] as a record.

use std::collections::BTreeMap;

use sedma_rules::{Card, Pack, RuleOptions, Rules, Seat};
use sedma_table::fairness::{Chain, Link};
use sedma_table::{BetweenDeals, Edition, Results, Script, Setup, Spectators, StartPolicy, TableId, Tenant};

use crate::codec::reader::exact;
use crate::codec::{AHEAD_OF_ITS_SCHEMA, Unfit, records, timing};

pub(crate) fn to_record(setup: &Setup) -> records::Setup {
    let mut rules = Vec::new();
    setup.rules.options().encode(&mut rules);
    records::Setup {
        tenant: setup.tenant.as_str().to_owned(),
        external_ref: setup.external_ref.clone(),
        labels: labels_to_record(&setup.labels),
        rules,
        start: match setup.start {
            StartPolicy::WhenFull => records::StartPolicy::WhenFull,
            StartPolicy::WhenReady => records::StartPolicy::WhenReady,
            StartPolicy::Manual => records::StartPolicy::Manual,
        }
        .into(),
        between_deals: match setup.between_deals {
            BetweenDeals::AtOnce => records::BetweenDeals::AtOnce,
            BetweenDeals::Manual => records::BetweenDeals::Manual,
        }
        .into(),
        spectators: match setup.spectators {
            Spectators::Forbidden => records::Spectators::Forbidden,
            Spectators::Allowed { .. } => records::Spectators::Allowed,
        }
        .into(),
        spectator_delay_ms: match setup.spectators {
            Spectators::Forbidden => 0,
            Spectators::Allowed { delay_ms } => delay_ms,
        },
        script: setup.script.as_ref().map(script_to_record),
        root: setup.chain.root().reveal().to_vec(),
        commitment: setup.commitment.reveal().to_vec(),
        timing: Some(timing::to_record(&setup.timing)),
        no_result: setup.results == Results::None,
    }
}

pub(crate) fn from_record(id: TableId, edition: Edition, record: records::Setup) -> Result<Setup, Unfit> {
    if edition < Edition::Second && record.no_result {
        return Err(AHEAD_OF_ITS_SCHEMA);
    }
    let start = match record.start() {
        records::StartPolicy::WhenFull => StartPolicy::WhenFull,
        records::StartPolicy::WhenReady => StartPolicy::WhenReady,
        records::StartPolicy::Manual => StartPolicy::Manual,
        records::StartPolicy::Unspecified => return Err(Unfit("its start policy is none")),
    };
    let between_deals = match record.between_deals() {
        records::BetweenDeals::AtOnce => BetweenDeals::AtOnce,
        records::BetweenDeals::Manual => BetweenDeals::Manual,
        records::BetweenDeals::Unspecified => return Err(Unfit("its way from deal to deal is none")),
    };
    let spectators = match record.spectators() {
        records::Spectators::Forbidden => Spectators::Forbidden,
        records::Spectators::Allowed => Spectators::Allowed { delay_ms: record.spectator_delay_ms },
        records::Spectators::Unspecified => return Err(Unfit("its rule for spectators is none")),
    };
    let rules = rules(&record.rules)?;
    let script = record.script.map(|script| script_from_record(&rules, &script)).transpose()?;
    Ok(Setup {
        id,
        tenant: Tenant::new(record.tenant).ok_or(Unfit("its tenant is none"))?,
        external_ref: record.external_ref,
        labels: labels_from_record(record.labels)?,
        rules,
        start,
        between_deals,
        spectators,
        timing: timing::from_record(&record.timing.ok_or(Unfit("it has no clocks"))?)?,
        results: if record.no_result { Results::None } else { Results::Keep },
        edition,
        script,
        chain: Chain::new(id, Link::new(exact(&record.root, "its root is not 32 bytes")?)),
        commitment: Link::new(exact(&record.commitment, "its commitment is not 32 bytes")?),
    })
}

fn rules(bytes: &[u8]) -> Result<Rules, Unfit> {
    let options = RuleOptions::decode(bytes).map_err(|_| Unfit("its rules can't be read"))?;
    options.check_stored().map_err(|_| Unfit("its rules don't hold together"))
}

pub(crate) fn labels_to_record(labels: &BTreeMap<String, String>) -> Vec<records::Label> {
    let label = |(key, value): (&String, &String)| records::Label { key: key.clone(), value: value.clone() };
    labels.iter().map(label).collect()
}

/// Labels in the order of their keys, each key once.
pub(crate) fn labels_from_record(records: Vec<records::Label>) -> Result<BTreeMap<String, String>, Unfit> {
    let count = records.len();
    let labels: BTreeMap<_, _> = records.into_iter().map(|label| (label.key, label.value)).collect();
    if labels.len() == count { Ok(labels) } else { Err(Unfit("a label is there twice")) }
}

fn script_to_record(script: &Script) -> records::Script {
    let pack = |pack: &Pack| pack.cards().iter().map(|card| card.index()).collect();
    records::Script {
        first_dealer: script.first_dealer.map_or(0, |seat| u32::from(seat.number())),
        packs: script.packs.iter().map(pack).collect(),
    }
}

fn script_from_record(rules: &Rules, record: &records::Script) -> Result<Script, Unfit> {
    let first_dealer = match u8::try_from(record.first_dealer) {
        Ok(0) => None,
        Ok(number) => Some(Seat::new(number).ok_or(Unfit("its scripted dealer is no seat"))?),
        Err(_) => return Err(Unfit("its scripted dealer is no seat")),
    };
    let pack = |bytes: &Vec<u8>| {
        let cards: Option<Vec<Card>> = bytes.iter().map(|&index| Card::from_index(index)).collect();
        cards
            .and_then(|cards| Pack::new(rules, &cards).ok())
            .ok_or(Unfit("a scripted pack is none of its rules"))
    };
    Ok(Script { first_dealer, packs: record.packs.iter().map(pack).collect::<Result<_, _>>()? })
}
