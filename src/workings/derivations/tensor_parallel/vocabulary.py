"""The vocabulary, split.

The tables of the embedding and of the logits have a row for every token of the vocabulary, so they are
dealt out too. Looking tokens up then needs a sum, as only one rank has a token's row; its bytes do not
depend on the vocabulary. For the loss one could gather all logits, but three values a token are enough:
the largest logit, the target's, and the sum of exponentials. What that saves is a sixth of the vocabulary
on any number of ranks. So that all ranks have as many rows, and a number that suits their products,
tables are padded.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives.ring import RING_ALL_GATHER, RING_ALL_REDUCE
from workings.derivations.sources import megatron_lm
from workings.derivations.tensor_parallel._collectives import ALL_REDUCE
from workings.derivations.tensor_parallel._letters import SPLIT_ACTIVATION
from workings.derivations.tensor_parallel._sources import MEGATRON
from workings.simulate.block_matrices import numbers
from workings.simulate.vocabulary_split import gather_logits, look_up, split_loss
from workings.units import BYTE, ONE
from workings.vocabulary.layout import CP, TP
from workings.vocabulary.model import D_MODEL, EMBEDDINGS, VOCAB
from workings.vocabulary.tensor_parallel import VOCAB_MULTIPLE
from workings.vocabulary.training import LOGIT_WIDTH, MICROBATCH, SEQUENCE_LENGTH

LOGITS = {
    "t": TP, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "c": CP, "V": VOCAB, "w_l": LOGIT_WIDTH,
}  # fmt: skip


def some_tokens(b_m: int, s: int, c: int, V: int) -> list[int]:
    """A rank's tokens, where they can be shared out and are not very many."""
    only_if(s % c == 0 and b_m * (s // c) * V <= 1_500)
    return [(7 * place + 3) % V for place in range(b_m * (s // c))]


def look_up_on_every_rank(t: int, D: int, a: Fraction, **sizes: int) -> Fraction:
    """Each rank looks up the tokens of its part of a table; what the sum of all sends is counted."""
    return look_up(t, some_tokens(V=11, **sizes), 11, D).sent * a


VOCAB_EMBEDDING_BYTES = derivation(
    "vocab-embedding-bytes",
    title="Bytes a rank sends for an embedding split by the vocabulary",
    phrases="vocab-parallel embedding all-reduce; VocabParallelEmbedding comm; allreduce after split "
    "lookup table; traffic of sliced word table",
    unit=BYTE,
    letters=SPLIT_ACTIVATION,
    uses={"V_AR": ALL_REDUCE},
    given=("c divides s",),
    source=MEGATRON,
    oracle=look_up_on_every_rank,
    convention="One micro-batch on the first stage; forward (backward nothing is sent). On the last "
    "stage the gradient of the logits' input is summed in the same way, backward. Under sequence "
    "parallelism each of the two sums is a reduce-scatter, half of this, and an all-gather of as many "
    "bytes runs in the other direction.",
    chain="""
    V_emb = V_AR                           -- only one rank has a token's row, the others have zeros
      = 2*(t - 1)/t*(a*b_m*s*D/c)          -- an all-reduce; the vocabulary does not appear
    """,
)


def pass_logits_round(V: int, w_l: Fraction, t: int, **sizes: int) -> Fraction:
    """Columns of real logits passed round until every rank has all of them."""
    tokens = some_tokens(V=V, **sizes)
    return gather_logits(t, numbers(len(tokens), V, 9)).sent * w_l


VOCAB_GATHER_BYTES = like(
    "vocab-gather-bytes",
    VOCAB_EMBEDDING_BYTES,
    title="Bytes a rank sends to gather logits that are split by the vocabulary",
    phrases="all-gather of sharded logits; gathering full vocabulary comm; all-gather of lm_head output "
    "over TP; parallel_output false cost; gathering all logits across TP",
    letters=LOGITS,
    uses={"V_AGV": RING_ALL_GATHER.at(N="t", S="w_l*b_m*s*V/c")},
    oracle=pass_logits_round,
    convention="One micro-batch, forward.",
    chain="""
    V_gat = V_AGV                          -- every rank gets the whole vocabulary of every token
      = (t - 1)/t*(w_l*b_m*s*V/c)          -- an all-gather
    """,
)


def reduce_largest_target_and_sum(V: int, w_l: Fraction, t: int, **sizes: int) -> Fraction:
    """The probability of each token from split logits, three values a token reduced over the ranks."""
    tokens = some_tokens(V=V, **sizes)
    return split_loss(t, numbers(len(tokens), V, 9), tokens).sent * w_l


VOCAB_LOSS_BYTES = like(
    "vocab-loss-bytes",
    VOCAB_GATHER_BYTES,
    title="Bytes a rank sends for the loss of logits split by the vocabulary",
    phrases="vocab-parallel cross entropy comm; three scalars per token; max and sum-exp allreduce over "
    "TP; loss without gathering logits, bytes",
    uses={"V_one": RING_ALL_REDUCE.at(N="t", S="w_l*b_m*s/c")},
    source=megatron_lm("megatron/core/tensor_parallel/cross_entropy.py", "_VocabParallelCrossEntropy"),
    oracle=reduce_largest_target_and_sum,
    convention="One micro-batch on the last stage; forward (backward nothing is sent). Each reduced "
    "value takes as many bytes as a logit in the loss, 4 in Megatron-LM.",
    leaves_out="The sum of the gradient of the logits' input.",
    chain="""
    V_loss = V_one + V_one + V_one         -- largest logit, target's logit, sum of exponentials
      = 3*V_one                            -- one value a token each
      = 6*(t - 1)/t*(w_l*b_m*s/c)          -- three all-reduces; the vocabulary does not appear
    """,
)


def run_both_ways(**letters: Any) -> Fraction:
    """Logits gathered, and reduced to three values a token; what a rank sends, one over the other."""
    return pass_logits_round(**letters) / reduce_largest_target_and_sum(**letters)


VOCAB_LOSS_SAVING = derivation(
    "vocab-loss-saving",
    title="Bytes of gathered logits over those of a split loss",
    phrases="logit gather versus parallel loss; V/6 saving; why parallel cross entropy; how much "
    "traffic fused parallel loss avoids; bsv reduced to bs; gain of not gathering logits; is "
    "vocab-parallel loss worth it",
    unit=ONE,
    letters=LOGITS,
    uses={"V_gat": VOCAB_GATHER_BYTES.at(), "V_loss": VOCAB_LOSS_BYTES.at()},
    given=("t > 1", "w_l > 0 -- without logits there is nothing to send"),
    source=MEGATRON,
    oracle=run_both_ways,
    convention="Both on rings; see vocab-gather-bytes and vocab-loss-bytes.",
    chain="""
    r_loss = V_gat/V_loss                                              -- either way to the loss
      = (t - 1)/t*(w_l*b_m*s*V/c)/(6*(t - 1)/t*(w_l*b_m*s/c))          -- put both in
      = V/6                                     -- a sixth of the vocabulary, on any number of ranks
    """,
)


def add_rows_until_parts_fit(V: int, t: int, q_V: int) -> int:
    """One row added at a time until the ranks' parts are equal and of as many rows as wanted."""
    rows = V
    while rows % t or (rows // t) % q_V:
        rows += 1
    return rows


PADDED_VOCABULARY = derivation(
    "padded-vocabulary",
    title="Rows of a vocabulary padded for tensor parallelism",
    phrases="padded vocab size; make-vocab-size-divisible-by 128; 50257 padded to 51200 or 50304; round "
    "vocabulary up to a multiple of 128 times TP; vocab padding Megatron; dummy tokens added to the "
    "embedding table; why is the vocab size 50304",
    unit=ONE,
    noun="values",
    letters={"V": VOCAB, "t": TP, "q_V": VOCAB_MULTIPLE},
    source=MEGATRON.at("section 5.1"),
    oracle=add_rows_until_parts_fit,
    convention="Megatron-LM has `q_V = 128`.",
    chain="""
    V_pad = ceil(V/(q_V*t))*(q_V*t)         -- the least multiple for all ranks that has a row for all
      >= V                                  -- rows beyond the vocabulary are never looked up
    """,
)


def fill_the_rows_beyond(V: int, t: int, q_V: int, D: int, n_emb: int) -> int | None:
    """Tables laid out row by row until the ranks' parts fit; the values in rows that no token has."""
    rows = add_rows_until_parts_fit(V, t, q_V)
    only_if(rows * D * n_emb <= 200_000)
    tables = [[(row, value) for row in range(rows) for value in range(D)] for _ in range(n_emb)]
    return sum(1 for table in tables for row, _ in table if row >= V)


VOCABULARY_PADDING_PARAMETERS = derivation(
    "vocabulary-padding-parameters",
    title="Parameters in the padding of the vocabulary",
    phrases="wasted parameters of vocab padding; extra embedding rows for divisibility; cost of padding "
    "the vocabulary to a multiple of 128; unused embedding weights from make-vocab-size-divisible-by; "
    "how many dummy embedding parameters; padding overhead of embedding and lm_head",
    unit=ONE,
    noun="parameters",
    letters={"V": VOCAB, "t": TP, "q_V": VOCAB_MULTIPLE, "D": D_MODEL, "n_emb": EMBEDDINGS},
    uses={"V_pad": PADDED_VOCABULARY.at()},
    source=MEGATRON.at("section 5.1"),
    oracle=fill_the_rows_beyond,
    convention="All ranks together.",
    chain="""
    P_pad = sum(D*(V_pad - V), (i, 1, n_emb))       -- rows that no token has, in every table
      = n_emb*D*(V_pad - V)                         -- equal tables
    """,
)
