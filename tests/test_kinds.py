"""A formula for another kind of model is refused, and the one that answers is named."""

from dataclasses import replace

import pytest

import workings
from workings.binding import bind
from workings.evaluation import DoesNotApplyError
from workings.scenario import load_scenario
from workings.vocabulary.kinds import WITHOUT_ATTENTION


def test_a_formula_for_another_kind_of_model_is_refused_and_names_its_successor() -> None:
    what = replace(workings.get("ring-all-reduce"), holds_for={WITHOUT_ATTENTION: "ring-all-gather"})
    settings = {"group": "8", "message": "1 GB"}
    with pytest.raises(DoesNotApplyError, match="this model has attention; ring-all-gather answers here"):
        bind(what, load_scenario("llama3-8b-8"), settings)
    assert bind(what, load_scenario("xxl-220b"), settings).values
    assert bind(what, None, settings).values  # who gives every letter knows the model
