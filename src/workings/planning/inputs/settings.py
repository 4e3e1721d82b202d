"""Settings put over a job by hand: `--set tp=4`, `launch.tp=4` or, by the letter of a review, `t=4`."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from workings.planning.inputs.assumptions import Assumed, assumption
from workings.planning.inputs.given import Entries, Entry, Reader, tidy
from workings.planning.inputs.launches import DEGREES, Launch, typed
from workings.planning.job import JobError
from workings.planning.letters import ASSUMED
from workings.units import UnitError, parse_amount

# What follows from what is set, and is therefore dropped where a file gives it.
_FOLLOWS = ("dp", "microbatches")
_ANY = "a key of [model], [cluster], [launch] or [assume], such as tp, or its letter"
REPLACED = "the preset of --set {} takes the place of [{}]"
_KEPT = ("devices", "node_devices")  # of a cluster whose hardware is replaced


class Settings(NamedTuple):
    """Settings by the section that they belong to."""

    model: Entries
    cluster: Entries
    launched: Entries
    assumptions: Entries
    named: Mapping[str, str]  # presets that replace [model] or the hardware

    def presets(self, reader: Reader, raw: Mapping[str, Any]) -> dict[str, Any]:
        """The tables, with the model or the hardware replaced by another preset."""
        tables = dict(raw)
        for kind, section, key in (("model", "model", "preset"), ("hardware", "cluster", "hardware")):
            if kind in self.named:
                given = dict(raw.get(section, {}))
                kept = {k: v for k, v in given.items() if k in _KEPT}
                for name in given.keys() - {*kept, "preset", "hardware"}:
                    text = REPLACED.format(kind, section)
                    reader.note(
                        "ignored", reader.spell.get(f"{section}.{name}", f"{section}.{name}"), text
                    )
                tables[section] = {**kept, key: self.named[kind]}
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
            if "dp" in dropped:
                devices = devices or _devices(reader, keys)
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


def _devices(reader: Reader, keys: Entries) -> Entry:
    """The devices of a layout that is changed; those of the cluster go before, where it says them."""
    degrees = [keys[key].value for key in ("dp", "tp", "cp", "pp") if key in keys]
    why = "dp × tp × cp × pp of the layout given"
    return Entry(prod(degrees), "follows", why, reader.file, "devices")


def settings_of(given: Mapping[str, str]) -> Settings:
    """Settings sorted by section. Raises JobError for a name that nothing has, or two for one thing."""
    if not given:
        return Settings({}, {}, {}, {}, {})
    from workings.planning.inputs.names import named, preset_named  # noqa: PLC0415 - not where nothing is set

    found: dict[str, Entries] = {"model": {}, "cluster": {}, "launch": {}, "assume": {}}
    presets = {}
    for raw, text in given.items():
        if preset := preset_named(raw):
            if preset in presets:
                raise JobError(f"--set: {tidy(raw)}: found {preset} set twice, expected it once")
            presets[preset] = str(text).strip()
            continue
        name = named(raw)
        if name is None:
            raise _unknown(raw)
        section = found[name.section]
        if name.key in section:
            other = tidy(section[name.key].key)
            raise JobError(
                f"--set: {tidy(raw)}: found {name.key} set twice, as {other} too, expected it once"
            )
        section[name.key] = Entry(plain(text), "given", f"--set {tidy(raw)}", "--set", raw)
    return Settings(found["model"], found["cluster"], found["launch"], found["assume"], presets)


def _unknown(raw: str) -> JobError:
    """The error of a name that nothing has, with what is meant instead where that can be guessed."""
    from workings.planning.inputs.names import instead, unchanged  # noqa: PLC0415 - rarely needed

    if expected := unchanged(raw):
        return JobError(f"--set: {tidy(raw)}: found a key that no setting changes, expected {expected}")
    expected = instead(raw) or _ANY
    return JobError(f"--set: {tidy(raw)}: found an unknown name, expected {expected}")


def plain(text: object) -> object:
    """A setting's text as TOML would have it: a number, true or false, or text."""
    if not isinstance(text, str):
        return text
    bare = text.strip()
    if bare in ("true", "false"):
        return bare == "true"
    try:
        number, rest = parse_amount(bare)
    except UnitError:
        return bare
    if rest or bare.startswith("-") or len(bare) >= 30:
        return bare
    return int(number) if number.denominator == 1 else number
