"""Nothing is a number: a letter may be 0 where its formulas have a value and it means something."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

from workings import api, catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError
from workings.scenario import load_scenario
from workings.vocabulary.concept import Domain

# Quantities whose formulas have a value at 0, and why 0 is none of theirs.
NEVER_NOTHING = {
    **dict.fromkeys(("backward_time", "block_time", "chunk_time", "compute_time", "layer_time"),
                    "what is computed takes time"),
    **dict.fromkeys(("line_rate", "link_speed", "pair_speed"), "a link that carries nothing is none"),
    **dict.fromkeys(("kept_block", "kept_by_blocks", "kept_for_weights", "token_activations"),
                    "a backward pass needs something of its forward"),
    **dict.fromkeys(("weight_width", "output_width"), "what a product reads and writes takes bytes"),
    "message": "a message of nothing is not sent",
    "reduce_width": "a gradient that is communicated takes bytes",
    "bucket_startup_time": "without it ever more buckets are better, and there is no best number",
    "compute_budget": "nothing can be trained without compute",
    "observed_time": "what is inferred from it needs a time in which to observe",
    "group_rate": "devices that train nothing were not measured",
    "budget_growth": "a budget of nothing trains nothing",
    "noise": "without noise a token is as good as all, and there is no noise scale",
    "gradient_squared": "without a gradient there is nothing to follow",
    "least_steps": "a goal takes steps to reach",
    **dict.fromkeys(("served_width", "frozen_width", "quantized_width", "scale_width"),
                    "a weight that is kept takes bytes, and so does its scale"),
    "arrivals": "what nobody asks for needs no server",
    "adapter_width": "an adapter's weight that is kept takes bytes",
    "reading_speed": "who does not read needs no tokens",
    "tokens_per_word": "a word is made of tokens",
    "recurrent_width": "a state that is kept takes bytes",
    "host_reserve": "a host that keeps nothing back has no factor, and none is 1",
}  # fmt: skip


def at_zero(what: Derivation, letter: str) -> Iterator[str]:
    """What happens at awkward points with one letter set to 0: a value, a condition, or neither."""
    for point in islice(what.setting.points(6), 6):
        values = {name: value for name, value in point.items() if name in what.letters}
        try:
            value_of(what, values | {letter: Fraction(0)})
            yield "value"
        except DoesNotApplyError:
            yield "condition"
        except (DoesNotEvaluateError, ZeroDivisionError):
            yield "neither"


def outcomes() -> dict[tuple[str, Domain], dict[str, set[str]]]:
    """For each quantity that is no count, what happens at 0 in every derivation that needs it."""
    found: dict[tuple[str, Domain], dict[str, set[str]]] = {}
    for what in catalogue.every():
        for letter in what.needed:
            concept = what.letters[letter]
            if concept.domain in (Domain.POSITIVE, Domain.NONNEGATIVE):
                seen = found.setdefault((concept.name, concept.domain), {})
                seen[what.id] = set(at_zero(what, letter))
    return found


def test_zero_is_allowed_or_there_is_a_reason_and_a_condition_says_where_it_does_not_apply() -> None:
    closed, broken = set(), []
    for (name, domain), seen in outcomes().items():
        if domain is Domain.POSITIVE and all("value" in each for each in seen.values()):
            closed.add(name)
        if domain is Domain.NONNEGATIVE:
            broken += [(name, id_) for id_, each in seen.items() if each == {"neither"}]
    assert closed - NEVER_NOTHING.keys() == set()
    assert broken == []


def test_a_state_without_gradients_master_weights_or_moments_is_what_is_left() -> None:
    whole = api.value("training-state", "llama3-8b-8").value
    parts = {name: whole - api.value("training-state", "llama3-8b-8", {name: "0 byte"}).value
             for name in ("w_p", "w_g", "w_o")}  # fmt: skip
    left = api.value("training-state", "llama3-8b-8", dict.fromkeys(parts, "0 byte")).value
    assert min(parts.values()) > 0
    assert left == whole - sum(parts.values())
    scenario = load_scenario("llama3-8b-8", {"gradient_width": "0 byte"})
    assert scenario.values["training.gradient_width"].value == 0


def test_writing_in_no_time_costs_nothing_at_an_interval_and_has_no_best_one() -> None:
    given = {"n": "1", "M_d": "10 h", "delta": "0 s"}
    assert api.value("checkpoint-lost-share", set={**given, "tau": "1 h"}).value == Fraction(1, 20)
    with pytest.raises(DoesNotApplyError, match="delta > 0"):
        api.value("checkpoint-least-lost", set=given)
