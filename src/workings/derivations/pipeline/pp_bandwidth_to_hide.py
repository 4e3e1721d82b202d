"""The bandwidth at which a stage computes for longer than it sends."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.pipeline._sends import tensor_bytes
from workings.derivations.pipeline._sources import MEGATRON_SENDS
from workings.derivations.pipeline.layers_per_chunk import LAYERS_PER_CHUNK, deal_out_chunks
from workings.units import BYTE, SECOND
from workings.vocabulary.hardware import COMPUTE, NETWORK_ONE_WAY
from workings.vocabulary.layout import STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.pipeline import LAYER_PARAMETERS
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH


def race_the_link(
    p: int, v: int, t: int, L: int, P_l: int, C: Fraction, W_2: Fraction,
    a: Fraction, s: int, b_m: int, D: int,
) -> bool:  # fmt: skip
    """FLOPs of the fullest chunk, layer by layer, on `t` devices, against its output on the link."""
    flops = sum(2 * P_l * s * b_m for _ in range(deal_out_chunks(p, v, L)))
    chunk = Fraction(flops, t) / C
    return chunk > tensor_bytes(a, s, b_m, D) / t / W_2


PP_BANDWIDTH_TO_HIDE = derivation(
    "pp-bandwidth-to-hide",
    title="Bandwidth between stages from which a forward hides its message",
    unit=BYTE / SECOND,
    letters={
        "p": STAGES,
        "v": VIRTUAL_STAGES,
        "t": TP,
        "L": BLOCKS,
        "P_l": LAYER_PARAMETERS,
        "C": COMPUTE,
        "W_2": NETWORK_ONE_WAY,
        "a": ACTIVATION_WIDTH,
        "s": SEQUENCE_LENGTH,
        "b_m": MICROBATCH,
        "D": D_MODEL,
    },
    uses={"L_c": LAYERS_PER_CHUNK.at()},
    given=("L >= p*v",),
    source=MEGATRON_SENDS,
    oracle=race_the_link,
    convention="One way, for each device; every one of `t` tensor ranks sends its part. The fullest "
    "chunk, which paces the others.",
    leaves_out="Start-up latency, attention's own FLOPs, and devices that run below their peak.",
    chain="""
    2[FLOP]*P_l*L_c*s*b_m/(t*C) > a*s*b_m*D/(t*W_2)
                         -- a chunk's forward of one micro-batch against its output on the link
      <=> 2[FLOP]*P_l*L_c/C > a*D/W_2            -- batch, sequence and tensor ranks cancel
      <=> W_2 > a*D*C/(2[FLOP]*L_c*P_l)          -- solve for the bandwidth
    """,
)
