"""How much of sequence parallelism's transfers can hide behind whole products."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._collectives import ALL_GATHER, REDUCE_SCATTER
from workings.derivations.tensor_parallel._hidden import hidden_share
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_CORE_LINEAR
from workings.derivations.tensor_parallel.sp_regather_layer_bytes import SP_REGATHER_LAYER_BYTES
from workings.simulate.tensor_layer import Options
from workings.units import ONE


def look_for_products_beside_shards(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction
) -> Fraction | None:
    """A layer's log: collectives with a product of the same call that neither needs nor feeds them."""
    return hidden_share(t, Options(sequence_parallel=True, regather=True))


SP_BACKWARD_OVERLAP = derivation(
    "sp-backward-overlap",
    title="Largest share of a sequence-parallel layer's transfers that whole products hide",
    unit=ONE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AG": ALL_GATHER, "V_RS": REDUCE_SCATTER, "V_SPg": SP_REGATHER_LAYER_BYTES.at()},
    given=("t > 1",),
    source=MEGATRON_CORE_LINEAR,
    oracle=look_for_products_beside_shards,
    convention="A collective hides behind a product of the same linear layer that neither needs its "
    "result nor feeds it: an input gathered again behind the input's gradient, the scatter of that "
    "gradient behind the weight's. If the products are long enough, all of these hide.",
    leaves_out="Cutting products and transfers into chunks, and other layers' weight gradients.",
    chain="""
    h_SP = (2*V_AG + 2*V_RS)/V_SPg              -- two inputs gathered again, two gradients scattered
      = 4*(t - 1)/t*(a*b_m*s*D/c)/(10*(t - 1)/t*(a*b_m*s*D/c))   -- of ten passes
      = 2/5                                     -- forward nothing hides
    """,
)
