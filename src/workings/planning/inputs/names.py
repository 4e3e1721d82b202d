"""What an input is called: by its key, by its section and key, or by the letter that a review prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from workings.planning.inputs.clusters import CLUSTER_KEYS
from workings.planning.inputs.launches import LAUNCH_KEYS
from workings.planning.letters import ASSUMED, LETTERS, PARTS
from workings.planning.schedules import SCHEDULES
from workings.planning.stored import stored_plan
from workings.scenario.keys import MODEL as MODEL_KEYS
from workings.scenario.order import ORDERS

# The keys of each section that a setting may name; `name` is no figure.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "launch": LAUNCH_KEYS,
    "cluster": tuple(key for key in CLUSTER_KEYS if key != "name"),
    "assume": tuple(concept.name for concept in ASSUMED.values()),
    "model": tuple(key for key in MODEL_KEYS if key != "name"),
}
_NAMES = {"stages": "pp", "C": "compute", "allocatable": "memory"}  # concepts whose key is another
# Options of the command line whose key is another.
_OPTIONS = {
    "gpus": "devices", "per-node": "node_devices", "seq": "sequence_length", "global-batch": "batch",
    "tokens": "training_tokens", "virtual-stages": "virtual_stages",
    "sequence-parallel": "sequence_parallel",
}  # fmt: skip
# Names of a preset in place of [model] or of the hardware.
_PRESETS = {
    **dict.fromkeys(("model", "model.preset"), "model"),
    **dict.fromkeys(("hardware", "gpu", "cluster.hardware", "cluster.preset", "hardware.preset"),
                    "hardware"),
}  # fmt: skip
# Keys of a job that no setting changes, and what to write instead.
_COVER = "it in the job's file, in [review]"
_RESULT = "it in the job's file, in [measured] or [published]"
_TIER = "it in the job's file, in [[cluster.tier]], or link_one_way or network_one_way"
_FILE = "it in the job's file, or another file on the command line"
_ELSEWHERE: Mapping[str, str] = {
    "max_days": f"{_COVER}, or --max-days",
    "max_cost": f"{_COVER}, or --max-cost",
    "min_mfu": f"{_COVER}, or --min-mfu",
    **dict.fromkeys(("limits", "decision", "owner", "version", "date"), _COVER),
    **dict.fromkeys(("step_time", "peak_memory", "mfu", "tokens_per_second", "flops_per_device", "counts",
                     "why", "source"), _RESULT),
    **dict.fromkeys(("bandwidth", "latency", "measured_bus", "measured_algorithm", "collective", "ranks",
                     "ranks_inside"), _TIER),
    **dict.fromkeys(("hf", "file", "megatron", "torchtitan", "name", "framework"), _FILE),
    **dict.fromkeys(("fsdp", "N_fsdp"), "dp and zero = 3, as only an ordinary scenario has fsdp"),
    **dict.fromkeys(("fsdp_axes", "tp_axes", "segments"), "it in an ordinary scenario, where a plan "
                    "ignores it"),
}  # fmt: skip
_WORKED_OUT = {"d": "dp", "m": "microbatches"}  # letters that follow, but may be given instead
# Letters that are 0 or 1 and stand for one value of a key.
_SWITCHES = {
    **dict.fromkeys(("z_1", "z_2", "z_3"), ("zero", "0 to 3")),
    **dict.fromkeys(("z_c", "z_f", *PARTS), ("recompute", "none, selective, full or by part")),
    **{letter: ("schedule", " or ".join(SCHEDULES)) for letter in SCHEDULES.values() if letter},
    "o_d": ("order", " or ".join(ORDERS)),
}
_LONGEST = 60  # of a name that is held against all others, which takes its length squared


class Named(NamedTuple):
    """An input: its section and its key."""

    section: str
    key: str


def named(text: str) -> Named | None:
    """The input that a key, `section.key`, an option or a letter means; None where nothing does."""
    text = _OPTIONS.get(text, text)
    section, dot, key = text.rpartition(".")
    if dot:
        found = SECTIONS.get(section, ())
        return Named(section, _NAMES.get(key, key)) if _NAMES.get(key, key) in found else None
    return _keyed(_NAMES.get(text, text)) or _keyed(key_of(text) or "")


def _keyed(key: str) -> Named | None:
    return next((Named(section, key) for section, keys in SECTIONS.items() if key in keys), None)


def key_of(letter: str) -> str | None:
    """The key that gives a letter of the cost model its value; None where none does by itself."""
    if letter in _WORKED_OUT:
        return _WORKED_OUT[letter]
    name = LETTERS[letter].name if letter in LETTERS else ""
    key = _NAMES.get(name, name)
    return key if _keyed(key) else None


def preset_named(text: str) -> str | None:
    """`model` or `hardware` where a name means a preset of it; None where it means none."""
    return _PRESETS.get(text)


def called(text: str) -> str:
    """The one key of an input by any of its names; another name as it stands."""
    plain = text.replace("-", "_")
    found = named(text) or named(plain)
    return preset_named(text) or (found.key if found else plain)


def unchanged(text: str) -> str:
    """What to write for a key of a job that no setting changes; empty for any other name."""
    return _ELSEWHERE.get(text.rpartition(".")[2], "")


def instead(text: str) -> str:
    """What to write for a name that is no key here: what it means, the few nearest, or nothing."""
    text = text.rpartition(".")[2]
    return belongs(text) or nearest(text, list(_every()))


def nearest(text: str, names: Sequence[str]) -> str:
    """The few names that are most like one; empty where none is."""
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed

    near = get_close_matches(text[:_LONGEST], names, 3, 0.7)
    return f"a key such as {', '.join(near)}" if near else ""


def belongs(text: str) -> str:
    """The key of a letter, or the section of a key, with what it means; empty for any other name."""
    if text in _SWITCHES:
        key, values = _SWITCHES[text]
        return f"{key} ({values}) in [launch], of which {text} is a part"
    found = named(text)
    if found is not None:
        meaning = _meaning(_letter(found.key))
        return f"{found.key} in [{found.section}]" + (f", {meaning}" if meaning else "")
    if _meaning(text):
        return f"an input: {text} ({_meaning(text)}) follows from others"
    return ""


def _letter(key: str) -> str:
    return next((letter for letter in LETTERS if key_of(letter) == key), "")


def _meaning(letter: str) -> str:
    """What a letter of the cost model means; nothing where there is no such letter."""
    if letter in LETTERS:
        return LETTERS[letter].meaning
    statement = stored_plan().by_letter.get(letter)
    return statement.meaning if statement is not None else ""


def _every() -> Iterator[str]:
    for keys in SECTIONS.values():
        yield from keys
