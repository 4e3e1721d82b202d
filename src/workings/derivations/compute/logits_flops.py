"""FLOPs of the logits."""

from workings.derivation import derivation
from workings.derivations.compute._sources import RECOMPUTATION_LAYER
from workings.derivations.compute.matmul_flops import MATMUL_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.units import FLOP
from workings.vocabulary.model import D_MODEL, VOCAB
from workings.vocabulary.training import TOKENS


def score_every_word(B: int, D: int, V: int) -> int:
    """Every token multiplied by the output table in nested loops that count each FLOP."""
    return counted_matmul(ffn_numbers(B, D, 1), ffn_numbers(D, V, 2))[1]


LOGITS_FLOPS = derivation(
    "logits-flops",
    title="FLOPs of the logits, forward",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "V": VOCAB},
    uses={"f": MATMUL_FLOPS.at(F="V")},
    source=RECOMPUTATION_LAYER,
    oracle=score_every_word,
    convention="Logits of every token, as in training; tied or untied tables cost the same.",
    leaves_out="The softmax and the loss; the input embedding is looked up, not multiplied.",
    chain="""
    f_logit = f                              -- from the model's width to the vocabulary
      = 2[FLOP]*B*D*V                        -- a score for every word
    """,
)
