"""Time between two pipeline messages."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.hierarchy._letters import PEAK, STAGE, TIMED
from workings.derivations.hierarchy._sources import SCALING_BOOK_GPU_PIPELINE
from workings.derivations.hierarchy._work import dense_block, dense_block_backward, duration
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.pipeline.interleaved import LAYERS_PER_CHUNK, deal_out_chunks
from workings.simulate.rhythm import Stretch, mean_interval, operations
from workings.units import SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.layout import VIRTUAL_STAGES


def note_what_is_handed_on(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, L: int, p: int, v: int,
) -> Fraction:  # fmt: skip
    """The fullest chunk forward and backward in turn on a clock; the mean time between messages."""
    sizes = (b_m, s, c, t, D, F, H, K, d_h, n_f, C)
    passes = [duration(dense_block(*sizes)), duration(dense_block_backward(*sizes))]
    work = [Stretch(time * deal_out_chunks(p, v, L), "pp") for time in passes] * 3
    return mean_interval(operations(work)["pp"])


PP_INTERVAL = derivation(
    "pp-interval",
    title="Time between two pipeline messages of a rank",
    unit=SECOND,
    letters={**TIMED, **STAGE, "v": VIRTUAL_STAGES},
    uses={"T_f": BLOCK_FORWARD_TIME.at(), "L_c": LAYERS_PER_CHUNK.at()},
    given=("L >= p*v",),
    source=SCALING_BOOK_GPU_PIPELINE,
    oracle=note_what_is_handed_on,
    convention=f"Dense blocks; the steady phase, which the fullest chunk paces; the mean of forward and "
    f"backward. {PEAK}",
    leaves_out="Embedding and head.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    T_pp = (L_c*T_f + 2*L_c*T_f)/2             -- a chunk's forward, its backward, a message after each
      = 3/2*ceil(L/(p*v))*T_f                  -- add
    """,
)
