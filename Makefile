# Every target is one line; `make help` lists them.
CARGO ?= cargo
PRESET ?= classic

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | expand -t 20

.PHONY: demo
demo: ## a whole match between gRPC clients; PRESET=classic SEATS=4 REDIS_URL=redis://127.0.0.1:6379
	@$(CARGO) run -q -p sedma -- demo --preset $(PRESET) $(if $(SEATS),--seats $(SEATS)) $(if $(REDIS_URL),--redis-url $(REDIS_URL))

.PHONY: run
run: ## the server; SEDMA_LISTEN=127.0.0.1:50051 REDIS_URL=redis://…
	@$(CARGO) run -q -p sedmad

.PHONY: test
test: setup ## everything that must hold: sets itself up, then rules, tables, stores, wire, clients
	@tests/run.sh

.PHONY: setup
setup: ## brings what the tests need on a Debian machine
	@tests/setup.sh

.PHONY: check
check: fmt lint deny proto ## format, lints, dependencies, protos

.PHONY: fmt
fmt: ## formatting
	@$(CARGO) fmt --all --check

.PHONY: lint
lint: ## clippy, warnings are errors
	@$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

.PHONY: deny
deny: ## licences, bans and duplicates in the dependency tree
	@PATH="$$PWD/tests/.tools/bin:$$PATH" $(CARGO) deny --log-level error check bans licenses sources

.PHONY: proto
proto: ## lints the protos and looks for breaking changes
	@proto/check.sh

.PHONY: check-clients
check-clients: setup ## generates and compiles the clients in Go, Java, TypeScript and Python
	@tests/clients/generate.sh
	@tests/clients/check.sh

.PHONY: bench-rules
bench-rules: ## random deals per second, per preset, on one core
	@$(CARGO) bench -q -p sedma-rules --bench deals

.PHONY: bench-bots
bench-bots: ## microseconds a bot takes for a decision, per preset, on one core
	@$(CARGO) bench -q -p sedma-bots --bench decisions

.PHONY: bench
bench: ## PlayCard against a bare handler with the same script call, and a drain with 2,000 watches
	@$(CARGO) bench -q -p tests --bench play_card

.PHONY: bench-store
bench-store: ## bytes and microseconds of Redis that a table takes, beside a plain SET of the same bytes
	@$(CARGO) test -q --release -p sedma-store --test memory -- --nocapture --test-threads 1

.PHONY: prove-secrecy
prove-secrecy: ## 5,000 deals of all games, cut at random, each looked at by every viewer
	@SECRECY_DEALS=5000 $(CARGO) test -q --release -p tests --test secrecy

.PHONY: prove-rules
prove-rules: ## the long proofs of the rules: 100,000 deals of each preset, all actions in 10,000, the whole second opinion
	@PROVE_RULES=1 CHECKER_FULL=1 $(CARGO) test -q --release -p sedma-rules

.PHONY: prove-day
prove-day: ## a platform's day through two replicas, with a player who is gone for 40 s
	@tests/setup.sh redis python && tests/clients/generate.sh python && $(CARGO) build -q -p sedmad && DAY_SECONDS=40 tests/clients/python/run.sh test_day

.PHONY: prove-clocks
prove-clocks: ## clocks while replicas are killed, and outages of 60 s; in about 4 minutes
	@$(CARGO) build -q --release -p sedmad
	@PROVE_CLOCKS=1 $(CARGO) test -q --release -p tests --test proofs -- timers:: outages:: --nocapture --test-threads 1

.PHONY: prove-watch
prove-watch: ## 5,000 watchers who come back anywhere, and one who does not read for a minute
	@$(CARGO) build -q --release -p sedmad
	@PROVE_WATCH=1 $(CARGO) test -q --release -p tests --test proofs -- reconnects:: slow_reader:: --nocapture --test-threads 1

.PHONY: prove-left
prove-left: ## 10,000 tables that are made and left, of which nothing stays
	@PROVE_LEFT=1 $(CARGO) test -q --release -p tests --test proofs -- left:: --nocapture --test-threads 1

.PHONY: prove-idle
prove-idle: ## what a replica and Redis take with 10,000 open tables and 1,000 watchers while nothing happens
	@$(CARGO) build -q --release -p sedmad
	@$(CARGO) bench -q -p tests --bench idle

.PHONY: prove-cases
prove-cases: ## failures that others reported, at full scale: 2,000 calls given up, 100 tables for 2 minutes, ...
	@$(CARGO) build -q --workspace --bins && PROVE_CASES=1 $(CARGO) test -q -p tests --test cases -- --nocapture

.PHONY: prove-faults
prove-faults: ## 1,000 broken wires, 250 kills, 100 stops, 40 failovers under play: nothing is lost or done twice; in about 20 minutes
	@$(CARGO) build -q --workspace --bins && PROVE_FAULTS=1 $(CARGO) test -q -p tests --test faults -- proofs:: rewinds:: failover:: --nocapture --test-threads 1
