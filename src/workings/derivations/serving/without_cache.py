"""Without a cache.

A model that keeps nothing runs over the whole text again for every token, so that an answer costs as many
prefills as it has tokens. With a cache every token goes through the model once. The products with weights
then grow with the length of the answer where they grew with its square, and attention's with its square
where they grew with its cube.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import MODEL
from workings.derivations.serving._step import MOST_SCORES
from workings.derivations.serving._time_sources import SCALING_BOOK_BASICS
from workings.derivations.serving.prefill import write_a_prompt_down
from workings.simulate.products import Operand, Tape
from workings.units import FLOP, ONE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.serving_time import OUTPUT_TOKENS

ANSWER = {**MODEL, "o": OUTPUT_TOKENS}
ANSWERS = (
    "`b` prompts of `s` tokens, answers of `o` tokens, the first of which the prompt's pass gives; pairs "
    "of tokens that the mask hides are not computed, and only last tokens are scored."
)


def run_over_everything_again(s: int, o: int, **sizes: int) -> int:
    """The whole text's products written down for every token of the answer."""
    only_if(o <= 30)
    return sum(write_a_prompt_down(s=length, **sizes) for length in range(s, s + o))


GENERATION_UNCACHED_FLOPS = derivation(
    "generation-uncached-flops",
    title="FLOPs of a prompt and its answer without a KV cache",
    phrases="naive sampling cost; generating n tokens without a kv cache; cubic attention work without "
    "caching; use_cache=False FLOPs; recomputing the prefix for every token; why is sampling without a "
    "cache quadratic",
    unit=FLOP,
    letters=ANSWER,
    source=SCALING_BOOK_BASICS,
    oracle=run_over_everything_again,
    convention=ANSWERS,
    leaves_out="Everything that is no matrix product; a mixture's router.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    f_naive = sum(2[FLOP]*b*(L*(s + i - 1)*(2*D*d_h*(H + K) + n_f*D*F + (s + i)*H*d_h) + D*V), (i, 1, o))
                     -- each token by a pass over the `s + i - 1` before it
      = 2[FLOP]*b*(L*(2*D*d_h*(H + K) + n_f*D*F)*o*(2*s + o - 1)/2
        + L*H*d_h*((s + o - 1)*(s + o)*(s + o + 1) - (s - 1)*s*(s + 1))/3 + o*D*V)
                     -- add up the lengths, and lengths times their successors
    """,
)


def feed_the_answer(
    b: int, s: int, o: int, L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int, V: int
) -> int:
    """A prompt's products, then those of one token after the other, each of them written down."""
    only_if(L * b * H * (s + o) <= MOST_SCORES)
    tape = Tape()
    tokens = [1] * (o - 1)
    sizes = {"L": L, "H": H, "K": K, "d_h": d_h, "F": F, "n_f": n_f}
    prompt = write_a_prompt_down(b=b, s=s, D=D, V=V, **sizes)
    context = s
    for _sequence in range(b):
        context = s
        for one in tokens:
            context += one
            for _block in range(L):
                _feed(tape, context, D, (H, K, d_h), (F, n_f))
            tape.multiply("logits", Operand(1, D), Operand(D, V))
    return prompt + tape.forward()


def _feed(tape: Tape, keys: int, D: int, heads: tuple[int, int, int], ffn: tuple[int, int]) -> None:
    """One token through a block: its own products with weights, and its query against all keys."""
    queries, pairs, d_h = heads
    for _ in range(queries + 2 * pairs):
        tape.multiply("projections", Operand(1, D), Operand(D, d_h))
    for _ in range(queries):
        tape.multiply("core", Operand(1, d_h), Operand(d_h, keys))
        tape.multiply("core", Operand(1, keys), Operand(keys, d_h))
    tape.multiply("projections", Operand(1, queries * d_h), Operand(queries * d_h, D))
    hidden, matrices = ffn
    for _ in range(matrices - 1):
        tape.multiply("ffn", Operand(1, D), Operand(D, hidden))
    tape.multiply("ffn", Operand(1, hidden), Operand(hidden, D))


GENERATION_FLOPS = like(
    "generation-flops",
    GENERATION_UNCACHED_FLOPS,
    title="FLOPs of a prompt and its answer with a KV cache",
    phrases="compute of a whole request; prefill plus decode FLOPs of an answer; cost of generating n "
    "tokens with a kv cache; quadratic attention work with caching; FLOPs to answer a prompt; total "
    "inference compute of a request",
    oracle=feed_the_answer,
    chain="""
    f_req = 2[FLOP]*b*(L*s*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h) + D*V)
        + sum(2[FLOP]*b*(L*(2*D*d_h*(H + K) + n_f*D*F + 2*(s + i)*H*d_h) + D*V), (i, 1, o - 1))
                     -- the prompt at once; then each token but the last through the model, over all keys
      = 2[FLOP]*b*(L*(s + o - 1)*(2*D*d_h*(H + K) + n_f*D*F + (s + o)*H*d_h) + o*D*V)
                     -- all tokens but the last go through the model once
    """,
)


def hold_both_runs_together(**sizes: int) -> Fraction:
    """Every product of an answer without a cache, over every product of it with one."""
    return Fraction(run_over_everything_again(**sizes), feed_the_answer(**sizes))


CACHE_SAVES_FLOPS = like(
    "cache-saves-flops",
    GENERATION_UNCACHED_FLOPS,
    title="FLOPs of an answer without a KV cache over those with one",
    phrases="how much does a kv cache save; speedup of KV caching; why cache keys and values; compute "
    "saved by use_cache; ratio of naive sampling to cached sampling; is generation without a cache n "
    "times as expensive",
    unit=ONE,
    uses={"f_naive": GENERATION_UNCACHED_FLOPS.at(), "f_req": GENERATION_FLOPS.at()},
    oracle=hold_both_runs_together,
    chain="""
    r_naive = f_naive/f_req      -- one over the other
    """,
)
