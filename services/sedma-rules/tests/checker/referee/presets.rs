//! The named games, each as what it changes of the plain game: 32 cards, four in hand, sevens wild, tricks of
//! one round, aces and tens ten each, ten for the last trick, 1, 2 or 3 for the deal, which passes on.

type Setting = (&'static str, &'static str);

const CLASSIC: &[Setting] = &[("win_rule", "50"), ("match_target", "4")];

const TWO: &[Setting] = &[("win_rule", "50"), ("stop_at_points", "50"), ("match_target", "4")];

const THREE_24: &[Setting] = &[("pack", "p24_with_sevens"), ("tie", "share"), ("match_target", "4")];

const THREE_RED_KING: &[Setting] = &[
    ("pack", "p30_minus_8_9"),
    ("partnership", "secret_soloist"),
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "someone_matched"),
    ("burned_hand", "on_draw"),
    ("forced_match", "after_two_equal"),
    ("deal_score", "1/2/3/4/1"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "10"),
    ("dealer_rotation", "loser_deals"),
];

const CERVENA_2: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "someone_matched"),
    ("burned_hand", "on_draw"),
    ("burned_trick", "yes"),
    ("deal_score", "1/2/3/4/1"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "10"),
    ("dealer_rotation", "loser_deals"),
];

const CERVENA_4: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "someone_matched"),
    ("burned_hand", "on_draw"),
    ("burned_trick", "yes"),
    ("forced_match", "after_two_equal"),
    ("partner_exchange", "yes"),
    ("deal_score", "1/2/3/4/1"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "10"),
    ("dealer_rotation", "loser_deals"),
];

const PAGAT: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "always"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "5"),
    ("dealer_rotation", "loser_deals"),
];

const PAGAT_3: &[Setting] = &[
    ("pack", "p30_minus_8_9"),
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "always"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "5"),
    ("tie", "share"),
    ("dealer_rotation", "loser_deals"),
];

const MARIAS: &[Setting] = &[("marriages", "yes"), ("marriage_forty_suit", "h"), ("match_target", "4")];

const HOLA: &[Setting] = &[
    ("pack", "p52"),
    ("wild_ranks", "27"),
    ("continuation", "abeyance_new_lead"),
    ("continuation_condition", "always"),
    ("deal_score", "raw 80"),
    ("match_target", "200"),
    ("dealer_rotation", "keep_on_majority"),
];

const RISTIKONTRA: &[Setting] = &[
    ("pack", "p52"),
    ("hand_size", "6"),
    ("wild_ranks", ""),
    ("draw_timing", "after_each_play"),
    ("blind_stock_play", "yes"),
    ("max_same_rank_leads", "3"),
    ("card_points", "ace_ten_full"),
    ("last_trick_bonus", "0"),
    ("win_rule", "61"),
    ("deal_score", "1/2"),
    ("match_target", "7"),
    ("tie", "no_score"),
];

const ZSIROZAS: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "opponent_winning"),
    ("last_trick_bonus", "0"),
    ("match_target", "5"),
    ("tie", "last_trick_winner"),
];

const SEPTICA: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "opponent_winning"),
    ("card_points", "ace_ten_1"),
    ("last_trick_bonus", "0"),
    ("deal_score", "1"),
    ("match_target", "11"),
    ("tie", "no_score"),
];

const SEPTICA_3: &[Setting] = &[
    ("pack", "p30_minus_two_8"),
    ("wild_ranks", "78"),
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "opponent_winning"),
    ("card_points", "ace_ten_1"),
    ("last_trick_bonus", "0"),
    ("deal_score", "1"),
    ("match_target", "11"),
    ("tie", "share"),
];

const SEDMICE: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "opponent_winning"),
    ("sweep_points_rule", "opponents_zero"),
    ("match_target", "5"),
];

const LUSTI_KARTLN: &[Setting] =
    &[("hand_size", "8"), ("wild_ranks", ""), ("win_rule", "50"), ("match_target", "4")];

const SCHMIERER: &[Setting] = &[
    ("continuation", "same_rank_or_wild"),
    ("continuation_condition", "opponent_winning"),
    ("forced_match", "must_match_if_able"),
    ("last_trick_bonus", "0"),
    ("match_target", "5"),
    ("tie", "last_trick_winner"),
];

/// Every preset with every number of seats it is played with.
pub(crate) const PAIRS: [(&str, usize); 23] = [
    ("classic", 4),
    ("two", 2),
    ("three_24", 3),
    ("three_red_king", 3),
    ("cervena", 2),
    ("cervena", 4),
    ("pagat", 2),
    ("pagat", 3),
    ("pagat", 4),
    ("marias_sedma", 4),
    ("hola", 2),
    ("hola", 4),
    ("ristikontra", 4),
    ("zsirozas", 2),
    ("zsirozas", 4),
    ("septica", 2),
    ("septica", 3),
    ("septica", 4),
    ("sedmice", 2),
    ("sedmice", 4),
    ("lusti_kartln", 4),
    ("schmierer", 2),
    ("schmierer", 4),
];

pub(crate) fn settings_of(preset: &str, seats: usize) -> &'static [Setting] {
    match (preset, seats) {
        ("classic", 4) => CLASSIC,
        ("two", 2) => TWO,
        ("three_24", 3) => THREE_24,
        ("three_red_king", 3) => THREE_RED_KING,
        ("cervena", 2) => CERVENA_2,
        ("cervena", 4) => CERVENA_4,
        ("pagat", 2 | 4) => PAGAT,
        ("pagat", 3) => PAGAT_3,
        ("marias_sedma", 4) => MARIAS,
        ("hola", 2 | 4) => HOLA,
        ("ristikontra", 4) => RISTIKONTRA,
        ("zsirozas", 2 | 4) => ZSIROZAS,
        ("septica", 2 | 4) => SEPTICA,
        ("septica", 3) => SEPTICA_3,
        ("sedmice", 2 | 4) => SEDMICE,
        ("lusti_kartln", 4) => LUSTI_KARTLN,
        ("schmierer", 2 | 4) => SCHMIERER,
        _ => panic!("{preset} is not played by {seats}"),
    }
}
