"""How an input may move by itself: by which steps, how far, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from workings.planning.letters import MODEL
from workings.units import round_significant

# Sizes of a model that have a meaning alone; its other letters go with these, or with its kind.
_SIZES = {"D", "F", "L", "V", "E", "k_E", "F_E"}
_OF_NODES = {"n_node", "n_pod"}  # they come with their network
_WIDTHS = {"w_p", "w_g", "w_o", "w_c", "a", "w", "g", "w_l"}
_FORMATS = (Fraction(1), Fraction(2), Fraction(4))  # bytes: FP8, BF16, FP32
_TILE = 128  # widths are multiples of it, so that matrix units are filled


@dataclass(frozen=True, slots=True)
class Moves:
    """The values a letter may have: counts by `grain`, `only` some of them, none above `most`."""

    grain: Fraction = Fraction(1)
    most: Fraction | None = None
    only: tuple[Fraction, ...] = ()


FREELY = Moves()


def moves_of(letter: str, v: Mapping[str, Fraction]) -> Moves | None:
    """How a letter moves in a layout whose values these are; None where nobody moves it alone."""
    if letter in _OF_NODES or (letter in MODEL and letter not in _SIZES):
        return None
    if letter in _WIDTHS:
        return Moves(only=_FORMATS)
    if letter == "s":
        return Moves(_sequence_grain(v), v["n_pos"] or None)
    if letter == "k_E":
        return Moves(most=v["E"])
    return Moves(_grain(letter, v))


def _grain(letter: str, v: Mapping[str, Fraction]) -> Fraction:
    """The step of a count that the rules of layouts allow."""
    turn = v["p"] if v["v"] > 1 else Fraction(1)
    found = {
        "b": v["d"] * v["b_m"] * turn,  # whole micro-batches of every replica, in whole turns
        "L": v["p"] * v["v"],  # a block more in every chunk
        "E": v["e"],
        "D": Fraction(_TILE),
        "F": Fraction(lcm(_TILE, int(v["t"]))),
        "V": Fraction(lcm(_TILE, int(v["t"]))),
        "F_E": Fraction(lcm(_TILE, int(v["t_e"]))),
        "T_tok": _thousandth(v["T_tok"]),
    }
    return found.get(letter, Fraction(1))


def _sequence_grain(v: Mapping[str, Fraction]) -> Fraction:
    """Sequences are cut into two pieces a context-parallel rank, and into equal shards."""
    halves = 2 * int(v["c"]) if v["c"] > 1 else 1
    shards = int(v["t"] * v["c"]) if v["z_s"] else 1
    return Fraction(lcm(halves, shards))


def _thousandth(count: Fraction) -> Fraction:
    """One in the fourth digit of a large count."""
    _, decimals = round_significant(count, 4)
    return max(Fraction(1), Fraction(10) ** -decimals)
