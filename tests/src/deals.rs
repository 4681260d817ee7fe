//! Whole deals of classic, trick by trick from the lead, that several tests play.

/// Seats 1 and 3 take every trick.
pub const EVERY_TRICK: [&str; 8] = [
    "7c 9c 9d 9h",
    "7d 9s 10c 10d",
    "7h 10h 10s Jc",
    "7s Jd Jh Js",
    "8c Qc Qd Qh",
    "8d Qs Kc Kd",
    "8h Kh Ks Ac",
    "8s Ad Ah As",
];

/// Seats 2 and 4 take the last trick only, with an ace in it.
pub const AN_ACE_AT_LAST: [&str; 8] = [
    "7c 9d 9h 9s",
    "7d 10c 10d 10h",
    "7h 10s Jc Jd",
    "8c Jh Js Qc",
    "8d Qd Qh Qs",
    "8h Ac Ad Ah",
    "9c Kh Kc Kd",
    "8s 7s As Ks",
];
