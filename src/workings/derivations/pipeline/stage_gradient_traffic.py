"""What replicas of a stage exchange for its gradients."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.sources import NCCL_TESTS
from workings.simulate.ring import all_reduce
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE
from workings.vocabulary.layout import DP
from workings.vocabulary.pipeline import LAYER_PARAMETERS, LAYERS_PER_RANK
from workings.vocabulary.training import REDUCE_WIDTH


def reduce_every_layer(d: int, g: Fraction, L_p: int, P_l: int) -> Fraction:
    """Every layer's gradient, one ring all-reduce after the other; what one rank sends in all."""
    layers = [Tensor(f"layer{i}", (P_l,), g) for i in range(L_p)]
    return sum((all_reduce(d, total_bytes([layer])).sent[0] for layer in layers), Fraction(0))


STAGE_GRADIENT_TRAFFIC = derivation(
    "stage-gradient-traffic",
    title="Bytes a rank sends to add up its stage's gradients",
    unit=BYTE,
    letters={"d": DP, "g": REDUCE_WIDTH, "L_p": LAYERS_PER_RANK, "P_l": LAYER_PARAMETERS},
    uses={"V": RING_ALL_REDUCE.at(N="d", S="g*L_p*P_l")},
    source=NCCL_TESTS,
    oracle=reduce_every_layer,
    convention="Once a step, after the last micro-batch's backward; a linear layer has `P_l` = D².",
    leaves_out="Sharding of the optimizer's state.",
    chain="""
    V_grad = V                                -- a ring of `d` replicas, `g*L_p*P_l` bytes
      = 2*(d - 1)/d*g*L_p*P_l                 -- put the ring in
      <= 2*g*L_p*P_l                          -- `d - 1 < d`: at most twice the stage's gradients
    """,
)
