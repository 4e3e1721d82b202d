"""How a review is laid out: results first, tables whole, switches in a sentence, limits in the figure."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b
from reviewed import files, review

from workings.document.blocks import Bars
from workings.planning.inputs import read_job
from workings.planning.job import Job
from workings.review.build import document

EVERY = pytest.mark.parametrize("make", [gpt3_175b, llama3_8b, experts_64])
REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def page(job: Job) -> str:
    return files(review(job), ("md",))["review.md"]


ORDER = ("Measure first", "Odds", "Memory", "Communication", "Step time", "Pipeline",
         "Throughput, days and cost", "Alternatives", "Rules", "Assumption register",
         "What the model leaves out")  # fmt: skip
BELOW = ["Model, cluster and layout", "Inputs without a range that matters", "Rules that hold", "Inputs",
         "A decision tree", "Roofline", "Every figure worked", "Derivations"]  # fmt: skip


@pytest.mark.parametrize(("name", "without"), [("gpt3-175b-512", set()), ("llama3-8b-8", {"Pipeline"})])
def test_results_come_before_what_they_were_made_of(name: str, without: set[str]) -> None:
    made = files(review(read_job(REVIEWS / name / "job.toml")), ("md",))
    pages = (made[name] for name in ("review.md", "workings.md"))
    signed, below = (re.findall(r"^## (.*)$", page, re.MULTILINE) for page in pages)
    assert signed == [name for name in ORDER if name not in without]
    assert below == BELOW


def test_where_the_register_is_found_is_said_where_its_figures_are_used() -> None:
    made = files(review(gpt3_175b()), ("md",))
    memory = made["review.md"].split("## Memory")[1].split("## ")[0]
    assert "(#table-register)" in memory
    assert "(review.md#table-register)" in made["workings.md"].split("## Inputs without")[0]


def model_of(job: Job) -> str:
    """The table of the model, and what is said below it."""
    return files(review(job), ("md",))["workings.md"].split("** Model\n")[1].split("<a id")[0]


def test_switches_that_nobody_set_are_told_in_a_sentence_and_stay_in_the_json() -> None:
    job = read_job(REVIEWS / "llama3-8b-8" / "job.toml")
    found = json.loads(files(review(job))["review.json"])["inputs"]
    model = model_of(job)
    assert {"beta_n", "z_h"} <= {f["letter"] for f in found if f["kind"] == "follows"}
    assert "their letters are 1: the blocks have attention ($`z_{h}`$)" in model
    assert "their letters are 0: a norm has a bias ($`\\beta_{n}`$)" in model
    assert "| 1 where" not in model


def test_a_switch_that_somebody_set_keeps_its_row() -> None:
    job = read_job(REVIEWS / "llama3-8b-8" / "job.toml")
    given = replace(job.figures["beta_n"], kind="given")
    model = model_of(replace(job, figures={**job.figures, "beta_n": given}))
    assert "| 1 where a norm has a bias | 0 | given |" in model


@EVERY
def test_no_table_is_cut_in_parts_and_long_ones_may_break(make: Callable[[], Job]) -> None:
    made = files(review(make()))
    assert ", continued" not in made["review.md"]
    assert made["review.md"].count("| id | input, and where it is from |") == 1
    assert (
        "{\\workingscaption{table}{tab:register}" in made["review.tex"].partition("\n\\workingslong{")[2]
    )
    assert "\\usepackage{longtable}" in made["review.tex"]


@EVERY
def test_the_figure_of_memory_marks_the_device_and_both_limits(make: Callable[[], Job]) -> None:
    job = make()
    [figure] = [b for b in document(review(job)).blocks if isinstance(b, Bars) and b.label == "memory"]
    go, go_if, whole = figure.marks
    assert [mark.firm for mark in figure.marks] == [False, False, True]
    assert go.share / whole.share == pytest.approx(float(job.limit))
    assert go_if.share / whole.share == pytest.approx(float(job.limit_if))
    assert whole.share <= 1
    assert whole.name == f"device {float(job.figures['M_dev'].value) / 1e9:.2f} GB"
