"""The stops of a slider: few, in order, the page's own value among them, whatever a preset says."""

from fractions import Fraction

from live_vectors import Told

from workings.live.inputs import input_of
from workings.scenario import load_scenario, preset_names
from workings.scenario.inputs import SECTIONS


def inputs_of_presets() -> list[tuple[str, dict[str, object]]]:
    scenarios = [load_scenario(name) for name in preset_names("scenarios")]
    return [
        (f"{scenario.name}: {key}", input_of(key, scenario))
        for scenario in scenarios
        for key, figure in scenario.values.items()
        if key.split(".")[0] in SECTIONS and isinstance(figure.value, Fraction)
        and key.split(".")[1] in SECTIONS[key.split(".")[0]].__annotations__
    ]  # fmt: skip


def test_every_figure_of_every_preset_has_stops_that_end_and_hold_it(told: Told) -> None:
    inputs = inputs_of_presets()
    assert len(inputs) > 100
    assert any(one["value"] == "0" for _, one in inputs)
    found = told("stops", [one for _, one in inputs])
    for (called, one), stops in zip(inputs, found, strict=True):
        values = [Fraction(text) for text in stops]
        assert Fraction(str(one["value"])) in values, called
        assert values == sorted(set(values)), called
        assert len(values) <= 400, called
