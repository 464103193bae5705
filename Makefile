# Two commands matter: `make run` starts everything, `make test` runs every test. `make` alone lists them all.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# A shell that was open while Rust was installed does not know cargo's folder yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

# One optimised profile builds programs and tests, so that nothing is compiled twice.
CARGO_FLAGS := --release --locked
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

VIEWER_PAGE := viewer/dist/index.html
VIEWER_SOURCES := $(shell find viewer -path viewer/node_modules -prune -o -path viewer/dist -prune -o -type f \
    ! -name schema.ts ! -name '*.md' -print) tests/fixtures/openapi.json

# Flags for `sim up`: make run ARGS="--bind 127.0.0.1:8081"
ARGS ?=

.PHONY: help run build test test-container test-viewer test-ros soak bench tools python

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  make run ARGS="--bind 127.0.0.1:8081" passes flags to `sim up`'

run: build ## Install what is missing, build, and start the simulator
	@exec $(TARGET_DIR)/release/sim up $(ARGS)

build: tools python $(VIEWER_PAGE) ## Install what is missing and build the programs and the viewer
	@cargo build $(CARGO_FLAGS) --bins

test: TOOLS_FOR := test
test: tools python $(VIEWER_PAGE) ## Check formatting and lints, then run every test
	cargo fmt --check
	cargo clippy $(CARGO_FLAGS) --all-targets -- -D warnings
	@# The half for an installed ROS 2, with the messages of Lyrical; the line above has seen those of Jazzy.
	ROS_DISTRO=lyrical cargo clippy $(CARGO_FLAGS) --lib --test it --no-default-features --features r2r_check -- -D warnings
	@# Where no container can run, the tests that need one are left out, and this says so.
	@.ci/engine $(TARGET_DIR)/engine || echo 'Not tested here: judging scripts in containers (judge::engine).' >&2
	cargo test $(CARGO_FLAGS) -- $$([[ -f $(TARGET_DIR)/engine/works ]] || echo --skip judge::engine::)
	tests/peers/run $(TARGET_DIR)/release $(TARGET_DIR)/peers
	npm --prefix viewer run --silent check
	npm --prefix viewer run --silent test
	tests/viewer/run $(TARGET_DIR)/release

test-container: tools python ## Try judging scripts in containers of a real engine
	.ci/engine $(TARGET_DIR)/engine
	cargo test $(CARGO_FLAGS) --test it judge::engine::

test-viewer: TOOLS_FOR := test
test-viewer: build ## Try the page in Chromium against a real simulator
	tests/viewer/run $(TARGET_DIR)/release

# The viewer is built again only when something it is made of has changed, its packages are fetched only for a new lock file.
$(VIEWER_PAGE): $(VIEWER_SOURCES) viewer/node_modules/.package-lock.json
	npm --prefix viewer run --silent build
	@touch $@

viewer/node_modules/.package-lock.json: viewer/package-lock.json | tools
	npm --prefix viewer ci --no-audit --no-fund
	@touch $@

# Without this, bindings are generated for every message package that is sourced, which takes minutes.
MESSAGE_PACKAGES := std_msgs;geometry_msgs;nav_msgs;sensor_msgs;tf2_msgs;rosgraph_msgs;diagnostic_msgs;simulation_interfaces;sim_api_msgs

test-ros: tools ## Run the tests of the ROS facade on the ROS 2 that is sourced
	@if [[ -z "$${ROS_DISTRO:-}" ]]; then \
	    echo 'make test-ros needs an installed ROS 2, and none is sourced here (ROS_DISTRO is not set).' >&2; \
	    echo 'Source one, such as: source /opt/ros/jazzy/setup.bash' >&2; \
	    echo 'Without one: tests/ros/fetch jazzy $(TARGET_DIR)/jazzy && source $(TARGET_DIR)/jazzy/setup.bash' >&2; exit 1; fi
	@found=; IFS=:; for prefix in $${AMENT_PREFIX_PATH:-}; do [[ ! -d $$prefix/share/sim_api_msgs ]] || found=yes; done; \
	if [[ -z $$found ]]; then \
	    echo 'make test-ros needs the package sim_api_msgs:' >&2; \
	    echo 'run colcon build in the workspace and source its install/setup.bash.' >&2; exit 1; fi
	export IDL_PACKAGE_FILTER='$(MESSAGE_PACKAGES)'; \
	flags='$(CARGO_FLAGS) --target-dir $(TARGET_DIR)/ros/$$ROS_DISTRO --no-default-features --features r2r'; \
	ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_DOMAIN_ID=$${ROS_DOMAIN_ID:-77} cargo test $$flags --test it ros::; \
	cargo build $$flags --bins
	tests/ros/run $(TARGET_DIR)/ros/$$ROS_DISTRO/release

# Which long runs: make soak SOAK=switches
SOAK ?=

soak: tools ## Run for a long time and look for what grows
	cargo test $(CARGO_FLAGS) --test soak -- $(SOAK)

# Which parts of the table: make bench BENCH=judge
BENCH ?=

bench: tools python ## Measure speed and print a table
	@cargo bench $(subst --release,,$(CARGO_FLAGS)) --bench bench -- $(BENCH)

tools: ## Install the system packages that are missing, where this user may
	@.ci/tools $(TOOLS_FOR)

python: ## Fetch the Python 3.14 of judging scripts, once
	@.ci/python
