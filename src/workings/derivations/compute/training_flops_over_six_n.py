"""How far the rule of 6 FLOPs a parameter and token is off."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.compute._letters import MODEL, model_tape
from workings.derivations.compute._sources import PALM
from workings.derivations.compute.model_training_flops import MODEL_TRAINING_FLOPS
from workings.units import ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.model import EMBEDDINGS


def count_flops_and_weights(
    b: int, s: int, L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int, n_emb: int
) -> Fraction:
    """FLOPs counted on the tape, over 6 for every weight of every matrix and every token."""
    tape = model_tape(b=b, s=s, L=L, D=D, H=H, K=K, d_h=d_h, F=F, n_f=n_f, V=V)
    block = [(D, H * d_h), (D, K * d_h), (D, K * d_h), (H * d_h, D), (F, D)] + [(D, F)] * (n_f - 1)
    weights = sum(rows * columns for rows, columns in block * L + [(V, D)] * n_emb)
    return Fraction(tape.forward() + tape.backward(), 6 * weights * b * s)


TRAINING_FLOPS_OVER_SIX_N = derivation(
    "training-flops-over-six-n",
    title="Training FLOPs over 6 × parameters × tokens",
    unit=ONE,
    letters={**MODEL, "n_emb": EMBEDDINGS},
    uses={"f_train": MODEL_TRAINING_FLOPS.at()},
    source=PALM,
    oracle=count_flops_and_weights,
    convention="Parameters are all matrices: those of the blocks and `n_emb` embedding tables, of "
    "which only the output's multiplies. Full attention.",
    leaves_out="Norms and biases among the parameters.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    r_6 = f_train/(6[FLOP]*b*s*(L*(2*D*d_h*(H + K) + n_f*D*F) + n_emb*V*D))
                                   -- counted, over the rule for every weight there is
      = (L*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h) + V*D)/(L*(2*D*d_h*(H + K) + n_f*D*F) + n_emb*V*D)
                                   -- the core adds above, a second table below
    """,
)
