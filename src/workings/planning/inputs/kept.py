"""What blocks keep for the backward with the host or in 8 bits: a share of it, or values by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from workings.planning.exact import exactly
from workings.planning.inputs.given import Entries, Entry, refused, share
from workings.planning.job import Figure, JobError
from workings.planning.recomputed import VALUES
from workings.planning.stored import stored_plan

BY_NAMES: Mapping[str, str] = {"saved_in_8_bits": "x_8", "offload_activations": "x_host"}
NAMES = ("input", *VALUES)
_EXPECTED = f"a share such as 0.3 or '30 %', or values, each one of {', '.join(NAMES)}"


def away(entry: Entry) -> Fraction | tuple[str, ...]:
    """A share, or the names of values. Raises JobError."""
    said = entry.value
    several = said if isinstance(said, list) else [said]
    if not all(isinstance(one, str) for one in several):
        return _share(entry)
    names = [" ".join(part.split()) for one in several for part in one.split(",")]
    if not set(names) & set(NAMES):
        return _share(entry)
    for name in names:
        if name not in NAMES:
            raise refused(entry, f"values, each one of {', '.join(NAMES)}")
    return tuple(name for name in NAMES if name in names)


def _share(entry: Entry) -> Fraction:
    try:
        return share(entry)
    except JobError as error:
        raise refused(entry, _EXPECTED) from error


def shared_by_names(keys: Entries, figures: Mapping[str, Figure]) -> dict[str, Figure]:
    """The shares that values by name are of what a block keeps. Raises JobError for what none keeps."""
    given = {letter: figure.value for letter, figure in figures.items()}
    found = {}
    for key, letter in BY_NAMES.items():
        entry = keys.get(key)
        if entry is None or not isinstance(entry.value, tuple):
            continue
        part = sum((_bytes(name, given, entry) for name in entry.value), Fraction(0)) / _kept(given)
        why = f"{entry.source}: {', '.join(entry.value)}"
        found[letter] = replace(figures[letter], value=part, source=why)
    return found


def _bytes(name: str, given: Mapping[str, Fraction], entry: Entry) -> Fraction:
    """What a block keeps of one value, in the mean over its blocks."""
    if name == "input":
        here = exactly(stored_plan(), given, ["T_r", "t_s"])
        return here["T_r"] * given["a"] * given["D"] / here["t_s"]
    letter = VALUES[name]
    found = _kept(given) - _kept({**given, letter: Fraction(int(letter != "k_dwn"))})
    if not found:
        raise refused(replace(entry, value=name), "values that a block keeps")
    return found


def _kept(given: Mapping[str, Fraction]) -> Fraction:
    v = exactly(stored_plan(), given, ["A_kept", "A_kept_x", "x_E"])
    return (1 - v["x_E"]) * v["A_kept"] + v["x_E"] * v["A_kept_x"]
