"""The letters of a block with experts."""

from workings.vocabulary.layout import CP, EP, TP
from workings.vocabulary.model import ACTIVE_EXPERTS, D_EXPERT, D_MODEL, EXPERTS, FFN_MATRICES
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

TOKENS = {"b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "c": CP, "t": TP}
ROUTING = {"E": EXPERTS, "k_E": ACTIVE_EXPERTS}
VECTOR = {"D": D_MODEL, "a": ACTIVATION_WIDTH}
EXPERT = {"D": D_MODEL, "F_E": D_EXPERT, "n_f": FFN_MATRICES}
DISPATCH = {**TOKENS, "e": EP, **ROUTING, **VECTOR}


# A token goes to different experts, and the experts divide among the ranks.
SPREAD_OUT = ("e divides E", "k_E <= E")
