# Every target makes its own environment first; `make help` lists them.
PYTHON ?= python3
ENVIRONMENT = $(PYTHON) tools/environment.py
INSIDE = $(ENVIRONMENT) exec --
export DISTRO

.PHONY: help setup demo test lint shell run docs bench faults soak clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16
	@echo "  DISTRO=jazzy takes the Jazzy wheels, PYTHON=python3.12 another Python."

setup: ## the environment: wheels (or the sourced ROS), interfaces, entry points
	@$(ENVIRONMENT) setup

demo: ## the arm traces an arc over real ROS topics: ARGS=--once, ARGS='--path FILE'
	@$(INSIDE) planar-arm demo $(ARGS)

test: ## all tests, or ARGS='test/arm/test_planar_arm.py -k edge'
	@$(INSIDE) python -m pytest --numprocesses 3 --dist loadfile $(ARGS)

lint: ## ruff, mypy and the arrow of imports
	@$(INSIDE) ruff check .
	@$(INSIDE) ruff format --check .
	@$(INSIDE) mypy planar_arm_ik
	@$(INSIDE) lint-imports --no-cache

shell: ## a shell inside the environment
	@$(ENVIRONMENT) shell

run: export PLANAR_ARM_COMMAND = $(value CMD)
run: ## one command inside the environment: CMD='planar-arm solve 0.6 0'
	@$(INSIDE) sh -c "$$PLANAR_ARM_COMMAND"

docs: ## the generated parts and figures of docs/ made anew
	@$(INSIDE) python docs/make_numbers.py

bench: ## every script of benchmarks/
	@$(ENVIRONMENT) setup --with bench
	@set -e; for script in benchmarks/*.py; do echo "== $$script"; $(INSIDE) python "$$script" $(ARGS); done

faults: ## the tests that break things on purpose
	@$(INSIDE) python -m pytest -m faults $(ARGS)

soak: ## simulated hours of everything at random, in lockstep: HOURS=10, ARGS='--seed 7'
	@$(INSIDE) python test/soak.py --hours $(or $(HOURS),1) $(ARGS)

clean: ## remove everything that was made
	@rm -rf .env build install log .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
