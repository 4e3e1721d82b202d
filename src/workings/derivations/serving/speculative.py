"""Speculative decoding.

A small draft model proposes a few tokens, one after the other, and the large one checks them all in one
pass, which takes about as long as a pass for one token while decoding waits for memory. Tokens count up
to the first that is rejected; the large model replaces that one, or adds one where none is. The entries
count the tokens of a round, what they gain in time and cost in operations, and when a draft pays at all.
Acceptance is taken to be independent from token to token.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from workings.derivation import derivation, only_if
from workings.derivations.serving._time_sources import SPECULATIVE
from workings.simulate.search import halve
from workings.units import ONE
from workings.vocabulary.serving_time import (
    ACCEPTANCE,
    BEAM,
    DRAFT_BEAM,
    DRAFT_COST,
    DRAFT_OPERATIONS,
    DRAFTED,
    LONGEST_DRAFT,
)

MOST_DRAFTED = 12  # 4,096 rounds to go through
CHEAPEST = Fraction(1, 100)  # cheaper drafts are best at lengths that take long to try
INDEPENDENT = "Each proposed token is accepted with the same probability, whatever happened before."
ENDLESS = "alpha < 1 -- a draft that is always accepted gives `gamma + 1` tokens a round"
ROUND = {"alpha": ACCEPTANCE, "gamma": DRAFTED}


def rounds(alpha: Fraction, gamma: int) -> Iterator[tuple[Fraction, int]]:
    """Every way in which a round's tokens may be accepted or not: its probability, and what counts."""
    only_if(gamma <= MOST_DRAFTED)
    for verdicts in product((True, False), repeat=gamma):
        chance = Fraction(1)
        for accepted in verdicts:
            chance *= alpha if accepted else 1 - alpha
        kept = verdicts.index(False) if False in verdicts else gamma
        yield chance, kept + 1  # the target model's own token follows what is kept


def go_through_all_rounds(alpha: Fraction, gamma: int) -> Fraction:
    """Every pattern of accepted and rejected tokens; its tokens weighted with its probability."""
    return sum((chance * tokens for chance, tokens in rounds(alpha, gamma)), Fraction(0))


SPECULATIVE_TOKENS = derivation(
    "speculative-tokens",
    title="Tokens of a round of speculative decoding",
    phrases="expected accepted length of speculative sampling; mean tokens per verification pass; (1 - "
    "alpha^(gamma+1))/(1 - alpha); capped geometric; how many tokens does a draft of 5 yield; block "
    "efficiency of a draft model; tokens per target forward with EAGLE or Medusa",
    unit=ONE,
    noun="tokens",
    fractional="the expected number",
    letters=ROUND,
    given=(ENDLESS,),
    source=SPECULATIVE,
    oracle=go_through_all_rounds,
    convention=f"{INDEPENDENT} The token that replaces a rejected one counts, and so does the one after "
    "a draft that is accepted whole.",
    chain="""
    E_tok = 1/(1 - alpha) - alpha^(gamma + 1)*(1/(1 - alpha))
                      -- a draft without end gives `1/(1 - alpha)`; one accepted to its end lacks as many
      = (1 - alpha^(gamma + 1))/(1 - alpha)
                      -- the same as `1 + alpha + alpha^2` and so on up to `alpha^gamma`
    """,
)


def look_for_the_longest_round(gamma: int) -> int:
    """Every pattern of accepted and rejected tokens; the tokens of the round that has most."""
    return max(tokens for _, tokens in rounds(Fraction(1, 2), gamma))


SPECULATIVE_MOST_TOKENS = derivation(
    "speculative-most-tokens",
    title="Tokens of a round of speculative decoding at most",
    phrases="upper bound on tokens per speculative step; between 1 and gamma + 1 tokens; K+1 tokens from "
    "K drafted ones; bonus token after an accepted draft; maximum tokens per verification pass; most "
    "tokens one target pass can yield",
    unit=ONE,
    noun="tokens",
    letters={"gamma": DRAFTED},
    source=SPECULATIVE.at("section 2.3"),
    oracle=look_for_the_longest_round,
    convention="A round has one token at least, the target model's own where the first proposed token is "
    "rejected.",
    chain="""
    n_most = sum(1, (i, 1, gamma)) + 1      -- each proposed token is kept, and the target adds its own
      = gamma + 1                           -- equal terms
    """,
)


def keep_whole_drafts(alpha: Fraction, gamma: int) -> Fraction:
    """Every pattern of accepted and rejected tokens; the probability of those that reject none."""
    return sum((chance for chance, tokens in rounds(alpha, gamma) if tokens > gamma), Fraction(0))


SPECULATIVE_WHOLE_DRAFT = derivation(
    "speculative-whole-draft",
    title="Probability that a draft is accepted to its end",
    phrases="chance that all drafted tokens are accepted; alpha^gamma; how likely is it that the whole "
    "draft is kept; full acceptance of a draft of four",
    unit=ONE,
    letters=ROUND,
    source=SPECULATIVE,
    oracle=keep_whole_drafts,
    convention=INDEPENDENT,
    chain="""
    x_all = alpha^gamma      -- token after token accepted
    """,
)


def time_all_rounds(alpha: Fraction, gamma: int, c: Fraction) -> Fraction:
    """Rounds run by the clock, pass after pass; the time of as many tokens one by one over theirs."""
    plain = spent = Fraction(0)
    for chance, tokens in rounds(alpha, gamma):
        plain += chance * tokens
        spent += chance * sum([c] * gamma + [Fraction(1)])
    return plain / spent


SPECULATIVE_SPEEDUP = derivation(
    "speculative-speedup",
    title="Speed-up by speculative decoding",
    phrases="walltime improvement of speculative sampling; how much faster with a draft model; draft "
    "cost ratio and acceptance rate; is a draft of 4 tokens worth it; speedup factor of assisted "
    "generation",
    unit=ONE,
    letters={**ROUND, "c": DRAFT_COST},
    uses={"E_tok": SPECULATIVE_TOKENS.at()},
    given=(ENDLESS,),
    source=SPECULATIVE.at("section 3.3, theorem 3.8"),
    oracle=time_all_rounds,
    convention=f"{INDEPENDENT} A pass of the target model over `gamma + 1` tokens takes as long as over "
    "one, which holds while decoding waits for memory: with small batches.",
    leaves_out="Caches of both models; tokens that are chosen on the host.",
    chain="""
    r_spec = E_tok/(gamma*c + 1)       -- tokens of a round, over its passes in time of the target's
      = (1 - alpha^(gamma + 1))/((1 - alpha)*(gamma*c + 1))     -- put them in
    """,
)


def try_one_token(alpha: Fraction, c: Fraction) -> bool:
    """Drafts of one token run by the clock; whether they are faster than none."""
    return time_all_rounds(alpha, 1, c) > 1


SPECULATIVE_PAYS = derivation(
    "speculative-pays",
    title="Acceptance from which speculative decoding pays",
    phrases="break-even acceptance rate; when is speculative sampling slower; minimum acceptance for a "
    "draft model; alpha greater than c; does a bad draft hurt",
    unit=ONE,
    letters={"alpha": ACCEPTANCE, "c": DRAFT_COST},
    source=SPECULATIVE.at("section 3.3, corollary 3.9"),
    oracle=try_one_token,
    convention=f"A draft of one token: where none pays, no longer one does. {INDEPENDENT}",
    chain="""
    (1 + alpha)/(1 + c) > 1            -- a draft of one: `1 + alpha` tokens in the time of `1 + c`
      <=> alpha > c                    -- accepted more often than it costs
    """,
)


def multiply_in_all_rounds(alpha: Fraction, gamma: int, c_f: Fraction) -> Fraction:
    """Operations of every round, in those of the target for one token, over what its tokens need."""
    needed = done = Fraction(0)
    for chance, tokens in rounds(alpha, gamma):
        needed += chance * tokens
        done += chance * sum([c_f] * gamma + [Fraction(1)] * (gamma + 1))
    return done / needed


SPECULATIVE_OPERATIONS = derivation(
    "speculative-operations",
    title="Operations of speculative decoding over those of decoding one by one",
    phrases="extra FLOPs of speculative sampling; compute wasted on rejected drafts; arithmetic "
    "overhead of a draft model; does speculation cost throughput at large batch",
    unit=ONE,
    letters={**ROUND, "c_f": DRAFT_OPERATIONS},
    uses={"E_tok": SPECULATIVE_TOKENS.at()},
    given=(ENDLESS,),
    source=SPECULATIVE.at("section 3.4, theorem 3.11"),
    oracle=multiply_in_all_rounds,
    convention=f"{INDEPENDENT} A batch that is compute-bound slows down by this factor instead of "
    "gaining.",
    leaves_out="Attention's core, which grows a little with the place in the draft.",
    chain="""
    x_spec = (gamma*c_f + gamma + 1)/E_tok       -- drafts and checks of a round, over its tokens
      = (1 - alpha)*(gamma*c_f + gamma + 1)/(1 - alpha^(gamma + 1))     -- put them in
    """,
)


def find_when_one_more_is_no_faster(alpha: Fraction, gamma: int) -> tuple[Fraction, Fraction] | None:
    """Rounds of this draft and of one token more run by the clock, at costs ever closer to as fast."""
    drafts = (gamma, gamma + 1)
    kept = {n: sum(chance * tokens for chance, tokens in rounds(alpha, n)) for n in drafts}

    def is_no_faster(c: Fraction) -> bool:
        now, longer = (kept[n] / sum([c] * n, Fraction(1)) for n in drafts)
        return longer <= now

    least = Fraction(1, 10**6)  # cheaper drafts are not looked for
    return None if is_no_faster(least) else halve(is_no_faster, least, 1)


SPECULATIVE_BEST_DRAFT = derivation(
    "speculative-best-draft",
    title="Draft cost from which a draft is long enough",
    phrases="optimal number of guesses gamma; best draft length of speculative decoding; how many "
    "tokens should the draft model propose; when does one more drafted token not pay; "
    "num_speculative_tokens to choose; speedup falls with longer drafts; best gamma for alpha and c",
    unit=ONE,
    letters=ROUND,
    uses={"E_tok": SPECULATIVE_TOKENS.at(), "E_next": SPECULATIVE_TOKENS.at(gamma="gamma + 1")},
    given=(ENDLESS, "alpha > 0"),
    source=SPECULATIVE.at("section 3.5, “Choosing γ”"),
    oracle=find_when_one_more_is_no_faster,
    convention=f"{INDEPENDENT} The smallest `gamma` for which this is no more than one's own draft cost "
    "has the largest speed-up: every further token costs as much and is kept less often.",
    leaves_out="Caches of both models; tokens that are chosen on the host.",
    chain="""
    c_long = (E_next - E_tok)/((gamma + 1)*E_tok - gamma*E_next)
                      -- from this cost on a round with one token more is no faster
      = alpha^(gamma + 1)*(1 - alpha)/(1 - alpha^(gamma + 1)*(1 + gamma*(1 - alpha)))
                      -- put the tokens in, cancel `1 - alpha`
    """,
)  # fmt: skip


def run_token_by_token(alpha: Fraction, gamma: int, c: Fraction) -> Fraction:
    """A round followed to the first token that is rejected; tokens over the time of its passes."""
    tokens, reached, spent = Fraction(1), Fraction(1), Fraction(1)
    for _ in range(gamma):
        reached *= alpha
        tokens += reached
        spent += c
    return tokens / spent


def try_drafts_of_every_length(alpha: Fraction, c: Fraction, gamma_max: int) -> int:
    """Rounds with drafts of every length, none too; the shortest of those that are fastest."""
    only_if(c >= CHEAPEST)
    speeds = [run_token_by_token(alpha, gamma, c) for gamma in range(gamma_max + 1)]
    return speeds.index(max(speeds))


SPECULATIVE_BEST_LENGTH = derivation(
    "speculative-best-length",
    title="Tokens of the best draft",
    phrases="argmax over gamma of the speedup; best number of guesses; how to choose optimal gamma given "
    "c and alpha; how many tokens to speculate; optimal speculation length; best num_speculative_tokens; "
    "smallest draft length with the largest speedup",
    unit=ONE,
    noun="tokens",
    letters={"alpha": ACCEPTANCE, "c": DRAFT_COST, "gamma_max": LONGEST_DRAFT},
    given=(
        ENDLESS,
        "alpha > c -- a draft that costs more than it is accepted never pays",
    ),
    source=SPECULATIVE.at("section 3.5, “Choosing γ”"),
    oracle=try_drafts_of_every_length,
    convention=f"{INDEPENDENT} Of drafts of up to `gamma_max` tokens the one with the largest speed-up, "
    "the shortest where several have it; no longer one pays once `alpha^gamma_max <= c`. "
    "An `i`-th token adds `alpha^i` tokens for the time `c` to a round that has "
    "`(1 - alpha^i)/(1 - alpha)` for `1 + (i - 1)*c`; the difference is below 1, and is rounded up.",
    leaves_out="Caches of both models; tokens that are chosen on the host.",
    chain="""
    gamma_best = sum(max(0, ceil(alpha^i*(1 + (i - 1)*c) - c*(1 - alpha^i)/(1 - alpha))),
                     (i, 1, gamma_max))
                      -- 1 for each token that adds more for its time than the round had for its own
    """,
)


def grow_a_beam(w_b: int, u_b: int, gamma: int) -> int:
    """A beam and its draft's, grown level by level; the different sequences that the target scores."""
    only_if(w_b <= u_b and u_b * gamma <= 2_000)
    scored = {("beam", 0, place) for place in range(w_b)}
    level = [("draft", 0, place) for place in range(u_b)]
    for _ in range(gamma):
        scored |= set(level)
        level = [(name, depth + 1, place) for name, depth, place in level]
    return len(scored)


SPECULATIVE_BEAM = derivation(
    "speculative-beam",
    title="Runs of the target model that check a beam by speculation",
    phrases="speculative decoding with beam search; target runs to check a drafted beam; w + u gamma "
    "runs; how much does speculating cost with beams; beam search with a draft model; evaluations in "
    "parallel for a beam of width w",
    unit=ONE,
    noun="runs",
    letters={"w_b": BEAM, "u_b": DRAFT_BEAM, "gamma": DRAFTED},
    given=("w_b <= u_b",),
    source=SPECULATIVE.at("appendix A.4"),
    oracle=grow_a_beam,
    convention="All of them at once: `w_b` sequences that the beam has, and `u_b` that the draft keeps "
    "at each of `gamma` steps. A draft's beam that is narrower misses what the target keeps.",
    chain="""
    n_beam = w_b + sum(u_b, (i, 1, gamma))      -- the beam's own, and the draft's at every step
      = w_b + u_b*gamma                         -- equal steps
    """,
)
