"""Settings put over a job by hand: `--set tp=4`, by the names of keys and concepts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from workings.planning.inputs.assumptions import Assumed, assumption
from workings.planning.inputs.clusters import CLUSTER_KEYS
from workings.planning.inputs.given import Entries, Entry, Reader, tidy
from workings.planning.inputs.launches import DEGREES, LAUNCH_KEYS, Launch, typed
from workings.planning.job import JobError
from workings.planning.letters import ASSUMED
from workings.scenario.keys import MODEL as MODEL_KEYS
from workings.units import NUMBER, parse_number

# What follows from what is set, and is therefore dropped where a file gives it.
_FOLLOWS = ("dp", "microbatches")
_NAMES = {"stages": "pp", "C": "compute", "allocatable": "memory"}  # concepts whose key is another


class Settings(NamedTuple):
    """Settings by the section that they belong to."""

    model: Entries
    cluster: Entries
    launched: Entries
    assumptions: Entries
    named: Mapping[str, str]  # presets that replace [model] or the hardware

    def presets(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The tables, with the model or the hardware replaced by another preset."""
        tables = dict(raw)
        if "model" in self.named:
            tables["model"] = {"preset": self.named["model"]}
        if "hardware" in self.named:
            kept = {
                k: v for k, v in dict(raw.get("cluster", {})).items() if k in ("devices", "node_devices")
            }
            tables["cluster"] = {**kept, "hardware": self.named["hardware"]}
        return tables

    def launch(self, reader: Reader, launch: Launch) -> Launch:
        """The launch with settings over its keys; what followed from them follows anew."""
        set_here = typed(self.launched)
        keys, devices = dict(launch.keys), launch.devices
        for key, other in (("steps", "training_tokens"), ("training_tokens", "steps")):
            if key in set_here:
                keys.pop(other, None)
        if (
            set_here.keys() & {*DEGREES, "batch", "microbatch", "microbatches"}
            or "devices" in self.cluster
        ):
            dropped = [key for key in _FOLLOWS if key in keys and key not in set_here]
            dropped = [key for key in dropped if not (key == "dp" and not self._moves_world())]
            for key in dropped:
                reader.note("ignored", keys.pop(key).key, "it follows anew from what is set")
        if "devices" in self.cluster:
            devices = None
        return launch._replace(keys=keys | set_here, devices=devices)

    def _moves_world(self) -> bool:
        return bool(self.launched.keys() & {"tp", "cp", "pp"}) or "devices" in self.cluster

    def assumed(self, reader: Reader) -> dict[str, Assumed]:
        """Assumptions that are set, by letter. Raises JobError."""
        by_name = {concept.name: letter for letter, concept in ASSUMED.items()}
        return {
            by_name[name]: Assumed(assumption(reader, entry, name), entry)
            for name, entry in self.assumptions.items()
        }


def settings_of(given: Mapping[str, str]) -> Settings:
    """Settings sorted by section. Raises JobError for a name that nothing has."""
    found: dict[str, Entries] = {"model": {}, "cluster": {}, "launch": {}, "assume": {}}
    named = {}
    assumed = {concept.name for concept in ASSUMED.values()}
    for raw, text in given.items():
        name = _NAMES.get(raw, raw)
        entry = Entry(plain(text), "given", f"--set {tidy(raw)}", "--set", raw)
        if name in ("model", "hardware"):
            named[name] = str(text).strip()
            continue
        sections = {
            "launch": LAUNCH_KEYS,
            "cluster": CLUSTER_KEYS,
            "assume": assumed,
            "model": MODEL_KEYS,
        }
        section = next((s for s, keys in sections.items() if name in keys and name != "name"), None)
        if section is None:
            known = ", ".join(sorted({*LAUNCH_KEYS, *CLUSTER_KEYS, *assumed, *MODEL_KEYS}))
            raise JobError(f"--set: {tidy(raw)}: found an unknown name, expected one of {known}")
        found[section][name] = entry
    return Settings(found["model"], found["cluster"], found["launch"], found["assume"], named)


def plain(text: object) -> object:
    """A setting's text as TOML would have it: a number, true or false, or text."""
    if not isinstance(text, str):
        return text
    bare = text.strip()
    if bare in ("true", "false"):
        return bare == "true"
    if NUMBER.fullmatch(bare) and len(bare) < 30:
        number = parse_number(bare)
        return int(number) if number.denominator == 1 else Fraction(number)
    return bare
