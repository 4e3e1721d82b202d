# Two commands: `make report` writes every report, `make test` runs the tests. Each makes the virtual
# environment first if there is none.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: report test lint verify check pages fuzz bench
report: .venv/ready
	$(BIN)/workings report
	@for job in reports/reviews/*/job.toml; do $(BIN)/workings review $$job -o $$(dirname $$job) || exit; done

test: .venv/ready
	$(BIN)/python -m pytest

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

verify: .venv/ready
	$(BIN)/workings verify
	$(BIN)/workings mutants

check: .venv/ready
	$(BIN)/workings report --check
	@for job in reports/reviews/*/job.toml; do \
		$(BIN)/workings review $$job -o $$(dirname $$job) --check || exit; done

# Our own pages, read by our own checker, which says all it has to say.
pages: .venv/ready
	$(BIN)/workings check --preview README.md CHANGELOG.md CONTRIBUTING.md reports/*/report.md

fuzz: .venv/ready
	$(BIN)/python benchmarks/fuzz.py 20000

bench: .venv/ready
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/reports.py
	$(BIN)/python benchmarks/proofs.py
	$(BIN)/python benchmarks/check.py --speed

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
