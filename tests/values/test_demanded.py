"""A letter is demanded only where it changes the value, or whether there is one."""

from fractions import Fraction
from random import Random

import pytest

from workings import api, catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import DoesNotEvaluateError, Value
from workings.proof.setting import REAL, SHARES, WHOLE
from workings.vocabulary.concept import Domain

# Letters that cancel only once results are put in that the last line names.
CANCELS = {
    # Tensor ranks share weights and work alike: gradients and time of a rank are both `1/t`.
    ("dp-bandwidth-need", "t"),
    ("dp-bandwidth-need-last-backward", "t"),
    # Either time may be nothing, but not both, which the other one rules out.
    ("chunked-sync-exposed", "T_g"),
    ("chunked-sync-exposed", "T_r"),
    # Both results of a ratio are as many times as large.
    ("cache-saves-flops", "b"),
    ("mla-attention-share-causal", "b"),
    ("mla-selective-ratio-causal", "b"),
    ("selective-recompute-ratio", "b"),
    ("moe-tp-comm-ratio", "b_m"),
    # All parameters less those of the tables: two results, each with the tables in it.
    ("moe-non-embedding-parameters", "V"),
    ("moe-non-embedding-parameters", "n_emb"),
    ("moe-non-embedding-parameters", "n_pos"),
}


def outcome(what: Derivation, values: dict[str, Value]) -> object:
    """The value, or why there is none."""
    try:
        return value_of(what, values)
    except (DoesNotApplyError, DoesNotEvaluateError, ZeroDivisionError) as error:
        return type(error)


def others(domain: Domain, draw: Random) -> list[Fraction]:
    """Other numbers of a domain, its ends among them."""
    whole = tuple(Fraction(n) for n in WHOLE)
    numbers = whole if domain.integer else SHARES if domain.bounded else REAL
    drawn = [Fraction(0), Fraction(1), *(draw.choice(numbers) for _ in range(4))]
    return [number for number in drawn if domain.allows(number)]


def without_effect(what: Derivation, count: int = 2) -> set[str]:
    """The letters demanded that change nothing at any of so many points."""
    left, draw = set(what.needed), Random(14)  # noqa: S311 - any points will do
    for point in what.setting.points(count):
        values = {name: value for name, value in point.items() if name in what.letters}
        here = outcome(what, values)
        for name in sorted(left):
            if any(
                outcome(what, values | {name: n}) != here for n in others(what.letters[name].domain, draw)
            ):
                left.discard(name)
        if not left:
            break
    return left


@pytest.mark.slow
def test_every_letter_that_is_demanded_matters() -> None:
    doubtful = [what for what in catalogue.every() if without_effect(what)]
    found = {(what.id, name) for what in doubtful for name in without_effect(what, 40)}
    assert found <= CANCELS


def test_what_a_device_achieves_is_told_without_its_peak() -> None:
    given = {"B": "6", "f_tok": "10 FLOP", "n": "4", "T_s": "3 s"}
    assert api.value("achieved-flops", set=given).value == 5
