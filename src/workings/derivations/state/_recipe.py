"""The letters of a precision recipe, and the values it keeps of each parameter."""

from fractions import Fraction

from workings.simulate.stored_state import Value, keep
from workings.vocabulary.concept import Concept
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.training import GRADIENT_WIDTH, MASTER_WIDTH, MOMENT_WIDTH, WORKING_WIDTH

LETTERS = {
    "P": PARAMETERS, "w_p": MASTER_WIDTH, "w_g": GRADIENT_WIDTH, "w_o": MOMENT_WIDTH,
    "w_c": WORKING_WIDTH,
}  # fmt: skip


def values(P: int, w_p: Fraction, w_g: Fraction, w_o: Fraction, w_c: Fraction) -> list[Value]:
    """Every value of every parameter: a recipe without a working copy lists none."""
    widths = {"master": w_p, "gradient": w_g, "first moment": w_o, "second moment": w_o}
    return keep(P, {**widths, "working": w_c} if w_c else widths)


def stored(working: int, gradient: int, master: int, moment: int) -> dict[Concept, int]:
    """The bytes of each stored value that a recipe fixes, as `fixes` of its entry."""
    return {WORKING_WIDTH: working, GRADIENT_WIDTH: gradient, MASTER_WIDTH: master, MOMENT_WIDTH: moment}
