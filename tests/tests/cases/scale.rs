//! How large the cases are.

/// Whether the cases run at the scale at which they were reported.
pub(crate) fn full() -> bool {
    std::env::var_os("PROVE_CASES").is_some()
}

/// One figure or the other.
pub(crate) fn of<T>(everyday: T, as_reported: T) -> T {
    if full() { as_reported } else { everyday }
}

/// Says what a case came to, for whoever runs them at full scale.
pub(crate) fn tell(case: &str, what: &str) {
    if full() {
        println!("{case}: {what}");
    }
}
