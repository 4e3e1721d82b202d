"""Scenarios: model, layout, hardware and training as validated TOML, and what they give letters.

Every error is one sentence naming the file, the key, what was found and what was expected.
"""

from workings.scenario.errors import ScenarioError
from workings.scenario.load import PRESET_SECTIONS, Scenario, load_scenario
from workings.scenario.presets import MAX_BYTES, PRESETS, preset_names, read_preset

__all__ = [
    "MAX_BYTES",
    "PRESETS",
    "PRESET_SECTIONS",
    "Scenario",
    "ScenarioError",
    "load_scenario",
    "preset_names",
    "read_preset",
]
