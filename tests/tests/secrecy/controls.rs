//! That these tests can fail: what is betrayed is noticed.
