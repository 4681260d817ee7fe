//! Black-box tests over a socket: harness.
