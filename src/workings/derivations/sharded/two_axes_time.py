"""Times of weights cut along two axes.

An axis of the mesh may be several axes of a torus, and is as many times as fast. That moves the best
shape and the number of devices from which cutting both widths is faster: against one axis of the mesh
that has all axes of the torus, two have less than its bandwidth each.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like
from workings.derivations.sharded._sources import TWO_AXES
from workings.derivations.sharded.two_axes import CHOOSING, DENSE, LAYOUT, run
from workings.simulate.search import golden_bracket, halve
from workings.units import ONE, SECOND
from workings.vocabulary.hardware import LINK
from workings.vocabulary.sharded import AXIS_RINGS, OTHER_AXIS_RINGS

TIMED = {**CHOOSING, "m_X": AXIS_RINGS, "m_Y": OTHER_AXIS_RINGS, "W": LINK}
SHAPED = {key: TIMED[key] for key in TIMED if key != "W"}
RINGS = (
    LAYOUT
    + "Large rings, `X` a real number. A message is cut into parts for the `m_X` or `m_Y` torus axes "
    "that carry it, `W` bytes a second each; on one bandwidth for both it is `m_X = m_Y = 1`."
)


def messages(B: int, D: int, F: int, n_f: int, a: Fraction) -> tuple[Fraction, Fraction]:
    """Bytes of the whole messages along both axes, counted in a run on one device."""
    moved = run(B, D, F, n_f, 1, 1)
    return moved.whole_x * a, moved.whole_y * a


def time_a_shape(
    X: Fraction, n: int, m_X: int, m_Y: int, W: Fraction, **sizes: Any
) -> tuple[Fraction, Fraction]:
    """Seconds along the axis of the model's width and along the other one, on a mesh of any shape."""
    hidden, model = messages(**sizes)
    return hidden / (n / X) / (W * m_X), model / X / (W * m_Y)


def search_for_the_fastest(X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """A search over the shapes of a mesh for the least time; a bracket around it."""
    return golden_bracket(lambda x: sum(time_a_shape(x, **letters), Fraction(0)), 0, Fraction(10**6), 160)


WEIGHT_STATIONARY_TIME = derivation(
    "weight-stationary-time",
    title="Time of the transfers of a feed-forward whose weights stay, on the best mesh of two axes",
    phrases="sqrt(128) B D / (sqrt(n) W_ici); communication time of 2D weight-stationary sharding; time "
    "of two-dimensional tensor parallelism on a torus; ExFyz comms time in decoding; least time of the "
    "MLP's transfers on a 3D torus; 2D model parallelism ICI time",
    unit=SECOND,
    letters=TIMED,
    source=TWO_AXES,
    oracle=search_for_the_fastest,
    holds_for=DENSE,
    convention=RINGS,
    leaves_out="Start-up latency of the hops.",
    chain="""
    T_2D = 2*a*B*D/(X*W*m_Y) + n_f*a*B*F*X/(n*W*m_X)      -- whole messages, over the axes of each
      minimise over X at sqrt(2*D*n*m_X/(n_f*F*m_Y)) = 2*a*B*sqrt(2*n_f*D*F/(n*m_X*m_Y))/W
                                                          -- least where both take equally long
    """,
)


def close_in_on_equal_times(n: int, X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """Two ends of a range of X, halved until the counted times along both axes meet between them."""

    def hidden_outlasts(devices: Fraction) -> bool:
        hidden, model = time_a_shape(devices, n=n, W=Fraction(1), **letters)
        return hidden >= model

    return halve(hidden_outlasts)


WEIGHT_STATIONARY_AXIS = like(
    "weight-stationary-axis",
    WEIGHT_STATIONARY_TIME,
    title="Devices along the model's width on the best mesh of two axes, for weights that stay",
    phrases="X = sqrt(n)/2 and YZ = 2 sqrt(n); best split of chips for 2D weight-stationary; "
    "sqrt(chips/8) chips along X; optimal axes of a 2D sharded MLP; how to split 64 chips into 4 and 16; "
    "shape of the mesh for two-dimensional tensor parallelism",
    unit=ONE,
    noun="devices",
    fractional="the best of all real numbers; a mesh takes a divisor of its devices",
    letters=SHAPED,
    oracle=close_in_on_equal_times,
    convention=RINGS + " The other axis has `n/X` devices.",
    chain="""
    n_f*a*B*F*X/(n*m_X) = 2*a*B*D/(X*m_Y)      -- hidden values move as long as input and output
      <=> X^2 = 2*D*n*m_X/(n_f*F*m_Y)          -- multiply by `X`, cancel the tokens
      <=> X = sqrt(2*D*n*m_X/(n_f*F*m_Y))      -- `X` is positive
    """,
)


def race_two_axes_against_one(n: int, m_X: int, m_Y: int, **sizes: Any) -> bool:
    """The fastest of all shapes, searched, against a mesh axis over all the torus axes together."""
    two = search_for_the_fastest(n=n, m_X=m_X, m_Y=m_Y, W=Fraction(1), **sizes)[1]
    letters = {key: value for key, value in sizes.items() if key != "X"}
    along_one = messages(**letters)[1] / len([*range(m_X), *range(m_Y)])
    return bool(two < along_one)


TWO_AXES_FASTER_DEVICES = like(
    "two-axes-faster-devices",
    WEIGHT_STATIONARY_TIME,
    title="Devices from which weights cut along two axes move faster than along one, on a torus",
    phrases="when does 2D weight-stationary beat Megatron sharding on a TPU; n > 32 (F/D) (3/4)^2; 72 "
    "chips crossover of 2D and 1D model parallelism; 2D sharding wins from how many chips; crossover "
    "counting torus bandwidth; two-dimensional tensor parallelism worth it",
    unit=ONE,
    noun="devices",
    letters=SHAPED,
    oracle=race_two_axes_against_one,
    convention=RINGS + " Along one axis of the mesh, input and output move over all torus axes at once.",
    chain="""
    2*a*B*sqrt(2*n_f*D*F/(n*m_X*m_Y)) < 2*a*B*D/(m_X + m_Y)      -- the least, and whole messages
      <=> n > 2*n_f*F/D*(m_X + m_Y)^2/(m_X*m_Y)                  -- square, solve for the devices
    """,
)
