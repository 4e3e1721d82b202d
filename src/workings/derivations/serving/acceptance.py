"""Acceptance, from both distributions.

Whether a drafted token is kept depends on two probabilities of it, the target's and the draft's. The rule
of speculative decoding keeps all that both models agree on, so that the chance is 1 less the distance of
the distributions. Tokens may be taken together to two kinds without losing anything, those that are
always kept and the others; so the entry on lenience, which keeps more than the rule and samples from
another distribution, has one probability of a kind from each model. Plain rejection sampling keeps less:
the token that the draft neglects most sets the pace for all.
"""

from collections.abc import Iterator
from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.serving._time_sources import SPECULATIVE
from workings.units import ONE
from workings.vocabulary.serving_time import DISTRIBUTION_DISTANCE, DRAFT_SHARE, LENIENCE, TARGET_SHARE

KINDS = {"p_A": TARGET_SHARE, "q_A": DRAFT_SHARE}


def draw_and_judge(delta_pq: Fraction) -> Fraction:
    """Two contexts whose tokens are drawn from the draft and judged one by one; the mean that passes."""
    even, skewed = Fraction(1, 2), delta_pq * delta_pq
    contexts = [
        ([even + delta_pq / 2, even - delta_pq / 2], [even - delta_pq / 2, even + delta_pq / 2]),
        ([Fraction(1), Fraction(0), Fraction(0)], [1 - delta_pq, skewed, delta_pq - skewed]),
    ]
    passed = Fraction(0)
    for draft, target in contexts:
        for q, p in zip(draft, target, strict=True):
            passed += q * min(Fraction(1), p / q) if q else 0
    return passed / len(contexts)


DRAFT_ACCEPTANCE = derivation(
    "draft-acceptance",
    title="Probability that a drafted token is accepted, from both distributions",
    phrases="acceptance rate of speculative sampling from p and q; sum of min(p, q); one minus the "
    "distance of draft and target; how similar must a draft model be; beta of a prefix; total variation "
    "distance of draft and target; expected acceptance rate alpha = E(sum min(p, q))",
    unit=ONE,
    letters={"delta_pq": DISTRIBUTION_DISTANCE},
    source=SPECULATIVE.at("section 3.2, theorem 3.5 and corollary 3.6"),
    oracle=draw_and_judge,
    convention="A token that the draft proposes is kept with chance `min(1, p/q)`, `p` its probability "
    "in the target and `q` in the draft. The distance is the sum of `q - p` over the tokens where it is "
    "above 0, of one context or in the mean over contexts.",
    leaves_out="Lenience, which keeps more tokens and changes what is sampled.",
    chain="""
    alpha_pq = 1 - delta_pq      -- what the draft gives a token beyond the target is rejected, no more
    """,
)


def two_kinds(p_A: Fraction, q_A: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Tokens of two kinds, one ratio in each: what the target and the draft give to every one of them."""
    for p, q, parts in ((p_A, q_A, (2, 3, 5)), (1 - p_A, 1 - q_A, (1, 2))):
        for part in parts:
            yield p * Fraction(part, sum(parts)), q * Fraction(part, sum(parts))


def judge_with_lenience(p_A: Fraction, q_A: Fraction, l_q: Fraction) -> Fraction:
    """Tokens drawn from the draft and judged one by one by the target's probability over the lenience."""
    passed = Fraction(0)
    for p, q in two_kinds(p_A, q_A):
        passed += q * min(Fraction(1), p / l_q / q) if q else 0
    return passed


LENIENT_ACCEPTANCE = derivation(
    "lenient-acceptance",
    title="Probability that a drafted token is accepted with lenience",
    phrases="sum of min(p/l, q); acceptance rate with lenience; typical or lossy acceptance of drafted "
    "tokens; relaxed speculative sampling; acceptance from the probabilities of single tokens; sum of "
    "min(p, q) over a vocabulary of two kinds of tokens",
    unit=ONE,
    letters={**KINDS, "l_q": LENIENCE},
    source=SPECULATIVE.at("appendix A.5, and theorem 3.5 where `l_q` is 1"),
    oracle=judge_with_lenience,
    convention="A token that the draft proposes is kept with chance `min(1, p/(l_q*q))`. Any "
    "vocabulary is of two kinds: the first is all tokens with `q <= p/l_q`, which are always kept. With "
    "`l_q = 1` it is speculative decoding's sum of `min(p, q)`.",
    leaves_out="What is sampled then: with `l_q` below 1 no longer the target's distribution.",
    chain="""
    alpha_l = min(p_A/l_q, q_A) + min((1 - p_A)/l_q, 1 - q_A)
                         -- of each kind what the draft gives, but no more than the target over lenience
      = 1 - max(0, q_A - p_A/l_q) - max(0, 1 - q_A - (1 - p_A)/l_q)
                         -- all but what the draft gives beyond
    """,
)


def propose_until_one_is_kept(p_A: Fraction, q_A: Fraction) -> Fraction:
    """Tokens drawn from the draft, each kept so often that all come out as the target has them."""
    tokens = list(two_kinds(p_A, q_A))
    if any(p and not q for p, q in tokens):
        return Fraction(0)  # what the draft never proposes would have to be proposed endlessly often
    most = max(p / q for p, q in tokens if q)
    return sum((q * (p / q / most) for p, q in tokens if q), Fraction(0))


REJECTION_ACCEPTANCE = like(
    "rejection-acceptance",
    LENIENT_ACCEPTANCE,
    title="Probability that a drafted token is accepted in plain rejection sampling",
    phrases="acceptance of non-iterative rejection sampling; sum of p(x) times the least q/p; rejection "
    "sampling with bound M of p over q; why speculative sampling beats rejection sampling; 1/M "
    "acceptance; plain rejection sampling against speculative sampling",
    letters=KINDS,
    given=("p_A < 1",),
    source=SPECULATIVE.at("appendix A.2"),
    oracle=propose_until_one_is_kept,
    convention="A proposed token is kept with chance `p/(M*q)`, `M` the largest `p/q` of the vocabulary. "
    "Tokens are of two kinds, and in each the ratio of both models' probabilities is the same for all. "
    "It is at most what speculative decoding accepts, lenient-acceptance with `l_q = 1`.",
    leaves_out="Drawing again after a token is rejected.",
    chain="""
    alpha_rej = p_A*min(q_A/p_A, (1 - q_A)/(1 - p_A)) + (1 - p_A)*min(q_A/p_A, (1 - q_A)/(1 - p_A))
                               -- each token as often as the one that the draft neglects most allows
      = min(q_A/p_A, (1 - q_A)/(1 - p_A))
                               -- probabilities of the target add up to 1
    """,
)
