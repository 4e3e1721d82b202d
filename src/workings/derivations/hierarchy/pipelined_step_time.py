"""Time of a step."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import MEGATRON_STEP
from workings.derivations.hierarchy._work import dense_block, dense_block_backward, duration
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.pipeline.interleaved import LAYERS_PER_CHUNK, deal_out_chunks
from workings.simulate.interleaved import interleaved
from workings.units import SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.layout import VIRTUAL_STAGES
from workings.vocabulary.training import MICROBATCHES


def run_the_pipeline(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, L: int, p: int, v: int, m: int,
) -> Fraction | None:  # fmt: skip
    """Interleaved 1F1B run task by task, each as long as the fullest chunk's listed matmuls."""
    if p * m * v > 300:
        return None
    sizes = (b_m, s, c, t, D, F, H, K, d_h, n_f, C)
    layers = deal_out_chunks(p, v, L)
    forward = duration(dense_block(*sizes) * layers)
    backward = duration(dense_block_backward(*sizes) * layers)
    return Fraction(interleaved(p, m, v, forward, backward).makespan)


PIPELINED_STEP_TIME = derivation(
    "pipelined-step-time",
    title="Compute and bubble of a step",
    unit=SECOND,
    letters={**TIMED, **STAGE, "v": VIRTUAL_STAGES, "m": MICROBATCHES},
    uses={"T_f": BLOCK_FORWARD_TIME.at(), "L_c": LAYERS_PER_CHUNK.at()},
    given=("p divides m", "L >= p*v"),
    source=MEGATRON_STEP,
    oracle=run_the_pipeline,
    convention=f"Dense blocks, every chunk as long as the fullest; interleaved 1F1B. {PEAK}",
    leaves_out="Everything sent, the optimizer, embedding and head.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    T_step = m*v*L_c*(T_f + 2*T_f) + (p - 1)*L_c*(T_f + 2*T_f)
                                     -- all micro-batches of a rank, and a bubble of `p - 1` chunks
      = (m*v + p - 1)*L_c*(T_f + 2*T_f)             -- collect
      = 3*(m*v + p - 1)*ceil(L/(p*v))*T_f           -- forward and backward
    """,
)
