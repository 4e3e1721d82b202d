"""A feed-forward whose weights are cut along two axes.

Cut along the hidden width alone, a feed-forward moves whole activations, however many devices there are.
Cut along the model's width too, each device gathers and sums a part of both widths only: the input and
the output move along one axis, the hidden values along the other. In the best shape of the mesh the bytes
fall with the square root of the devices, so that from some number of devices on two axes send less than
one. Where tokens are many, it is the weights that should move, and the last entry says from how many.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from workings.derivation import derivation, only_if
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_REDUCE_SCATTER
from workings.derivations.sharded._sources import POPE, TWO_AXES, WEIGHT_GATHERED
from workings.simulate.search import golden_bracket
from workings.simulate.two_axes import Moved, feed_forward, gathered, stationary
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITHOUT_EXPERTS, Kind
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.model import D_FF, D_MODEL, FFN_MATRICES
from workings.vocabulary.sharded import AXIS, AXIS_REAL, OTHER_AXIS
from workings.vocabulary.training import ACTIVATION_WIDTH, GATHER_WIDTH, TOKENS

BLOCK = {"B": TOKENS, "D": D_MODEL, "F": D_FF, "n_f": FFN_MATRICES, "a": ACTIVATION_WIDTH}
ON_A_MESH = {**BLOCK, "X": AXIS, "Y": OTHER_AXIS}
CHOOSING = {**BLOCK, "X": AXIS_REAL, "n": DEVICES}
DENSE: dict[Kind | str, str] = {WITHOUT_EXPERTS: ""}
MATRICES = "n_f >= 2"
LAYOUT = (
    "Weights [D_X, F_Y] stay where they are; the input and the output are cut along both axes by the "
    "model's width. One feed-forward, forward, on rings. "
)


@cache
def run(B: int, D: int, F: int, n_f: int, X: int, Y: int) -> Moved:
    """The feed-forward on real matrices, if it is small enough; run once, however often a search asks."""
    only_if(2 <= n_f <= 8 and B * D * F * n_f <= 20_000 and X * Y <= 100)
    return stationary(feed_forward(B, D, F, n_f), X, Y)


def move_activations_along_both_axes(a: Fraction, **sizes: int) -> Fraction:
    """Weights cut on a mesh, activations gathered and summed along its axes; a device's mean bytes."""
    return run(**sizes).sent * a


WEIGHT_STATIONARY_BYTES = derivation(
    "weight-stationary-bytes",
    title="Bytes a device sends in a feed-forward whose weights stay, cut along two axes",
    phrases="2D weight-stationary layout; ExFyz sharding of the MLP; Efficiently Scaling Transformer "
    "Inference feedforward communication; two-dimensional tensor parallelism volume; 2BL(E/X + F/YZ); "
    "ESTI 2D sharding; decode layout of PaLM",
    unit=BYTE,
    letters=ON_A_MESH,
    uses={
        "V_in": RING_ALL_GATHER.at(N="Y", S="a*B*D/X"),
        "V_sum": RING_REDUCE_SCATTER.at(N="X", S="a*B*F/Y"),
        "V_hid": RING_ALL_GATHER.at(N="X", S="a*B*F/Y"),
        "V_end": RING_REDUCE_SCATTER.at(N="Y", S="a*B*D/X"),
    },
    given=(MATRICES,),
    source=TWO_AXES,
    oracle=move_activations_along_both_axes,
    holds_for=DENSE,
    convention=LAYOUT + "Hidden values are gated while they are cut along both axes. With `X = 1` it is "
    "tensor parallelism along one axis.",
    chain="""
    V_2D = V_in + (n_f - 1)*V_sum + V_hid + V_end
                       -- gather the input, sum each product into the hidden width, gather, sum the output
      = 2*(Y - 1)/Y*(a*B*D/X) + n_f*(X - 1)/X*(a*B*F/Y)     -- equal messages together
      = a*B/(X*Y)*(2*(Y - 1)*D + n_f*(X - 1)*F)             -- collect
      <= 2*a*B*D/X + n_f*a*B*F/Y                            -- whole messages, as published
    """,
)


def spread(X: Fraction, n: int, a: Fraction, **sizes: int) -> Fraction:
    """Messages counted in a run on one device, divided by a mesh of any shape; a device's bytes."""
    whole = run(**sizes, X=1, Y=1)
    return (whole.whole_y / X + whole.whole_x * X / n) * a


def search_every_shape(X: Fraction, **letters: Any) -> tuple[Fraction, Fraction]:
    """A search over the shapes of a mesh for the fewest bytes; a bracket around them."""
    return golden_bracket(lambda x: spread(x, **letters), 0, Fraction(10**6), 160)


WEIGHT_STATIONARY_LEAST = derivation(
    "weight-stationary-least",
    title="Bytes a device sends in a feed-forward whose weights stay, on the best mesh of two axes",
    phrases="8BLE/sqrt(n_chips); optimal 2D weight-stationary split; X = 0.5 sqrt(n); communication "
    "falling with the square root of the chips; best torus axes for the MLP in decoding",
    unit=BYTE,
    letters=CHOOSING,
    source=POPE,
    oracle=search_every_shape,
    holds_for=DENSE,
    convention=LAYOUT + "Large rings, `n` devices of which `X` (a real number) are along the model's "
    "width: published as `8*B*D` values over the root of `n` for a feed-forward of two matrices with "
    "`F = 4*D`, where `X` is half the root.",
    chain="""
    V_best = 2*a*B*D/X + n_f*a*B*F*X/n           -- whole messages; `n/X` devices along the other axis
      minimise over X at sqrt(2*D*n/(n_f*F)) = 2*a*B*sqrt(2*n_f*D*F/n)
                                                 -- least where both axes carry the same
    """,
)


def hold_both_axes_against_one(X: Fraction, **letters: Any) -> bool:
    """The best of all shapes, searched, against a mesh that cuts the hidden width only."""
    sizes = {name: letters[name] for name in ("B", "D", "F", "n_f")}
    along_one = run(**sizes, X=1, Y=1).whole_y * letters["a"]
    return bool(search_every_shape(X, **letters)[1] < along_one)


TWO_AXES_DEVICES = derivation(
    "two-axes-devices",
    title="Devices from which weights cut along two axes send less than along one",
    phrases="2D versus 1D weight-stationary crossover; sqrt(n_chips) > d_ff/d_model; n_chips > 16; when "
    "does Megatron sharding stop scaling for inference; more than sixteen chips two-dimensional sharding",
    unit=ONE,
    noun="devices",
    letters=CHOOSING,
    uses={"V_best": WEIGHT_STATIONARY_LEAST.at()},
    source=POPE,
    oracle=hold_both_axes_against_one,
    holds_for=DENSE,
    convention="Large rings; two axes in the best shape, `X` a real number. Published as 16 for "
    "two matrices with `F = 4*D`.",
    leaves_out="Start-up latency, and that a torus has more links for one large axis: counting them, the "
    "crossing is later.",
    chain="""
    V_best < 2*a*B*D                             -- along one axis input and output are moved whole
      <=> 2*a*B*sqrt(2*n_f*D*F/n) < 2*a*B*D      -- put the least in
      <=> n > 2*n_f*F/D                          -- square, solve for the devices
    """,
)


def hold_weights_against_activations(a: Fraction, w: Fraction, **sizes: int) -> bool:
    """Both layouts run on real matrices: bytes of gathered weights, and of moved activations."""
    moved = run(**sizes).sent * a
    block = feed_forward(*(sizes[name] for name in ("B", "D", "F", "n_f")))
    return gathered(block, sizes["X"] * sizes["Y"]).sent * w < moved


WEIGHT_GATHERED_TOKENS = derivation(
    "weight-gathered-tokens",
    title="Tokens from which gathering all weights sends less than moving activations along two axes",
    phrases="weight-gathered layout against weight-stationary layout; "
    "weight-gathered versus weight-stationary; XYZ weight-gathered layout for prefill; batch "
    "where gathering weights wins in inference; XY weight-gathered crossover",
    unit=ONE,
    noun="tokens",
    letters={**ON_A_MESH, "w": GATHER_WIDTH},
    uses={
        "V_W": RING_ALL_GATHER.at(N="X*Y", S="n_f*w*D*F"),
        "V_2D": WEIGHT_STATIONARY_BYTES.at(),
    },
    given=(MATRICES, "X >= 2", "Y >= 2"),
    source=WEIGHT_GATHERED,
    oracle=hold_weights_against_activations,
    holds_for=DENSE,
    convention="One feed-forward, forward, on rings over the same devices: every device gathers all "
    "weights for its own tokens, or weights stay. Layouts between the two are a mesh of FSDP and tensor "
    "parallelism.",
    chain="""
    V_W < V_2D                                   -- moving the weights sends less
      <=> (X*Y - 1)/(X*Y)*(n_f*w*D*F) < a*B/(X*Y)*(2*(Y - 1)*D + n_f*(X - 1)*F)    -- put both in
      <=> (X*Y - 1)*n_f*w*D*F < a*B*(2*(Y - 1)*D + n_f*(X - 1)*F)                  -- times the devices
      <=> B > n_f*w*D*F*(X*Y - 1)/(a*(2*(Y - 1)*D + n_f*(X - 1)*F))                -- solve for the tokens
    """,
)
