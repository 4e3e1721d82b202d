"""The fourth set is read by its words, key by key."""

from contextlib import suppress
from typing import Any

import pytest
from heldouts.clusters import cluster
from heldouts.flops import model_flops
from heldouts.launches import launch
from heldouts.models import model
from heldouts.published import peak, step
from heldouts.rows import LATER, RefusedError, Row, every_row, rows, source
from looping import each

UNHEARD = {"printed", "evidence", "recipe", "mfu", "samples_per_s"}  # of step times
WINDOWS = {"sliding_window", "sliding_layers"}  # have no key: all scores are planned


class Heard(dict[str, Any]):
    """A table that remembers which of its values were asked for."""

    def __init__(self, table: Row, heard: set[str]) -> None:
        super().__init__(table)
        self.heard = heard

    def __getitem__(self, key: str) -> Any:
        self.heard.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.heard.add(key)
        return super().get(key, default)


def test_every_key_of_the_fourth_set_is_read_or_left_on_purpose() -> None:
    found = rows(LATER["fourth"])
    heard, of_model = set[str](), set[str]()
    for row in found:
        said = Heard({**row, "model": Heard(row["model"], of_model)}, heard)
        source(said), peak(said)
        for read in (launch, cluster, model, step):
            with suppress(RefusedError):
                read(said)
    assert {key for row in found for key in row} - heard == UNHEARD
    assert {key for row in found for key in row["model"]} - of_model == WINDOWS


def test_what_has_been_scored_is_evidence_and_what_has_not_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fourth = {row["name"] for row in rows(LATER["fourth"])}
    assert fourth <= {row["name"] for row in every_row()}
    monkeypatch.setattr("heldouts.rows.UNFITTED", ("fourth",))
    assert not fourth & {row["name"] for row in every_row()}


def test_what_belongs_together_is_one_source() -> None:
    found = rows(LATER["fourth"])
    assert len({row["source"] for row in found}) == 36
    assert len({source(row) for row in found}) == 31
    assert source({"source": "issue-torchtitan-4604"}) == source({"source": "issue-torchtitan-4605"})
    assert source({"source": "issue-torchtitan-2389"}) == "issue-torchtitan-2389"


def of_the_fourth(name: str) -> Row:
    return next(row for row in rows(LATER["fourth"]) if row["name"] == name)


@each(
    "name, less",
    [
        ("Lambda Qwen3-30B-A3B 8 B200 bs2 seq4096 FullAC", 1e-3),
        ("torchtitan 2389 8 B200 router gate bfloat16, AC none", 1e-3),
        ("Nous Qwen3-30B-A3B DeepEP 128 B200", 3e-3),  # printed in whole TFLOP/s
    ],
)
def test_flops_are_those_of_pages_that_print_both_rates(name: str, less: float) -> None:
    row = of_the_fourth(name)
    each_token = row["tflops_per_gpu"] * 1e12 / row["tokens_per_s_per_gpu"]
    assert model_flops(row) == pytest.approx(each_token, rel=less)


def test_a_share_of_a_printed_peak_is_flops_of_what_its_program_counts() -> None:
    """A row prints both, and comes to the same step by either."""
    row = dict(of_the_fourth("Lambda Qwen3-30B-A3B 8 B200 bs4 FullAC"))
    by_rate = step(row)
    by_share = step({key: row[key] for key in row if not key.startswith("tflops")})
    assert (by_rate.by, by_share.by) == ("tflops_per_gpu", "mfu_percent")
    assert by_share.seconds == pytest.approx(by_rate.seconds, rel=1e-3)
    with pytest.raises(RefusedError, match="not defined"):
        step(
            {**{key: row[key] for key in row if not key.startswith("tflops")}, "mfu_counts": "not stated"}
        )
