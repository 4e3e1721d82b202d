"""How much of tensor parallelism's transfers can hide behind whole products."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE
from workings.derivations.tensor_parallel._hidden import hidden_share
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_CORE_LINEAR
from workings.derivations.tensor_parallel.tp_layer_bytes import TP_LAYER_BYTES
from workings.simulate.tensor_layer import Options
from workings.units import ONE


def look_for_products_beside_sums(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction
) -> Fraction | None:
    """A layer's log: collectives with a product of the same call that neither needs nor feeds them."""
    return hidden_share(t, Options())


TP_BACKWARD_OVERLAP = derivation(
    "tp-backward-overlap",
    title="Largest share of a layer's transfers that whole products hide",
    unit=ONE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE, "V_TP": TP_LAYER_BYTES.at()},
    given=("t > 1",),
    source=MEGATRON_CORE_LINEAR,
    oracle=look_for_products_beside_sums,
    convention="A collective hides behind a product of the same linear layer that neither needs its "
    "result nor feeds it: the sum of an input's gradient behind the weight's gradient. If the "
    "products are long enough, all of these hide.",
    leaves_out="Cutting products and transfers into chunks, and other layers' weight gradients.",
    chain="""
    h_TP = (V_AR + V_AR)/V_TP       -- the sums of both inputs' gradients
      = 2*V_AR/(4*V_AR)             -- of four all-reduces
      = 1/2                         -- forward nothing hides
    """,
)
