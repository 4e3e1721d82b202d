# Two commands: `make report` writes every report, `make test` runs the first tier of the tests. Each
# makes the virtual environment first if there is none.
PYTHON ?= python3
BIN := .venv/bin
# A process a core; `make test WORKERS="-p no:xdist"` runs one test after the other.
WORKERS ?= -n auto --maxprocesses 8 --dist worksteal

.PHONY: report test second lint verify check pages fuzz bench
report: .venv/ready
	$(BIN)/workings report --directives benchmarks
	@for job in reports/reviews/*/job.toml; do $(BIN)/workings review $$job -o $$(dirname $$job) || exit; done

test: .venv/ready
	$(BIN)/python -m pytest $(WORKERS) -m "not slow"
	@echo "Every module and every derivation was tested. Left for the second tier, which CI runs too"
	@echo "(make second): LaTeX compiled, benchmarks measured again, the largest hostile documents,"
	@echo "copies of the package in fresh processes, every case of what was only sampled."

# The second tier: what takes seconds, and all cases of what the first tier samples.
second: .venv/ready
	$(BIN)/python -m pytest $(WORKERS) -m slow

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

verify: .venv/ready
	$(BIN)/workings verify
	$(BIN)/workings mutants

check: .venv/ready
	$(BIN)/workings report --directives benchmarks --check
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
