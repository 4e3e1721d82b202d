"""Parameters of the queries of multi-head latent attention, compressed or not."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import LATENT_QUERY, described
from workings.derivations.parameters._sources import transformers
from workings.simulate.weights import count, latent_query
from workings.units import ONE


def list_the_query(**letters: int) -> int:
    """A list of the query's matrices and norm, compressed or full, elements added up."""
    return count(latent_query(described(**letters)))


MLA_QUERY_PARAMETERS = derivation(
    "mla-query-parameters",
    title="Parameters of the queries of multi-head latent attention",
    unit=ONE,
    noun="parameters",
    letters=LATENT_QUERY,
    source=transformers("deepseek_v3", "DeepseekV3Attention: q_a_proj, q_b_proj or q_proj"),
    oracle=list_the_query,
    convention="One block. `r_q = 0` says that the query is not compressed (DeepSeek-V2-Lite); "
    "`min(1, r_q)` is 1 where it is, else 0.",
    chain="""
    P_q = D*r_q + r_q + sum(r_q*(d_n + d_r), (i, 1, H))
          + (1 - min(1, r_q))*sum(D*(d_n + d_r), (i, 1, H))
                    -- down to `r_q`, its norm, up to each head; or else a full matrix a head
      = r_q*(D + 1 + H*(d_n + d_r)) + (1 - min(1, r_q))*H*D*(d_n + d_r)     -- equal heads
    """,
)
