//! `ScoringService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_rules::{
    BurnedHandOf, Card, PlayReason, Rules, ScoreError, ScoreProblem, Seat, TrickScore, explain_deal,
    explain_plays, explain_trick, score_deal as deal_of, score_trick as trick_of,
};
use sedma_table::store::Store;
use sedma_table::{Failure, Refusal, Viewer};

use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// Most tricks of one deal: 52 cards, two to a trick.
const MAX_TRICKS: usize = 26;
/// Most plays of one trick: four rounds of four; a deal without a stock has no more than 52.
const MAX_PLAYS: usize = 52;

type Plays = Vec<(Seat, Card, bool)>;

/// `ScoreTrick`.
pub(crate) async fn score_trick<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::ScoreTrickRequest,
) -> Result<v1::ScoreTrickResponse, Failure> {
    let rules = parse::sedma_rules("rules", request.rules.as_ref())?;
    let plays = plays("plays", &request.plays)?;
    let score = trick_of(&rules, &plays, request.last_trick).map_err(|error| trick_error("plays", &error))?;
    let texts = explain_plays(&plays, &score);
    let reasons = plays.iter().zip(&score.reasons).zip(texts);
    Ok(v1::ScoreTrickResponse {
        winner_seat: taker(&score),
        points: score.points.into(),
        last_trick_bonus: score.last_trick_bonus.into(),
        reasons: reasons.map(|((play, reason), text)| play_reason(&rules, play, *reason, text)).collect(),
        marriage_points: score.marriage_points.into(),
        burned_by_seat: score.burned_by.map_or(0, render::seat),
        explanation: explain_trick(&plays, &score),
    })
}

/// Who takes a trick of a deal that can be scored: nobody takes one that a burned hand broke off.
fn trick_score(rules: &Rules, plays: &Plays) -> v1::TrickScore {
    match trick_of(rules, plays, false) {
        Ok(score) => v1::TrickScore { winner_seat: taker(&score), points: score.points.into() },
        Err(_) => {
            let points = plays.iter().map(|(_, card, _)| i32::from(rules.value(*card))).sum();
            v1::TrickScore { winner_seat: 0, points }
        }
    }
}

/// Who takes a trick: nobody where it burned.
fn taker(score: &TrickScore) -> i32 {
    if score.burned_by.is_some() { 0 } else { render::seat(score.winner) }
}

fn play_reason(
    rules: &Rules,
    (seat, card, _): &(Seat, Card, bool),
    reason: PlayReason,
    text: String,
) -> v1::PlayReason {
    let effect = match reason {
        PlayReason::Led => v1::PlayEffect::Led,
        PlayReason::SameRank => v1::PlayEffect::Matched,
        PlayReason::Wild => v1::PlayEffect::Wild,
        PlayReason::NoMatch => v1::PlayEffect::Unmatched,
    };
    v1::PlayReason {
        seat: render::seat(*seat),
        card: Some(render::card(*card)),
        effect: effect.into(),
        points: rules.value(*card).into(),
        text,
    }
}

/// `ScoreDeal`.
pub(crate) async fn score_deal<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::ScoreDealRequest,
) -> Result<v1::ScoreDealResponse, Failure> {
    let rules = parse::sedma_rules("rules", request.rules.as_ref())?;
    if request.tricks.len() > MAX_TRICKS {
        return Err(Refusal::field("tricks", format!("a deal has at most {MAX_TRICKS} tricks")).into());
    }
    let soloist = parse::seat("soloist_seat", request.soloist_seat)?;
    let burned =
        parse::seat("burned_hand_seat", request.burned_hand_seat)?.map(|seat| BurnedHandOf { seat, soloist });
    let tricks: Vec<Plays> = request
        .tricks
        .iter()
        .enumerate()
        .map(|(i, trick)| plays(&format!("tricks[{i}].plays"), &trick.plays))
        .collect::<Result<_, _>>()?;
    let result = deal_of(&rules, &tricks, burned).map_err(|error| deal_error(&error))?;
    let scores = tricks.iter().map(|trick| trick_score(&rules, trick)).collect();
    Ok(v1::ScoreDealResponse {
        sides: result.sides.iter().map(render::side_score).collect(),
        tier: render::tier(result.tier).into(),
        last_trick_bonus: result.last_trick_bonus.into(),
        last_trick_seat: result.last_trick_seat.map_or(0, render::seat),
        tricks: scores,
        explanation: explain_deal(&rules, &result),
    })
}

fn deal_error(error: &ScoreError) -> Refusal {
    use ScoreProblem as P;
    let whole = match error.problem {
        P::NoBurnedHand | P::NothingDrawn | P::NoSuchBurnedSeat => "burned_hand_seat",
        P::NoSuchSoloist => "soloist_seat",
        P::Unfinished => "tricks",
        _ => return trick_error(&format!("tricks[{}].plays", error.trick), error),
    };
    Refusal::field(whole, error.problem.to_string())
}

/// What is wrong with a trick: with one play of it, or with all of them together.
fn trick_error(plays: &str, error: &ScoreError) -> Refusal {
    let field = match error.problem {
        ScoreProblem::Empty | ScoreProblem::Incomplete => plays.to_owned(),
        _ => format!("{plays}[{}]", error.play),
    };
    Refusal::field(field, error.problem.to_string())
}

fn plays(field: &str, plays: &[v1::Play]) -> Result<Plays, Refusal> {
    if plays.len() > MAX_PLAYS {
        return Err(Refusal::field(field, format!("a trick has at most {MAX_PLAYS} plays")));
    }
    plays
        .iter()
        .enumerate()
        .map(|(i, play)| {
            let path = format!("{field}[{i}]");
            let seat = parse::required_seat(&format!("{path}.seat"), play.seat)?;
            let card = parse::card(&format!("{path}.card"), play.card.as_ref())?;
            Ok((seat, card, play.announced_marriage))
        })
        .collect()
}

/// `GetScore`.
pub(crate) async fn get_score<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::GetScoreRequest,
) -> Result<v1::GetScoreResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.acting_seat(table, None)?;
    let min = parse::min_revision(request.min_revision)?;
    let stored = super::tables::read(&service, &context, table, min).await?;
    let deals = service.tables.deal_results(table, stored.version.revision).await?;
    let view = stored.snapshot.table.view(Viewer::SPECTATOR);
    Ok(v1::GetScoreResponse {
        revision: view.revision,
        sides: view.game.sides.iter().map(render::side_standing).collect(),
        deals: deals.iter().map(|(deal, result)| render::deal_score(*deal, result)).collect(),
        match_target: view.setup.rules().options().match_target.into(),
        winner_seats: view.game.winners.map(render::seats).unwrap_or_default(),
    })
}
