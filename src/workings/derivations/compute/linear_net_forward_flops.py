"""FLOPs of a linear net's forward pass."""

from workings.derivation import derivation
from workings.derivations.compute._sources import LECTURE
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.training import TOKENS


def run_every_layer(L: int, D: int, B: int) -> int | None:
    """The activations multiplied by one square matrix after the other, every FLOP counted."""
    if L * D * D * B > 20_000:
        return None
    x, flops = ffn_numbers(B, D, 1), 0
    for layer in range(L):
        x, more = counted_matmul(x, ffn_numbers(D, D, layer))
        flops += more
    return flops


LINEAR_NET_FORWARD_FLOPS = derivation(
    "linear-net-forward-flops",
    title="FLOPs of a linear net's forward pass",
    unit=FLOP,
    letters={"L": BLOCKS, "D": D_MODEL, "B": TOKENS},
    uses={"f": MATMUL_FLOPS.at(F="D")},
    source=LECTURE,
    oracle=run_every_layer,
    convention="A multiply-add is 2 FLOPs. The lecture writes L d² m: it counts multiply-adds.",
    chain="""
    f_lin = sum(f, (i, 1, L))                -- one square matrix a layer
      = L*f                                  -- equal layers
      = L*(2[FLOP]*B*D*D)                    -- every token times every weight
      = 2[FLOP]*L*D^2*B                      -- collect
    """,
)
