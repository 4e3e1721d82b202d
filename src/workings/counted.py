"""What a scenario gives a concept: its own figure, or for the parameters the catalogue's count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil

from workings import catalogue
from workings.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError
from workings.formula.exact import rational
from workings.scenario import Scenario
from workings.scenario.order import REPLICAS_FIRST, replicas_before_stages
from workings.units import Quantity
from workings.vocabulary.concept import Concept


def figure_of(scenario: Scenario | None, concept: Concept) -> Quantity | None:
    """The value of a concept in a scenario, or None where it has none."""
    if scenario is None or concept.supplied is None:
        return UNSAID.get(concept.supplied or "")
    found = scenario.values.get(concept.supplied)
    if found is None and concept.supplied in COUNTED:
        return COUNTED[concept.supplied](scenario)
    return found


# What holds where there is no scenario: ranks are in the order of most launches, axes are rings.
UNSAID: Mapping[str, Quantity] = {
    "layout.dp_before_pp": Quantity(Fraction(replicas_before_stages(REPLICAS_FIRST))),
    "hardware.ring_devices": Quantity(Fraction(1)),
}


def counted_by(scenario: Scenario) -> str:
    """The derivation that counts the parameters of a scenario's kind of model."""
    if "model.kv_rank" in scenario.values:
        return "mla-moe-parameters"
    if "model.experts" in scenario.values:
        return "moe-parameters"
    return "dense-parameters" if "model.heads" in scenario.values else "ffn-parameters"


def _parameters(scenario: Scenario) -> Quantity | None:
    return _value(scenario, counted_by(scenario))


def _one_layer(scenario: Scenario) -> Quantity | None:
    """The parameters of a block, where all are alike."""
    if "model.experts" in scenario.values:
        return None
    return _value(scenario, "dense-non-embedding-parameters", {"blocks": 1, "final_norms": 0})


def _routed(scenario: Scenario) -> Quantity | None:
    """The parameters of all routed experts."""
    if "model.experts" not in scenario.values:
        return Quantity(Fraction(0))
    return _value(scenario, "expert-rank-parameters", {"stages": 1, "ep": 1, "etp": 1})


def _dense(scenario: Scenario) -> Quantity | None:
    """The parameters outside routed experts."""
    whole, routed = _parameters(scenario), _routed(scenario)
    return Quantity(whole.value - routed.value) if whole and routed else None


def _dense_of_a_rank(scenario: Scenario) -> Quantity | None:
    """What tensor and pipeline parallelism leave of them to a rank of even stages, rounded up."""
    whole = _dense(scenario)
    shares = [scenario.values[f"layout.{axis}"].value for axis in ("tp", "pp")]
    return Quantity(Fraction(ceil(whole.value / (shares[0] * shares[1])))) if whole else None


# What the catalogue counts where the scenario does not say it itself.
COUNTED: Mapping[str, Callable[[Scenario], Quantity | None]] = {
    "model.parameters": _parameters,
    "model.layer_parameters": _one_layer,
    "model.routed_part": _routed,
    "model.dense_part": _dense,
    "model.dense_rank_part": _dense_of_a_rank,
}


def _value(scenario: Scenario, id_: str, fixed: Mapping[str, int] | None = None) -> Quantity | None:
    """A count of the catalogue at a scenario, with some concepts held at a number."""
    what, values = catalogue.get(id_), {}
    for name, concept in what.letters.items():
        figure = scenario.values.get(concept.supplied or "")
        if fixed and concept.name in fixed:
            values[name] = Fraction(fixed[concept.name])
        elif figure is not None:
            values[name] = figure.value
    try:
        return Quantity(rational(value_of(what, values)))
    except (DoesNotEvaluateError, DoesNotApplyError):
        return None
