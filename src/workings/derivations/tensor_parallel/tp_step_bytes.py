"""All layers of a stage, all micro-batches of a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.tensor_parallel._layer import run
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON_VOLUME
from workings.derivations.tensor_parallel.tp_layer_bytes import TP_LAYER_BYTES
from workings.simulate.block_matrices import spans
from workings.simulate.tensor_layer import Options
from workings.units import BYTE
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import STAGES
from workings.vocabulary.model import BLOCKS
from workings.vocabulary.training import MICROBATCHES


def run_every_layer_of_the_fullest_stage(
    t: int, b_m: int, s: int, c: int, D: int, a: Fraction, L: int, p: int, m: int
) -> Fraction | None:
    """Layers dealt out to stages; those of the fullest run for each micro-batch, sends added up."""
    ranks = run(t, b_m, s, c, D, Options())
    if ranks is None:
        return None
    fullest = max(spans(L, p), key=len)
    return sum((ranks.sent() * a for _ in range(m) for _ in fullest), Fraction(0))


TP_STEP_BYTES = derivation(
    "tp-step-bytes",
    title="Bytes a rank of the fullest stage sends in a step under tensor parallelism",
    unit=BYTE,
    letters={**SPLIT_ACTIVATION, "L": BLOCKS, "p": STAGES, "m": MICROBATCHES},
    uses={"V_TP": TP_LAYER_BYTES.at()},
    given=("c divides s",),
    source=MEGATRON_VOLUME,
    oracle=run_every_layer_of_the_fullest_stage,
    convention="Forward and backward of `m` micro-batches, nothing recomputed. With sequence "
    "parallelism the same; where its inputs are gathered again, 10/8 of it.",
    leaves_out="Embedding and loss, which only the first and the last stage have.",
    holds_for={WITHOUT_EXPERTS: "moe-tp-step-bytes"},
    chain="""
    V_step = sum(ceil(L/p)*V_TP, (k, 1, m))     -- the layers of the fullest stage, each micro-batch
      = m*ceil(L/p)*V_TP                    -- equal micro-batches
      = 8*m*ceil(L/p)*(t - 1)/t*(a*b_m*s*D/c)   -- four all-reduces a layer
    """,
)
