# Two commands on a fresh machine: `make demo` and `make test`.
.PHONY: demo test lint screenshots clean
PYTEST_ARGS ?=

demo: ## set up what is missing, make the example study, open the program
	@.ci/setup run
	@.venv/bin/director-gui demo --out demo

test: ## set up what is missing, run every test, lint and contract
	@.ci/setup test
	@.venv/bin/python -m pytest -n 2 --dist worksteal $(PYTEST_ARGS)

lint: ## format, lint, types and import contracts alone
	@.ci/setup test
	@.venv/bin/ruff format --check . && .venv/bin/ruff check . && .venv/bin/mypy && .venv/bin/lint-imports --no-logo

screenshots: ## draw docs/contact-sheet.png from the real program
	@.ci/setup test
	@.venv/bin/python docs/make_screenshots.py

clean: ## remove what demo and test made
	rm -rf demo .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
