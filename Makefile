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
