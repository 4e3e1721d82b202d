"""The rule of 6 FLOPs a parameter and token."""

from workings.derivation import derivation
from workings.derivations.compute._sources import GPT3
from workings.simulate.steps import touch_weights
from workings.units import FLOP
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.training import TRAINING_TOKENS


def touch_every_weight(P: int, T_tok: int) -> int:
    """Every weight met by every token in three passes, a multiply and an add each time."""
    return touch_weights(P, T_tok)


TRAINING_FLOPS_SIX_N = derivation(
    "training-flops-six-n",
    title="Training FLOPs by the rule 6 × parameters × tokens",
    unit=FLOP,
    letters={"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS},
    source=GPT3,
    oracle=touch_every_weight,
    convention="Only weights that multiply should count in `P`: the output table, not the input "
    "embedding (which a scenario's own count includes), and of a mixture of experts those that a "
    "token meets.",
    leaves_out="Attention's scores and weighted values; see training-flops-over-six-n.",
    chain="""
    f_6 = sum(P*2[FLOP] + P*2[FLOP] + P*2[FLOP], (i, 1, T_tok))
                          -- each token meets each weight forward, for its input's gradient, for its own
      = T_tok*(6[FLOP]*P)                    -- equal tokens
      = 6[FLOP]*P*T_tok                      -- 2 FLOPs forward, 4 backward
    """,
)
