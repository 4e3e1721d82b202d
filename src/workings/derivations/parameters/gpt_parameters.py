"""Parameters of a GPT-2 or GPT-3: every bias, tied embeddings."""

from workings.derivation import derivation
from workings.derivations.parameters._letters import described
from workings.derivations.parameters._sources import MEGATRON_SIZE
from workings.derivations.parameters.dense_parameters import DENSE_PARAMETERS
from workings.simulate.weights import count, model
from workings.units import ONE
from workings.vocabulary.kinds import BUILT_LIKE_GPT
from workings.vocabulary.model import BLOCKS, D_MODEL, HEADS, POSITIONS, VOCAB


def list_a_gpt(V: int, n_pos: int, L: int, D: int, H: int) -> int:
    """A list of every weight and bias of a GPT with its shape, elements added up."""
    biases = {"beta_qkv": 1, "beta_o": 1, "beta_f": 1, "beta_n": 1}
    sizes = {"V": V, "n_pos": n_pos, "L": L, "D": D, "H": H, "K": H}
    return count(model(described(**sizes, **biases, d_h=D // H, F=D + D + D + D)))


GPT_PARAMETERS = derivation(
    "gpt-parameters",
    title="Parameters of a GPT",
    unit=ONE,
    noun="parameters",
    letters={"V": VOCAB, "n_pos": POSITIONS, "L": BLOCKS, "D": D_MODEL, "H": HEADS},
    uses={
        "P_dense": DENSE_PARAMETERS.at(
            n_emb="1",
            n_f="2",
            n_n="2",
            n_qk="0",
            n_nf="1",
            K="H",
            d_h="D/H",
            F="4*D",
            **dict.fromkeys(("beta_qkv", "beta_o", "beta_f", "beta_n"), "1"),
        ),
    },
    given=("H divides D",),
    source=MEGATRON_SIZE,
    oracle=list_a_gpt,
    convention="Multi-head attention, a plain feed-forward of `4*D`, biases, LayerNorm, tied "
    "embeddings, learned positions. The source leaves out the norm after the last block, "
    "`2*D`.",
    holds_for={BUILT_LIKE_GPT: "dense-parameters"},
    chain="""
    P_gpt = P_dense                                     -- the dense total of this architecture
      = V*D + n_pos*D + L*(12*D^2 + 13*D) + 2*D         -- sizes put in
      = 12*L*D^2*(1 + 13/(12*D) + V/(12*L*D) + n_pos/(12*L*D) + 1/(6*L*D))   -- the matrices first
      ≈ [D -> oo] 12*L*D^2                              -- what is left for a wide model
    """,
)
