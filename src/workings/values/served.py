"""What an answer about serving says of its scenario: whose batch it takes, and that it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TypeAlias

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, needed_letters, value_of
from workings.errors import UserError
from workings.formula import Value
from workings.formula.interval import rational
from workings.scenario import Scenario
from workings.scenario.names import key_named
from workings.values.binding import Binding, bind
from workings.vocabulary.concept import Concept
from workings.vocabulary.layout import TP
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.serving import CROSS_BLOCKS, PREFIX_TOKENS, WINDOW_BLOCKS
from workings.vocabulary.serving_time import OUTPUT_TOKENS
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

TOPIC = "serving"
LARGEST = ("largest-serving-batch", "mla-largest-serving-batch")  # one is for the scenario's model
FEWEST = "devices-for-weights"
# An entry with these letters speaks of whole caches, as the limits do …
CACHED = {BATCH, SEQUENCE_LENGTH}
# … unless it has one of these, or is this one: its caches are others, or it finds their room by itself.
OTHERWISE = {WINDOW_BLOCKS, CROSS_BLOCKS, PREFIX_TOKENS, OUTPUT_TOKENS, DEVICE_MEMORY}
SPLIT = "split-cache-bytes"
# The letters of an answer by what they mean; None is one whose solution is a range.
_Here: TypeAlias = Mapping[Concept, Value | None]


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
    if needed.keys() >= CACHED and not needed.keys() & OTHERWISE and what.id != SPLIT:
        here = {concept: bound.values.get(letter) for concept, letter in needed.items()}
        yield from _too_many(here, scenario, settings)


def _too_many(here: _Here, scenario: Scenario, settings: Mapping[str, str]) -> Iterator[str]:
    """Where memory, weights and cache are all given: that less fits than is asked for."""
    try:
        for id_ in LARGEST:
            with suppress(DoesNotApplyError):  # to this kind of model, or the weights leave no room
                batch, most = here[BATCH], _value(id_, here, scenario, settings)
                if isinstance(batch, Fraction) and batch > most:
                    yield (f"{int(batch):,} sequences do not fit into the memory of these devices beside "
                           f"the weights: at most {int(most):,} do ({id_}).")  # fmt: skip
                return
        devices, fewest = here.get(TP), _value(FEWEST, here, scenario, settings)
    except UserError:  # nobody gave all figures
        return
    if isinstance(devices, Fraction) and devices < fewest:
        yield (f"The weights alone do not fit into the memory of {int(devices):,} of these devices: it "
               f"takes {int(fewest):,} at least ({FEWEST}).")  # fmt: skip


def _value(id_: str, here: _Here, scenario: Scenario, settings: Mapping[str, str]) -> Fraction:
    """An entry at the letters of the answer, else at the scenario's. Raises UserError."""
    what = catalogue.get(id_)
    bound = bind(what, scenario, shared=settings)
    letters = {name: here.get(concept, bound.values.get(name)) for name, concept in what.letters.items()}
    given = {name: value for name, value in letters.items() if value is not None}
    return rational(value_of(what, given, bound.pinned))
