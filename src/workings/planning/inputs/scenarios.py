"""An ordinary scenario as a job: [hardware] is its cluster, [layout] and [training] its launch."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workings.planning.inputs.given import Reader
from workings.planning.inputs.launches import WIDTHS
from workings.scenario import PRESETS
from workings.scenario.keys import HARDWARE
from workings.scenario.keys import WIDTHS as USUAL_WIDTHS

SECTIONS = {"hardware", "layout", "training"}
_SAME = ("tp", "cp", "pp", "virtual_stages", "ep", "etp")
_TRAINING = ("batch", "sequence_length", "microbatch", "microbatches", "training_tokens", *WIDTHS)


def is_scenario(raw: Mapping[str, Any]) -> bool:
    """Whether a file is an ordinary scenario and no job."""
    return bool(SECTIONS & raw.keys())


def as_job(reader: Reader, path: Path, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a job that say what a scenario says. Raises ScenarioError."""
    if path.parent != PRESETS / "scenarios":  # our own are validated by the tests
        from workings.scenario import load_scenario  # noqa: PLC0415 - slow to load

        load_scenario(path)
    layout, training = dict(raw.get("layout", {})), dict(raw.get("training", {}))
    hardware = {("hardware" if k == "preset" else k): v for k, v in dict(raw["hardware"]).items()}
    launch = {key: layout[key] for key in _SAME if key in layout}
    launch |= {key: training[key] for key in _TRAINING if key in training}
    for key, usual in USUAL_WIDTHS.items():
        launch.setdefault(key, {"value": usual, "source": "a scenario's default"})
    if "devices" in layout:
        hardware["devices"] = layout["devices"]
    launch["dp"] = layout.get("dp", 1) * layout.get("fsdp", 1)
    launch.setdefault("etp", 1)
    _sharing(reader, layout, launch)
    for key in ("fsdp_axes", "tp_axes"):
        if key in layout:
            reader.note("ignored", f"layout.{key}", "the plan knows no axes of a torus")
    if "segments" in training:
        reader.note("ignored", "training.segments", "the plan computes whole blocks again, or none")
    return {"name": raw.get("name", ""), "model": raw["model"], "cluster": hardware, "launch": launch}


def _sharing(reader: Reader, layout: Mapping[str, Any], launch: dict[str, Any]) -> None:
    """ZeRO's stage, which a scenario does not name: FSDP shares weights, gradients and optimizer."""
    if layout.get("fsdp", 1) > 1:
        launch["zero"], launch["replicas"] = 3, layout.get("dp", 1)
        reader.note(
            "defaulted", "launch.zero", "3: a scenario's fsdp shares weights too; set zero for less"
        )
    else:
        launch["zero"] = 0
        reader.note("defaulted", "launch.zero", "0: a scenario's dp shares nothing")


def spelling() -> dict[str, str]:
    """A scenario's own names of the keys that it becomes."""
    training = {f"launch.{key}": f"training.{key}" for key in _TRAINING}
    hardware = {f"cluster.{key}": f"hardware.{key}" for key in HARDWARE}
    return {f"launch.{key}": f"layout.{key}" for key in (*_SAME, "dp")} | training | hardware
