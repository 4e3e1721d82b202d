"""What a row prints: the time of a step, by the surest of its figures, and the peak of memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from heldouts.flops import counts, model_flops
from heldouts.rows import RefusedError, Row

_THOUSANDS = {"k": 1000.0, "": 1.0}
_BYTES = {"MiB": 2.0**20, "GiB": 2.0**30, "GB": 1e9, "bytes": 1.0}
# `64 GB`, `8*64GB`, `70.09 * 8 GB`, `46.80*2 + 38.93*2 GB`: of several devices the fullest counts.
_SIZES = re.compile(r"((?:[\d.]+(?: ?\* ?[\d.]+)?(?: \+ )?)+) ?(GiB|MiB|GB|bytes)")
_NO_PEAK = re.compile(r"bound|estimated|% of")


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
    if "step_time_s" in row:
        return Step(float(row["step_time_s"]), "step_time_s")
    if "tokens_per_s_per_gpu" in row:
        return Step(tokens / row["gpus"] / number(row["tokens_per_s_per_gpu"]), "tokens_per_s_per_gpu")
    if "tokens_per_s_total" in row:
        return Step(tokens / number(row["tokens_per_s_total"]), "tokens_per_s_total")
    if "samples_per_s" in row:
        return Step(row["global_batch"] / number(row["samples_per_s"]), "samples_per_s")
    if counts(row) is None:
        raise RefusedError("published: FLOP/s alone, of FLOPs that are not defined")
    rate = row["gpus"] * number(row["tflops_per_gpu"]) * 1e12
    return Step(tokens * model_flops(row) / rate, "tflops_per_gpu")


def number(said: float | str) -> float:
    """A number as it is printed: 4550, `24k`, `~704`."""
    found = re.fullmatch(r"~?([\d.]+)(k?)", str(said).replace(",", ""))
    if found is None:
        raise ValueError(f"found {said!r}, expected a number")
    return float(found[1]) * _THOUSANDS[found[2]]


def peak(row: Row) -> Peak | None:
    """The peak of the fullest device; nothing where none is printed, or a bound or an estimate."""
    said = row.get("peak_mem", "")
    found = None if _NO_PEAK.search(said) else _SIZES.search(said)
    if found is None:
        return None
    sizes = (_size(term, row["gpus"]) for term in found[1].split("+"))
    return Peak(max(sizes) * _BYTES[found[2]], _what(said))


def counted(printed: Peak, v: Mapping[str, Fraction]) -> Fraction:
    """Our bytes of what the peak counts: an allocator knows nothing of the driver's and of NCCL's."""
    return v["M"] - (v["M_ctx"] + v["M_comm"] if printed.what == "allocated" else 0)


def _size(term: str, devices: int) -> float:
    """The size of a product of a size and a number of devices, which stand in either order."""
    first, *rest = map(float, term.split("*"))
    return rest[0] if rest and first == devices else first


def _what(said: str) -> str:
    if re.search("allocated|active", said):
        return "allocated"
    return "nvidia-smi" if "nvidia-smi" in said else "not said"
