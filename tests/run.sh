#!/usr/bin/env bash
# Runs everything that must hold. tests/setup.sh has brought what is needed; nothing is skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s\n' "$*"; }

step "stubs in Go, Java, TypeScript and Python"
tests/clients/generate.sh

step "the workspace's tests"
# Tests over sockets wait most of their time for others.
export RUST_TEST_THREADS="${RUST_TEST_THREADS:-4}"
cargo build --workspace --bins --quiet
cargo test --workspace --quiet

step "20 deliberate faults in the rules, each found by the second opinion"
cargo test --package sedma-rules --features mutants --test checker mutants --quiet

step "5 deliberate faults in how tables are kept, each found by what is said of their histories"
cargo test --package tests --features mutants --test faults mutants --quiet -- --nocapture

step "whole matches by a Python process for every seat, and a platform's day in Python"
tests/clients/python/run.sh

step "all tests passed"
