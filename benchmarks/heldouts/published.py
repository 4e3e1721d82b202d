"""What a row prints: the time of a step, by the surest of its figures, and the peak of memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from heldouts.flops import counts, model_flops
from heldouts.rows import RefusedError, Row
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.letters import LETTERS

_THOUSANDS = {"k": 1000.0, "": 1.0}
_BYTES = {"MiB": 2.0**20, "GiB": 2.0**30, "GB": 1e9, "bytes": 1.0}
# `64 GB`, `8*64GB`, `70.09 * 8 GB`, `46.80*2 + 38.93*2 GB`: of several devices the fullest counts.
_SIZES = re.compile(r"((?:[\d.]+(?: ?\* ?[\d.]+)?(?: \+ )?)+) ?(GiB|MiB|GB|bytes)")
_PEAK_RATE, _FLOPS = re.compile(r"([\d.]+) ([PT])FLOP/s"), {"P": 1e15, "T": 1e12}
_NO_PEAK = re.compile(r"bound|estimated|% of")
_SHARE = re.compile(r"^([\d.]+) % of ([\d.]+) (GiB) HBM a chip")
_NO_STEP, _RATES = "step time", ("tflops_per_gpu", "mfu_percent")  # among what is unknown; its rates
_COMPILER = "compile-time|compiler log|compiler-reported|XLA log"  # totals of what is planned, no reading
_LAST_RANK = "memory is that of the last pipeline rank"  # which is not the fullest
_BINARY = r"GiB|1024\^3"
# torchao's "GB" are the GiB of torchtitan's log (benchmarks/float8/training/parse_torchtitan_logs.py).
_GIB_CALLED_GB = "torchao"
_BOUND = "true step time"  # among what is unknown: what is printed is more than a step
_THRASHED = "step time is not the layout's"
# A step that was worked out from FLOPs when the row was gathered, though no page says what they are.
_UNDEFINED, _DERIVED = "what counts as a FLOP", r"step_time_s (?:is )?derived"
_NOT_GIVEN_OUT = (
    "x_frag",
    "x_pool",
    "x_loss",
    "M_ctx",
    "M_grp",
)  # by PyTorch's allocator, to whom it asks
_NOT_DEFINED = "published: FLOP/s alone, of FLOPs that are not defined"


class Step(NamedTuple):
    """The seconds of a step, and the key that they are from."""

    seconds: float
    by: str


class Peak(NamedTuple):
    """The bytes of a peak, and what they are said to be."""

    bytes: float
    what: str


def step(row: Row) -> Step:
    """The time of a step. Raises RefusedError where only FLOP/s are printed and nobody says of what."""
    tokens = row["global_batch"] * row["seq_len"]
    if _guessed(row):
        raise RefusedError(_NOT_DEFINED)
    if _BOUND in "; ".join(row.get("unknown", ())):
        raise RefusedError("published: a bound of the step, not its time")
    if _THRASHED in row.get("notes", ""):
        raise RefusedError("published: a step that waits for memory to be given back")
    if "step_time_s" in row:
        return Step(float(row["step_time_s"]), "step_time_s")
    if "tokens_per_s_per_gpu" in row:
        return Step(tokens / row["gpus"] / number(row["tokens_per_s_per_gpu"]), "tokens_per_s_per_gpu")
    for total in ("tokens_per_s_total", "tokens_per_s"):
        if total in row:
            return Step(tokens / number(row[total]), total)
    if "samples_per_s" in row:
        return Step(row["global_batch"] / number(row["samples_per_s"]), "samples_per_s")
    if _NO_STEP in row.get("unknown", ()) and not any(rate in row for rate in _RATES):
        raise RefusedError("published: a peak alone, no time of a step")
    each = _rate(row)
    if counts(row) is None or each is None:
        raise RefusedError(_NOT_DEFINED)
    by = "tflops_per_gpu" if "tflops_per_gpu" in row else "mfu_percent"
    return Step(tokens * model_flops(row) / (row["gpus"] * each), by)


def _rate(row: Row) -> float | None:
    """FLOP/s of a device, as they are printed or as a share of a peak that is printed too."""
    if "tflops_per_gpu" in row:
        return number(row["tflops_per_gpu"]) * 1e12
    printed = row.get("mfu_peak", "")
    printed = printed if isinstance(printed, str) else f"{printed} TFLOP/s"
    peak_rate = _PEAK_RATE.search(f"{row.get('mfu_counts', '')}; {printed}")
    if peak_rate is None or "mfu_percent" not in row:
        return None
    return float(row["mfu_percent"]) / 100 * float(peak_rate[1]) * _FLOPS[peak_rate[2]]


def _guessed(row: Row) -> bool:
    """Whether the step rests on a guess at what the page's FLOPs are."""
    unknown = "; ".join(row.get("unknown", ()))
    return _UNDEFINED in unknown and re.search(_DERIVED, row.get("agreement", "")) is not None


def number(said: float | str) -> float:
    """A number as it is printed: 4550, `24k`, `~704`."""
    found = re.fullmatch(r"~?([\d.]+)(k?)", str(said).replace(",", ""))
    if found is None:
        raise ValueError(f"found {said!r}, expected a number")
    return float(found[1]) * _THOUSANDS[found[2]]


def peak(row: Row) -> Peak | None:
    """The peak of the fullest device; nothing where none is printed, or a bound or an estimate."""
    if _LAST_RANK in row.get("notes", ""):
        return None
    if plain := _plain(row):
        return plain
    said = row.get("peak_mem", "")
    if share := _SHARE.search(said):
        return Peak(float(share[1]) / 100 * float(share[2]) * _BYTES[share[3]], _what(said))
    found = None if _NO_PEAK.search(said) else _SIZES.search(said)
    if found is None:
        return None
    sizes = (_size(term, row["gpus"]) for term in found[1].split("+"))
    unit = "GiB" if row.get("source") == _GIB_CALLED_GB else found[2]
    return Peak(max(sizes) * _BYTES[unit], _what(said))


def _plain(row: Row) -> Peak | None:
    """A peak that is a number in its key's unit, unless it is said to be printed in gigabytes."""
    words = str(row.get("mem_kind", row.get("peak_mem_what", "")))
    if re.search(_COMPILER, words):
        return None
    printed_as = "; ".join(str(row[key]) for key in ("mem_kind", "peak_mem_what") if key in row)
    for key, unit in (("peak_mem_gib", "GiB"), ("peak_mem_gb", "GB")):
        if key in row:
            printed = (
                "GB" if re.search(r"\bGB\b", printed_as) and not re.search(_BINARY, printed_as) else unit
            )
            return Peak(float(row[key]) * _BYTES[printed], _what(words))
    return None


def counted(printed: Peak, v: Mapping[str, Fraction]) -> Fraction:
    """Our bytes of what the peak counts, `v` of a plan.

    What an allocator has given out has no gaps, no pools that wait for their own stream, and nothing of
    the driver's and of NCCL's. What it has reserved is more than that, by what is not known: all of ours
    is held against it.
    """
    if printed.what != "allocated":
        return v["M"]
    given = {letter: v[letter] for letter in LETTERS}
    return exactly(plan(), given | dict.fromkeys(_NOT_GIVEN_OUT, Fraction(0)), ["M"])["M"]


def _size(term: str, devices: int) -> float:
    """The size of a product of a size and a number of devices, which stand in either order."""
    first, *rest = map(float, term.split("*"))
    return rest[0] if rest and first == devices else first


def _what(said: str) -> str:
    said = said.replace("allocated or reserved not said", "")
    if re.search("allocated|active|JAX device peak", said):  # JAX's is that of its allocator
        return "allocated"
    return next((kind for kind in ("nvidia-smi", "reserved") if kind in said), "not said")
