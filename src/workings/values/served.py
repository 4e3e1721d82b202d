"""What an answer about serving says of its scenario: whose batch it takes, and that it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import needed_letters, value_of
from workings.errors import UserError
from workings.formula.interval import rational
from workings.scenario import Scenario
from workings.scenario.names import key_named
from workings.values.binding import Binding, bind
from workings.vocabulary.training import BATCH

TOPIC = "serving"
LARGEST = ("largest-serving-batch", "mla-largest-serving-batch")  # one is for the scenario's model


def served(
    what: Derivation, scenario: Scenario, settings: Mapping[str, str], bound: Binding
) -> Iterator[str]:
    """A sentence where the batch is the training's, and one where it is more than the devices hold."""
    if what.topic != TOPIC:
        return
    needed = {what.letters[name]: name for name in needed_letters(what, bound.pinned)}
    put = {key_named(name) for name in (*scenario.settings, *bound.said.values())}
    for concept, letter in needed.items():
        key = concept.supplied or ""
        if key in scenario.said - put and key.startswith("training.") and letter not in bound.said:
            yield (f"{letter} is what {scenario.file} trains with: --set {concept.name}=… gives what is "
                   "served.")  # fmt: skip
    if BATCH in needed and isinstance(batch := bound.values[needed[BATCH]], Fraction):
        yield from _too_many(batch, scenario, settings)


def _too_many(batch: Fraction, scenario: Scenario, settings: Mapping[str, str]) -> Iterator[str]:
    """Where memory, weights and cache are all given: that fewer sequences fit than are asked for."""
    for id_ in LARGEST:
        limit = catalogue.get(id_)
        try:
            there = bind(limit, scenario, shared=settings)
            most = rational(value_of(limit, there.values, there.pinned))
        except (UserError, KeyError):  # another kind of model, or figures that nobody gave
            continue
        if batch > most:
            yield (f"{int(batch):,} sequences do not fit into the memory of these devices beside the "
                   f"weights: at most {int(most):,} do ({id_}).")  # fmt: skip
        return
