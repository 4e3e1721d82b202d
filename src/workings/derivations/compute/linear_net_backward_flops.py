"""FLOPs of a linear net's backward pass."""

from workings.derivation import derivation
from workings.derivations.compute._sources import LECTURE
from workings.derivations.compute.matmul_backward_flops import MATMUL_BACKWARD_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose
from workings.units import FLOP
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import TOKENS


def run_every_layer_back(L: int, D: int, B: int) -> int | None:
    """From the last layer to the first: the weight's gradient, the input's, every FLOP counted."""
    if L * D * D * B > 10_000:
        return None
    gradient, flops = ffn_numbers(B, D, 1), 0
    for layer in reversed(range(L)):
        saved, weight = ffn_numbers(B, D, layer), ffn_numbers(D, D, layer)
        flops += counted_matmul(transpose(saved), gradient)[1]
        gradient, more = counted_matmul(gradient, transpose(weight))
        flops += more
    return flops


LINEAR_NET_BACKWARD_FLOPS = derivation(
    "linear-net-backward-flops",
    title="FLOPs of a linear net's backward pass",
    unit=FLOP,
    letters={"L": BLOCKS, "D": D_MODEL, "B": TOKENS},
    uses={"f_grad": MATMUL_BACKWARD_FLOPS.at(F="D")},
    source=LECTURE,
    oracle=run_every_layer_back,
    convention="The gradient of the net's own input is computed too; without it, "
    "`2[FLOP]*D^2*B` less. The lecture writes 2 L d² m: it counts multiply-adds.",
    chain="""
    f_lin_bwd = sum(f_grad, (i, 1, L))       -- two products a layer
      = L*(4[FLOP]*B*D*D)                    -- equal layers
      = 4[FLOP]*L*D^2*B                      -- twice the forward pass
    """,
)
