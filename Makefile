# make setup | run | test | bench; everything is installed in .venv. `make help` lists the targets.

PYTHON ?= python3
PORT ?= 8000
TLS ?=
BIND ?=
ARGS ?=
WORKERS ?= 4
KILLS ?= 200
LOSSES ?= 50
REDIS ?= 50
FROZEN_S ?= 60
TURNS ?= 200
RACES ?= 1000
CHEATS ?= 1000
REQUESTS ?= 100
SEQUENCES ?= 10000
FRAMES ?= 500000
FORMS ?= 500000
FUZZ ?= 200000
MINUTES ?= 60
ROOM ?= desk
N ?= 100
SEED ?= 1
VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
# Universal for Python 3.11 and later on every system, from PyPI only, so that every machine gets the same files.
LOCK := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --no-config --default-index https://pypi.org/simple \
	--universal --python-version 3.11 --generate-hashes --quiet

# Let the hundreds of processes started here share bytecode.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-dev run test lint lock format messages bench soak directorlink check-attacks check-faults check-mutants test-postgresql release
.DEFAULT_GOAL := help

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s%s\n", $$1, $$2}' Makefile

setup: $(VENV)/.installed ## create the environment in .venv (quick when it exists)
	@:

setup-dev: $(VENV)/.installed-dev
	@:

$(VENV)/.installed: requirements.lock
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "This needs Python 3.11 or newer, and there is no $(PYTHON) here." >&2; \
		echo "Install one (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python)," >&2; \
		echo "or name one that is there already: make setup PYTHON=/path/to/python3.12" >&2; \
		exit 1; \
	}
	@PYTHON="$(PYTHON)" "$(PYTHON)" start.py --set-up-only
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@echo "Installing what the tests need ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock >&2
	@touch $@

run: setup ## start the clock on all interfaces (PORT=8000; TLS=1 for https; BIND=127.0.0.1 behind a proxy), print the director's link and the address
	@python=$(BIN)/python; [ -x $$python ] || python="$(PYTHON)"; exec "$$python" start.py --port $(PORT)$(if $(BIND), --bind $(BIND))$(if $(filter-out 0 no,$(TLS)), --tls)

directorlink: setup ## print a one-time link that signs in a director
	@$(MANAGE) directorlink

lint: setup-dev ## check form, types and templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/oxlint --quiet static
	$(BIN)/deno fmt --quiet --check static
	$(BIN)/python -m tests.strict_scripts
	$(BIN)/deno run --quiet --frozen --allow-all --config .ci/styles/deno.json .ci/styles/lint.js
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/djlint --quiet --check templates
	$(MANAGE) makemigrations --check --dry-run

test: setup-dev lint ## install what the tests need and run every check and test (ARGS="-k name" for some; WORKERS=0 for one process)
	.ci/packages && { CHROMIUM="$$(.ci/chromium)" && export CHROMIUM || true; } && $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-postgresql: setup-dev ## run the whole server suite on a PostgreSQL of its own (minutes; make test runs the part where the database matters)
	.ci/packages && $(BIN)/python -m tests.services $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile tests/server $(ARGS)

check-attacks: setup-dev ## try each attack of docs/security.md at length: races and cheated matches (RACES=, CHEATS=), random commands under each rule set (SEQUENCES=), requests to the API (REQUESTS=), malformed frames and forms (FRAMES=, FORMS=), fuzzed conversations (FUZZ=)
	.ci/packages && { CHROMIUM="$$(.ci/chromium)" && export CHROMIUM || true; } && RACES=$(RACES) CHEATS=$(CHEATS) SEQUENCES=$(SEQUENCES) \
		REQUESTS=$(REQUESTS) $(BIN)/python -m pytest -q --timeout 0 $$($(BIN)/python -m tests.documents docs/security.md)
	$(BIN)/python -m tests.bench.fuzz_sockets --frames $(FUZZ) --rate 250
	$(BIN)/python -m tests.bench.malformed --frames $(FRAMES) --forms $(FORMS) $(ARGS)

check-faults: setup-dev ## break what the clock stands on, some hours (KILLS=200 on each database, LOSSES=50 of its machine, REDIS=50 for each of its faults, FROZEN_S=60, HISTORIES=1000, TURNS=200 on a lossy network; ARGS="-k disk" for some)
	KILLS=$(KILLS) LOSSES=$(LOSSES) REDIS=$(REDIS) FROZEN_S=$(FROZEN_S) \
		$(BIN)/python -m pytest -s -p no:xdist -o python_files="check_*.py" tests/faults $(ARGS)
	.ci/packages && { CHROMIUM="$$(.ci/chromium)" && export CHROMIUM || true; } && \
		TURNS=$(TURNS) $(BIN)/python -m pytest -s -p no:xdist tests/browser/test_lossy_network.py $(ARGS)

check-mutants: setup-dev ## change random places of a package, one at a time, and list those that its tests do not notice (ROOM=desk N=100 SEED=1)
	@$(BIN)/python -m tests.mutants $(ROOM) --count $(N) --seed $(SEED) $(ARGS)

lock: setup-dev ## write what requirements*.txt need, transitively and with hashes, into the lock files (ARGS=--upgrade renews what they do not pin)
	$(LOCK) requirements.txt --output-file requirements.lock $(ARGS)
	$(LOCK) requirements-dev.txt --constraint requirements.lock --output-file requirements-dev.lock $(ARGS)

release: setup-dev ## write a zip with all wheels that starts without a network (ARGS="--systems windows --pythons 3.12")
	@$(BIN)/python deploy/release.py $(ARGS)

format: setup-dev ## format the code, and write the types of the protocol for the scripts again
	$(BIN)/python -m tests.script_types
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/oxlint --quiet --fix static
	$(BIN)/deno fmt --quiet static
	$(BIN)/djlint --quiet --reformat templates

messages: setup-dev ## gather the sentences of pages and scripts for translators, and compile what they wrote (needs gettext; UNCHANGED=yes if translations fit the changed English)
	@for domain in django djangojs; do \
		$(MANAGE) makemessages --exclude en --domain $$domain --add-location file --no-wrap --no-obsolete --ignore "tests/*" \
			--ignore ".venv/*" --ignore "var/*" --ignore "docs/*" --ignore demo.py --ignore "management/*" || exit 1; \
	done
	@$(BIN)/python -m tests.phrases
	@$(MANAGE) compilemessages --ignore .venv
	@$(BIN)/python -m tests.stale $(if $(UNCHANGED),--unchanged)

bench: ## measure the hit path beside its limit (ARGS=--json for a program to read)
	@$(MAKE) --no-print-directory -s setup-dev >&2
	@$(BIN)/python -m tests.bench $(ARGS)

soak: ## play a tournament's day in compressed time and watch what grows (MINUTES=60)
	@$(MAKE) --no-print-directory -s setup-dev >&2
	@$(BIN)/python -m tests.bench.soak --minutes $(MINUTES) $(ARGS)
