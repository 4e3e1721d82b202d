"""What a scenario gives a concept: its own figure, or for the parameters the catalogue's count."""

from __future__ import annotations

from workings import catalogue
from workings.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError
from workings.formula.exact import rational
from workings.scenario import Scenario
from workings.units import Quantity
from workings.vocabulary.concept import Concept

PARAMETERS = "model.parameters"


def figure_of(scenario: Scenario | None, concept: Concept) -> Quantity | None:
    """The value of a concept in a scenario, or None where it has none."""
    if scenario is None or concept.supplied is None:
        return None
    if concept.supplied == PARAMETERS:
        return scenario.values.get(PARAMETERS) or _counted(scenario)
    return scenario.values.get(concept.supplied)


def counted_by(scenario: Scenario) -> str:
    """The derivation that counts the parameters of a scenario's kind of model."""
    if "model.kv_rank" in scenario.values:
        return "mla-moe-parameters"
    if "model.experts" in scenario.values:
        return "moe-parameters"
    return "dense-parameters" if "model.heads" in scenario.values else "ffn-parameters"


def _counted(scenario: Scenario) -> Quantity | None:
    what = catalogue.get(counted_by(scenario))
    known = {n: scenario.values.get(c.supplied or "") for n, c in what.letters.items()}
    values = {name: figure.value for name, figure in known.items() if figure is not None}
    try:
        return Quantity(rational(value_of(what, values)))
    except (DoesNotEvaluateError, DoesNotApplyError):
        return None
