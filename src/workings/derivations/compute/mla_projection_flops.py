"""FLOPs of multi-head latent attention's projections."""

from workings.derivation import derivation
from workings.derivations.compute._letters import SEQUENCES
from workings.derivations.compute._mixtures import LATENT, latent
from workings.derivations.parameters._sources import transformers
from workings.simulate.latent_products import write_latent_projections
from workings.simulate.products import Tape
from workings.units import FLOP


def project_through_the_latent(b: int, s: int, **sizes: int) -> int:
    """Every sequence brought down and up again, head by head, and every product's FLOPs counted."""
    tape = Tape()
    for _ in range(b):
        write_latent_projections(tape, s, latent(**sizes))
    return tape.forward()


MLA_PROJECTION_FLOPS = derivation(
    "mla-projection-flops",
    title="FLOPs of the projections of multi-head latent attention (MLA), forward",
    unit=FLOP,
    letters={**SEQUENCES, **LATENT},
    source=transformers("deepseek_v3", "DeepseekV3Attention"),
    oracle=project_through_the_latent,
    convention="As it is trained: keys and values are brought up for every head. `r_q = 0` says that "
    "the query is not compressed; `min(1, r_q)` is 1 where it is, else 0.",
    leaves_out="Norms, and turning queries and keys by their position.",
    chain="""
    f_mla_proj = 2[FLOP]*b*s*(D*r_q + sum(r_q*(d_n + d_r), (i, 1, H))
                              + (1 - min(1, r_q))*sum(D*(d_n + d_r), (i, 1, H)))
                 + 2[FLOP]*b*s*(D*(r_kv + d_r) + sum(r_kv*(d_n + d_v), (i, 1, H)))
                 + 2[FLOP]*b*s*sum(d_v*D, (i, 1, H))
                      -- 2 FLOPs a weight and token: queries; keys and values; the output
      = 2[FLOP]*b*s*(r_q*(D + H*(d_n + d_r)) + (1 - min(1, r_q))*D*H*(d_n + d_r)
                     + D*(r_kv + d_r) + r_kv*H*(d_n + d_v) + H*d_v*D)
                      -- equal heads
    """,
)
