# Two commands do everything: `make demo` and `make test`. Both set up .venv first, from the lock file, with its hashes.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)

.PHONY: demo test lint setup bench panel nulls runs.db screenshots lock check clean help

help:
	@echo "make demo         set up and take the tour: a run, a failing trial, its cause"
	@echo "make test         set up and run the tests"
	@echo "make lint         ruff, mypy, import-linter"
	@echo "make bench        measure the budgets, each beside something comparable"
	@echo "make panel        how far a simulated agent follows descriptions that it was not made by"
	@echo "make nulls        experiments whose answer is known, through the shipped rule"
	@echo "make runs.db      rebuild the demo store;  make screenshots  paint the pictures from it"

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
ifneq ($(UV),)
	@[ -x $(BIN)/python ] || $(UV) venv --quiet --python $(PYTHON) $(VENV)
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	@[ -x $(BIN)/pip ] || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $(READY)

demo: $(READY)
	@$(BIN)/reach demo

test: $(READY)
	@$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

check: lint test

bench: $(READY)
	@$(BIN)/python -m benchmarks

panel: $(READY)
	@$(BIN)/python -m benchmarks.panel

nulls: $(READY)
	@$(BIN)/python -m benchmarks.nulls

runs.db: $(READY)
	@$(BIN)/reach demo --rebuild runs.db

screenshots: $(READY)
	@$(BIN)/python -m screenshots.shots screenshots

lock:
	@uv pip compile pyproject.toml --group dev --generate-hashes --no-emit-index-url --no-header --universal \
		--python-version 3.11 --quiet -o requirements.lock

clean:
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
