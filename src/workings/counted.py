"""What a scenario gives a concept: its own figure, or for the parameters the catalogue's count."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from workings import catalogue
from workings.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError
from workings.formula.exact import rational
from workings.scenario import Scenario
from workings.units import Quantity
from workings.vocabulary.concept import Concept

# What the catalogue counts where the scenario does not say it itself.
COUNTED = (
    "model.parameters", "model.layer_parameters", "model.dense_part", "model.routed_part",
    "model.dense_rank_part",
)  # fmt: skip


def figure_of(scenario: Scenario | None, concept: Concept) -> Quantity | None:
    """The value of a concept in a scenario, or None where it has none."""
    if scenario is None or concept.supplied is None:
        return None
    found = scenario.values.get(concept.supplied)
    if found is None and concept.supplied in COUNTED:
        return _counted(scenario, concept.supplied)
    return found


def counted_by(scenario: Scenario) -> str:
    """The derivation that counts the parameters of a scenario's kind of model."""
    if "model.kv_rank" in scenario.values:
        return "mla-moe-parameters"
    if "model.experts" in scenario.values:
        return "moe-parameters"
    return "dense-parameters" if "model.heads" in scenario.values else "ffn-parameters"


def _counted(scenario: Scenario, key: str) -> Quantity | None:
    """The parameters of the model, of one of its blocks, or of its part in or outside routed experts."""
    experts = "model.experts" in scenario.values
    match key:
        case "model.parameters":
            return _value(scenario, counted_by(scenario))
        case "model.layer_parameters":
            one = {"blocks": 1, "final_norms": 0}
            return None if experts else _value(scenario, "dense-non-embedding-parameters", one)
        case "model.dense_rank_part":
            return _over_ranks(scenario, _counted(scenario, "model.dense_part"))
        case "model.routed_part":
            alone = {"stages": 1, "ep": 1, "etp": 1}
            return _value(scenario, "expert-rank-parameters", alone) if experts else Quantity(Fraction(0))
    whole, routed = (_counted(scenario, f"model.{part}") for part in ("parameters", "routed_part"))
    return Quantity(whole.value - routed.value) if whole and routed else None


def _over_ranks(scenario: Scenario, whole: Quantity | None) -> Quantity | None:
    """What tensor and pipeline parallelism leave to a rank of even stages, rounded up."""
    shares = [scenario.values[f"layout.{axis}"].value for axis in ("tp", "pp")]
    return Quantity(Fraction(ceil(whole.value / (shares[0] * shares[1])))) if whole else None


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
