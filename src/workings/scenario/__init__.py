"""Scenarios: model, layout, hardware and training as validated TOML, and what they give letters.

Every error is one sentence naming the file, the key, what was found and what was expected. What
validates is loaded when first used: presets can be read without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workings.scenario.errors import ScenarioError
from workings.scenario.presets import MAX_BYTES, PRESETS, preset_names, read_preset

if TYPE_CHECKING:
    from workings.scenario.load import PRESET_SECTIONS, Scenario, load_scenario, scenario_named

__all__ = [
    "MAX_BYTES",
    "PRESETS",
    "PRESET_SECTIONS",
    "Scenario",
    "ScenarioError",
    "load_scenario",
    "preset_names",
    "read_preset",
    "scenario_named",
]


def __getattr__(name: str) -> Any:
    """Load what reads a whole scenario on first use."""
    if name not in ("PRESET_SECTIONS", "Scenario", "load_scenario", "scenario_named"):
        raise AttributeError(f"module 'workings.scenario' has no attribute {name!r}")
    from workings.scenario import load  # noqa: PLC0415 - this is its first use

    return getattr(load, name)
