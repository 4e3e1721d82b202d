"""The model of a launch held against [model]: what it says, and what it says by leaving it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.planning.inputs.given import Entries, Entry, Reader, shown, tidy, wrong
from workings.planning.inputs.models import GROUPED, model_figures
from workings.planning.job import JobError

_OTHERWISE = ("vocab", "norms", "name")  # as padded; what no flag says; a word
_NO_SIZE = (*_OTHERWISE, "positions")  # a launch that gives only these describes no model
# What a model has none of where the flag is left out.
_PARTS: Mapping[str, str] = {
    "experts": "--num-experts",
    "kv_rank": "--multi-latent-attention",
    "shared_experts": "--moe-shared-expert-intermediate-size",
}


class _LeftOut(NamedTuple):
    """A flag that is left out, the key it stands for, what that means and what [model] has."""

    flag: str
    key: str
    means: object
    expected: Fraction


def same_model(reader: Reader, given: Entries, said: Entries, over: Entries) -> None:
    """Refuse a launch that describes another model than [model]; `over` is set over both.

    A script's defaults count as what it says; a file of settings may leave out what others set, so
    that is only named. Raises JobError.
    """
    own = _values(reader, given | over)
    for key, entry in said.items():
        if key not in own or key in (*_OTHERWISE, *over) or entry.value == own[key]:
            continue
        if entry.kind in ("given", "preset") and (key in given or _describes(said)):
            raise wrong(entry.file, entry.key, entry.value, _there(given, key, own[key]))
    if not _describes(said):
        if said:
            file = next(iter(said.values())).file
            text = "the launch says nothing of it: [model] alone describes it"
            reader.note("defaulted", "model", text, file)
        return
    if missing := list(_left_out(said, own, over)):
        _name(reader, given, said, missing)


def _values(reader: Reader, model: Entries) -> dict[str, Fraction]:
    """Every size by its key, defaults too; what is noted of them is noted elsewhere. Raises JobError."""
    figures = model_figures(Reader(reader.folder, reader.file, spell=reader.spell), model)
    return {(f.concept.supplied or f.concept.name).rpartition(".")[2]: f.value for f in figures.values()}


def _describes(said: Entries) -> bool:
    """Whether a launch gives any size of a model."""
    return any(e.kind in ("given", "preset") for key, e in said.items() if key not in _NO_SIZE)


def _left_out(said: Entries, own: Mapping[str, Fraction], over: Entries) -> Iterator[_LeftOut]:
    """What a launch leaves out and thereby says otherwise than [model]."""
    latent = own["kv_rank"] and "kv_rank" not in said
    for key, entry in said.items():
        skipped = key in (*_OTHERWISE, *over) or (latent and key in GROUPED)
        if entry.kind == "assumed" and key in own and not skipped and entry.value != own[key]:
            yield _LeftOut(entry.key, key, entry.value, own[key])
    if any(entry.kind == "preset" for entry in said.values()):
        return
    for key, flag in _PARTS.items():
        if key not in said and own[key] and (key != "shared_experts" or "experts" in said):
            yield _LeftOut(flag, key, 0, own[key])


def _name(reader: Reader, given: Entries, said: Entries, missing: list[_LeftOut]) -> None:
    """Name what is left out: as an error of a script. Raises JobError."""
    of_launch = next(entry for entry in said.values() if entry.kind == "given")
    flags = ", ".join(dict.fromkeys(one.flag for one in missing))
    means, expected = (
        ", ".join(f"{one.key} {shown(value)}" for one, value in pairs)
        for pairs in (((o, o.means) for o in missing), ((o, o.expected) for o in missing))
    )
    where = _file(given)
    if of_launch.key.startswith("--"):
        found = f"found nothing, which means Megatron-LM's defaults ({means})"
        raise JobError(
            f"{tidy(of_launch.file)}: {flags}: {found}, expected {expected}, as {where} has it"
        )
    for one in missing:
        words = f"left out, which is {shown(one.means)} by default; {where} has {shown(one.expected)}"
        reader.note("contradicts", one.flag, words, of_launch.file)


def _file(given: Entries) -> str:
    """The file that describes the model."""
    return max((entry.file for entry in given.values()), key=[e.file for e in given.values()].count)


def _there(given: Entries, key: str, value: Fraction) -> str:
    other: Entry | None = given.get(key)
    if other is None:
        return f"{shown(value)} of {key}, as {_file(given)} has by leaving it out"
    return f"{shown(value)}, as {other.file} has {other.key}"
