"""What an input is called: by its key, by its section and key, or by the letter that a review prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from workings.planning.inputs.clusters import CLUSTER_KEYS
from workings.planning.inputs.launches import LAUNCH_KEYS
from workings.planning.letters import ASSUMED, LETTERS
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
_WORKED_OUT = {"d": "dp", "m": "microbatches"}  # letters that follow, but may be given instead
# Letters that are 0 or 1 and stand for one value of a key.
_SWITCHES = {
    **dict.fromkeys(("z_1", "z_2", "z_3"), ("zero", "0 to 3")),
    **dict.fromkeys(("z_c", "z_f"), ("recompute", "none, selective or full")),
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


def instead(text: str) -> str:
    """What to write in place of a name that is no key here; empty where nothing is like it."""
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed

    text = text.rpartition(".")[2]
    near = get_close_matches(text[:_LONGEST], list(_every()), 3, 0.7)
    return belongs(text) or (f"a key such as {', '.join(near)}" if near else "")


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
