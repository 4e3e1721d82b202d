"""The compute that a job's matrix products are timed at where they are of 32 bits and not of 16."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from workings.planning.inputs.given import Entries, Reader, quantity
from workings.planning.job import Figure, Place
from workings.planning.unfollowed import IN_FP32
from workings.planning.working import shown
from workings.units import FLOP, SECOND

Products = Literal["TF32", "FP32"]
_PEAKS: Mapping[Products, str] = {"TF32": "compute_tf32", "FP32": "compute_fp32"}
_BYTES = 4  # of a value in FP32
_HOW: Mapping[Products, str] = {
    "TF32": "in TF32, as Transformer Engine multiplies FP32 matrices",
    "FP32": "in full FP32, as PyTorch multiplies FP32 matrices unless TF32 is allowed",
}


def compute_figure(
    reader: Reader, cluster: Entries, figures: Mapping[str, Figure], products: Products = "FP32"
) -> dict[str, Figure]:
    """The compute of FP32 products in place of the 16-bit peak, or nothing; a word on either.

    A compute that the job itself gives is taken as it is. Raises JobError.
    """
    peaks = {
        key: quantity(cluster[key], FLOP / SECOND, "67 TFLOP/s")
        for key in _PEAKS.values() if key in cluster
    }  # fmt: skip
    usual, width = figures["C"], figures["a"]
    if width.value != _BYTES:
        for key in peaks:
            if cluster[key].kind == "given":
                reader.note("ignored", cluster[key].key, "no matrix product of the job is of FP32 values")
        return {}
    key, which = _PEAKS[products], _key(width.place)
    if "compute" in cluster and cluster["compute"].kind == "given":
        at = shown(usual.value, usual.dimension)
        text = f"{IN_FP32}: {at}, the compute given, has to be that of such products"
        reader.note("taken", which, text, width.place.file)
        return {}
    if key not in peaks:
        reader.note("ignored", which, _unknown(key), width.place.file)
        return {}
    entry = cluster[key]
    both = ", and not at ".join(str(shown(v, usual.dimension)) for v in (peaks[key], usual.value))
    text = f"{IN_FP32}: products are timed at {both}: {_HOW[products]}"
    reader.note("taken", which, text, width.place.file)
    source = f"{entry.source}; {_HOW[products]}"
    return {"C": replace(usual, value=peaks[key], kind=entry.kind, source=source, place=entry.place)}


def _key(place: Place) -> str:
    return place.key or "launch.activation_width"


def _unknown(key: str) -> str:
    return (
        f"{IN_FP32}, and no such peak of the device is known: products are timed at its 16-bit peak "
        f"and may take many times as long; give cluster.{key}"
    )
