# Two commands matter: `make run` starts everything, `make test` runs every test. `make` alone lists them all.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# A shell that was open while Rust was installed does not know cargo's folder yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

# One optimised profile builds programs and tests, so that nothing is compiled twice.
CARGO_FLAGS := --release --locked
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# Flags for `sim up`: make run ARGS="--bind 127.0.0.1:8081"
ARGS ?=

.PHONY: help run build test tools

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run ARGS="--bind 127.0.0.1:8081" passes flags to `sim up`'

run: build ## Install what is missing, build, and start the simulator
	@exec $(TARGET_DIR)/release/sim up $(ARGS)

build: tools ## Install what is missing and build the programs
	@cargo build $(CARGO_FLAGS) --bins

test: tools ## Check formatting and lints, then run every test
	cargo fmt --check
	cargo clippy $(CARGO_FLAGS) --all-targets -- -D warnings
	cargo test $(CARGO_FLAGS)

tools: ## Install the system packages that are missing, where this user may
	@.ci/tools
