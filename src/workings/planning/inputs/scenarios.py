"""An ordinary scenario as a job: [hardware] is its cluster, [layout] and [training] its launch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workings.planning.inputs.given import Entry, Reader, whole
from workings.planning.inputs.launches import WIDTHS
from workings.planning.inputs.settings import plain
from workings.scenario import PRESETS
from workings.scenario.keys import HARDWARE
from workings.scenario.keys import WIDTHS as USUAL_WIDTHS
from workings.scenario.presets import read_preset

SECTIONS = {"hardware", "layout", "training"}
# Keys that only a scenario has, by section.
_OWN = {**dict.fromkeys(("fsdp", "fsdp_axes", "tp_axes"), "layout"), "segments": "training"}
_SAME = ("tp", "cp", "pp", "virtual_stages", "ep", "etp", "order")
_TRAINING = ("batch", "sequence_length", "microbatch", "microbatches", "training_tokens", *WIDTHS)

# Its keys that a job has too, in other sections.
_OF_JOB = {"layout": (*_SAME, "dp", "devices"), "training": _TRAINING, "hardware": HARDWARE}


def is_scenario(raw: Mapping[str, Any]) -> bool:
    """Whether a file is an ordinary scenario and no job."""
    return bool(SECTIONS & raw.keys())


def with_own_keys(
    raw: Mapping[str, Any], settings: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A scenario with the settings of its own keys put in, and the other settings by a job's names.

    Raises JobError.
    """
    tables, rest = dict(raw), {}
    for name, text in settings.items():
        section, _, key = name.rpartition(".")
        if key in _OWN and section in ("", _OWN[key]):
            number = whole(Entry(plain(text), "given", "", "--set", name))
            table = {**tables.get(_OWN[key], {}), key: int(number)}
            table.pop("devices", None)  # a check of the product, which is another now
            tables[_OWN[key]] = table
        else:
            ours = key in _OF_JOB.get(section, ()) and key not in settings
            rest[key if ours else name] = text
    return tables, rest


def as_job(reader: Reader, path: Path, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a job that say what a scenario says. Raises ScenarioError."""
    if path.parent != PRESETS / "scenarios":  # our own are validated by the tests
        from workings.scenario import load_scenario  # noqa: PLC0415 - slow to load

        load_scenario(path)
    layout, training = dict(raw.get("layout", {})), dict(raw.get("training", {}))
    hardware = {("hardware" if k == "preset" else k): v for k, v in dict(raw["hardware"]).items()}
    launch = {key: layout[key] for key in _SAME if key in layout}
    launch |= {key: training[key] for key in _TRAINING if key in training}
    if "devices" in layout:
        hardware["devices"] = layout["devices"]
    launch["dp"] = layout.get("dp", 1) * layout.get("fsdp", 1)
    _own_defaults(reader, launch, raw["model"])
    _sharing(reader, layout, launch)
    for key in ("fsdp_axes", "tp_axes"):
        if key in layout:
            reader.note("ignored", f"layout.{key}", "the plan knows no axes of a torus")
    if "segments" in training:
        reader.note("ignored", "training.segments", "the plan computes whole blocks again, or none")
    return {"name": raw.get("name", ""), "model": raw["model"], "cluster": hardware, "launch": launch}


def _own_defaults(reader: Reader, launch: dict[str, Any], model: Mapping[str, Any]) -> None:
    """What a scenario says by leaving it out, where a job file that leaves it out says another thing.

    All else that it leaves out is as in a job file, the widths of mixed precision too.
    """
    if "etp" not in launch and launch.get("tp", 1) > 1 and _has_experts(model):
        launch["etp"] = 1
        reader.note("defaulted", "layout.etp", "1, as in every scenario; a job file's would be tp")
    if not {"microbatch", "microbatches"} & launch.keys():
        launch["microbatches"] = 1
        reader.note("defaulted", "training.microbatches", "1, as in every scenario")


def _has_experts(model: Mapping[str, Any]) -> bool:
    """Whether a model has experts; one of a Hugging Face configuration may."""
    if "preset" in model and "experts" not in model:
        return bool(read_preset("models", model["preset"]).get("experts"))
    return bool(model.get("experts")) or "hf" in model


def _sharing(reader: Reader, layout: Mapping[str, Any], launch: dict[str, Any]) -> None:
    """ZeRO's stage, which a scenario does not name: FSDP shares weights, gradients and optimizer."""
    if layout.get("fsdp", 1) == 1:
        return  # as a job file that names none
    launch["zero"], launch["replicas"] = 3, layout.get("dp", 1)
    reader.note("defaulted", "launch.zero", "3: a scenario's fsdp shares weights too; set zero for less")
    if "working_width" not in launch:
        why = "FSDP gathers weights from the master's shards and keeps no copy beside them"
        launch["working_width"] = {"value": USUAL_WIDTHS["working_width"], "source": why}
        reader.note(
            "defaulted", "training.working_width", f"0 byte: as the scenario's pages have it: {why}"
        )


def spelling() -> dict[str, str]:
    """A scenario's own names of the keys that it becomes."""
    training = {f"launch.{key}": f"training.{key}" for key in _TRAINING}
    hardware = {f"cluster.{key}": f"hardware.{key}" for key in HARDWARE}
    return {f"launch.{key}": f"layout.{key}" for key in (*_SAME, "dp")} | training | hardware
