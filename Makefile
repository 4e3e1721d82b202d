# Two commands: `make report` writes every report and review, also what git does not hold, and `make test`
# runs the first tier of the tests. Each makes the virtual environment first if there is none.
PYTHON ?= python3
BIN := .venv/bin
# A process a core; `make test WORKERS="-p no:xdist"` runs one test after the other.
WORKERS ?= -n auto --maxprocesses 8 --dist worksteal
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
# How many made-up documents `make fuzz` takes; CI takes fewer.
DOCUMENTS ?= 20000
JOBS := $(wildcard reports/reviews/*/job.toml)
PAGES := $(filter-out %/source.md,$(wildcard reports/*/*.md))
BUILT := build/reports
HANDOUTS := $(patsubst reports/handouts/%/source.md,%,$(wildcard reports/handouts/*/source.md))
# The reviews into folders of a folder, as many at a time as there are cores.
REVIEWS = printf '%s\n' $(JOBS:reports/%/job.toml=%) | \
	xargs -P $(CORES) -I @ $(BIN)/workings review reports/@/job.toml -o

# The handouts into a folder: solutions (report.md), sheet, answer form and key of each, and the same of three variants. A key
# names its scenario as it lies beside it, so what is written by hand is copied to where it is built. Notes to
# the author are said once, by `workings handout`, which sees the page at the values of the variants too.
HANDED = for name in $(HANDOUTS); do \
	to=$(1)/$$name; mkdir -p $$to; \
	[ $(1) = reports/handouts ] || cp $$(git ls-files reports/handouts/$$name/source.md reports/handouts/$$name/net.toml) $$to; \
	rm -rf $$to/variants; \
	$(BIN)/workings report $$to/source.md -o $$to --format md --no-notes && \
	$(BIN)/workings report $$to/source.md -o $$to --format md --as sheet && \
	$(BIN)/workings report $$to/source.md -o $$to --as form --no-notes && \
	$(BIN)/workings report $$to/source.md -o $$to --as key && \
	$(BIN)/workings handout $$to/source.md -o $$to/variants --format md --variants 3 --seed 18 || exit 1; \
	done

.PHONY: report handouts test second browser live lint verify check pages site fuzz bench
report: .venv/ready
	$(BIN)/workings report --directives benchmarks
	$(BIN)/python benchmarks/coverage.py pages
	$(BIN)/python benchmarks/figures.py pages
	@$(REVIEWS) reports/@
	@$(call HANDED,reports/handouts)

handouts: .venv/ready
	@$(call HANDED,reports/handouts)

test: .venv/ready
	$(BIN)/python -m pytest $(WORKERS) -m "not slow and not browser"
	@echo "Every module and every derivation was tested. Left for the second tier, which CI runs too"
	@echo "(make second): LaTeX compiled, benchmarks measured again, the largest hostile documents,"
	@echo "copies of the package in fresh processes, every case of what was only sampled."

# The second tier: what takes seconds, and all cases of what the first tier samples.
second: .venv/ready
	$(BIN)/python -m pytest $(WORKERS) -m "slow and not browser"

# Pages as Chromium shows them (Debian's package `chromium`); each process starts a browser of its own.
browser: .venv/ready
	$(BIN)/python -m pytest $(WORKERS) -m browser

# The live 220B report beside Python's own pages, and sliders beside `workings solve`; `make bench` takes 500 states.
live: .venv/ready
	$(BIN)/python benchmarks/live.py 60

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

verify: .venv/ready
	$(BIN)/workings verify
	$(BIN)/workings mutants

# Everything is built anew, in another folder; what git holds of it must be the same, byte for byte.
check: .venv/ready
	rm -rf $(BUILT)
	$(BIN)/workings report --directives benchmarks -o $(BUILT)
	$(BIN)/python benchmarks/coverage.py pages -o $(BUILT)
	$(BIN)/python benchmarks/figures.py pages -o $(BUILT)
	@$(REVIEWS) $(BUILT)/@
	@$(call HANDED,$(BUILT)/handouts)
	.ci/committed $(BUILT)

# Our own pages, read by our own checker.
pages: .venv/ready
	$(BIN)/workings check README.md CHANGELOG.md CONTRIBUTING.md docs/*.md $(PAGES)

# The catalogue as a static site; open build/site/index.html.
site: .venv/ready
	$(BIN)/workings site --directives benchmarks -o build/site

fuzz: .venv/ready
	$(BIN)/python benchmarks/fuzz.py $(DOCUMENTS)

bench: .venv/ready
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/reports.py
	$(BIN)/python benchmarks/proofs.py
	$(BIN)/python benchmarks/check.py
	$(BIN)/python benchmarks/live.py

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
