"""The schedules of a pipeline that a job may name.

Beside 1F1B, whose chunks are interleaved where a rank holds several: `zero-bubble` is ZB-H1, which
computes gradients of weights apart and puts them off into the bubble (Qi et al. 2024, section 2;
DeepSeek-V3 calls it ZB1P), and `dualpipe` DeepSeek-V3's, whose micro-batches enter at both ends
(section 3.2.1, table 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

USUAL = "1f1b"
SCHEDULES: Mapping[str, str] = {USUAL: "", "zero-bubble": "z_zb", "dualpipe": "z_bi"}  # with its letter
_WORDS = {"zero-bubble": "gradients of weights in the bubble (ZB-H1)",
          "dualpipe": "micro-batches from both ends (DualPipe)"}  # fmt: skip


def schedule(v: Mapping[str, Fraction]) -> str:
    """The schedule of a layout: the one that the job names, or 1F1B where it cannot run that."""
    name = next((name for name, letter in SCHEDULES.items() if letter and v.get(letter)), USUAL)
    many = v["b"] / (v["d"] * v["b_m"])
    return name if v["p"] > 1 and not any(unfit(name, v["p"], v["v"], many)) else USUAL


def in_words(v: Mapping[str, Fraction]) -> str:
    """What is not 1F1B about a layout's schedule; nothing where nothing is."""
    return _WORDS.get(schedule(v), "")


def unfit(
    name: str, stages: Fraction, chunks: Fraction, microbatches: Fraction
) -> Iterator[tuple[str, str]]:
    """Why a layout of several stages cannot run a schedule: the key, and what is expected of it."""
    if SCHEDULES[name] and chunks > 1:
        yield "virtual_stages", f"1, the only number of chunks that {name} is planned with"
    if SCHEDULES[name] and microbatches < stages:
        yield "schedule", f"{USUAL}: {name} needs as many micro-batches as stages"
    if name == "dualpipe" and stages % 2:
        yield "pp", "an even number of stages, as dualpipe needs"
    if name == "dualpipe" and (microbatches % 2 or microbatches < 2 * stages):
        least = f"an even number of micro-batches, at least {2 * stages}"
        yield "schedule", f"{USUAL}: dualpipe needs {least}"
