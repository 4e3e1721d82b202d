"""Serving's times and costs beside the figures that were published of them."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.scenario import load_scenario
from workings.values.worked import work


def near(found: Fraction, published: str, share: str = "0.01") -> bool:
    """Whether a published figure is met within its rounding."""
    return abs(found - Fraction(published)) <= Fraction(share) * Fraction(published)


V5E = {"C": "197e12", "W_m": "8.1e11"}
# The scaling book's pop quiz: 30B parameters in INT8, 8,192 tokens of 100 kB, 16 devices
QUIZ = {"P": 30 * 10**9, "w": 1, "s": 8192, "L": 25, "H": 16, "K": 16, "d_h": 125, "w_kv": 1, "t": 16}
# Llama 2 13B on eight TPU v5e as the same chapter works it out, in BF16
LLAMA_13B = {"P": 13 * 10**9, "w": 2, "s": 8192, "L": 40, "H": 40, "K": 40, "d_h": 128, "w_kv": 2, "t": 8}


def test_the_scaling_books_quiz() -> None:
    assert near(at("decode-step-time-apart", b=4, **QUIZ, **V5E), "2.5e-3", "0.03")
    assert near(at("decode-step-time-apart", b=256, **QUIZ, **V5E), "21e-3")


@pytest.mark.parametrize(("batch", "step"), [(1, "4.98e-3"), (16, "20.3e-3"), (240, "249.09e-3")])
def test_llama_13b_on_eight_devices(batch: int, step: str) -> None:
    # The book rounds the cache to 6.7 GB and the bandwidth to 0.82 TB/s
    assert near(at("decode-memory-time", b=batch, **LLAMA_13B, W_m="8.2e11"), step)


def test_batches_from_which_weights_are_compute_bound() -> None:
    batch = {"b": 1, "P": 1, "t": 1}
    assert near(at("decode-compute-bound-batch", **batch, w=2, C="197e12", W_m="8.2e11"), "240")
    assert near(at("decode-compute-bound-batch", **batch, w=1, C="197e12", W_m="8.2e11"), "120")


def test_llama_13bs_throughput_goes_to_its_limit() -> None:
    cache = {key: n for key, n in LLAMA_13B.items() if key not in ("P", "w", "t")}
    limit = at("decode-throughput-limit", b=1, t=8, W_m="8.2e11", **cache)
    assert Fraction("963.53") < limit < Fraction(983)  # the book's table ends at a batch of 240


def test_a_step_that_reads_and_computes_takes_the_longer_of_both() -> None:
    shape = {"D": 64, "F": 256, "n_f": 3, "V": 1000, "C": 10**9}
    held = {"b": 2, "s": 100, "L": 3, "H": 4, "K": 2, "d_h": 16, "t": 2}
    cached = {**held, "P": 10**6, "w": 2, "w_kv": 2}
    for bandwidth in (10**6, 10**12):
        times = (
            at("decode-compute-time", **shape, **held),
            at("decode-memory-time", **cached, W_m=bandwidth),
        )
        assert at("decode-step-time", **shape, **cached, W_m=bandwidth) == max(times)


def test_multi_head_attention_computes_one_flop_for_each_byte_it_reads() -> None:
    assert at("cache-read-intensity", s=8192, H=40, K=40, d_h=128, w_kv=2) == 1
    assert at("cache-read-intensity", s=1, H=64, K=8, d_h=128, w_kv=2) == 8


def test_decoding_all_tokens_one_by_one_takes_as_many_products_as_a_causal_pass() -> None:
    shape = {"b": 1, "L": 2, "D": 8, "H": 2, "K": 1, "d_h": 4, "F": 16, "n_f": 3, "V": 11}
    one_by_one = sum(at("decode-flops", s=tokens, **shape) for tokens in range(1, 10))
    logits = 2 * 8 * 11
    assert one_by_one == at("prefill-flops", s=9, **shape) + 8 * logits  # a prefill scores one token


def test_leviathans_bigram_model() -> None:
    # Section 3.6: acceptance 0.2 at no cost, 3 tokens: 1.25 times as fast
    assert near(at("speculative-speedup", alpha="0.2", gamma=3, c=0), "1.25")
    assert at("speculative-tokens", alpha=0, gamma=5) == 1


@pytest.mark.parametrize(
    ("alpha", "gamma", "operations", "speed"),
    [("0.6", 2, "1.53", "1.96"), ("0.8", 5, "1.63", "3.69"), ("0.9", 10, "1.60", "6.86")],
)
def test_leviathans_operations_and_speed(alpha: str, gamma: int, operations: str, speed: str) -> None:
    # Table 1, both models' cost ratios 0
    assert near(at("speculative-operations", alpha=alpha, gamma=gamma, c_f=0), operations, "0.005")
    assert near(at("speculative-speedup", alpha=alpha, gamma=gamma, c=0), speed, "0.005")


def test_a_draft_pays_once_it_is_accepted_more_often_than_it_costs() -> None:
    assert at("speculative-speedup", alpha="0.3", gamma=1, c="0.3") == 1
    assert at("speculative-speedup", alpha="0.31", gamma=1, c="0.3") > 1
    with pytest.raises(DoesNotApplyError, match="always accepted"):
        at("speculative-tokens", alpha=1, gamma=3)


def test_a_round_has_one_to_six_tokens_of_five_drafted_ones() -> None:
    assert at("speculative-most-tokens", gamma=5) == 6
    assert at("speculative-tokens", alpha=0, gamma=5) == 1


@pytest.mark.parametrize(
    ("alpha", "c", "best"), [("0.8", "0.05", 8), ("0.6", "0.5", 1), ("0.9", "0.02", 19)]
)
def test_the_best_draft_is_faster_than_one_token_more_and_one_less(alpha: str, c: str, best: int) -> None:
    assert at("speculative-best-length", alpha=alpha, c=c, gamma_max=60) == best
    speed = {n: at("speculative-speedup", alpha=alpha, gamma=n, c=c) for n in (best, best + 1)}
    assert speed[best] > speed[best + 1]
    if best > 1:
        assert speed[best] > at("speculative-speedup", alpha=alpha, gamma=best - 1, c=c)


def test_the_best_draft_is_no_longer_than_may_be() -> None:
    assert at("speculative-best-length", alpha="0.8", c="0.05", gamma_max=3) == 3


def test_plain_rejection_keeps_what_the_most_neglected_token_allows() -> None:
    # Target 1/2 and 1/2, draft 1/4 and 3/4: every proposal is judged by a bound of 2
    shares = {"p_A": "0.5", "q_A": "0.25"}
    assert at("rejection-acceptance", **shares) == Fraction(1, 2)
    assert at("lenient-acceptance", **shares, l_q=1) == at("draft-acceptance", delta_pq="0.25")
    assert at("lenient-acceptance", **shares, l_q="0.8") == Fraction("0.875")
    assert at("lenient-acceptance", **shares, l_q="0.5") == 1


def test_distserves_bandwidth_for_opt_66b() -> None:
    # Section 3.3: 1.13 GB (GiB, by the sizes of the model) a request of 512 tokens, 10 a second
    opt = {"s": 512, "L": 64, "H": 72, "K": 72, "d_h": 128, "w_kv": 2, "R_q": 10}
    assert near(at("cache-transfer-bandwidth", **opt) / 2**30, "11.3")


def test_nvidias_cost_of_a_million_tokens() -> None:
    # $2.65 an hour, 6K tokens a second: $0.12
    assert near(at("million-tokens-cost", n_d=1, c_d=Fraction("2.65") / 3600, R=6000), "0.12", "0.03")


def test_littles_law_as_a_textbook_applies_it() -> None:
    assert at("requests-in-flight", R_q=100, T_r="0.1545") == Fraction("15.45")


def test_the_middle_of_an_answer_stands_for_all_of_it() -> None:
    held = {"b": 3, "s": 100, "L": 2, "H": 4, "K": 2, "d_h": 8, "t": 1, "P": 1000, "w": 2, "w_kv": 2}
    mean = at("mean-output-token-time", o=9, W_m=10**6, **held)
    assert mean == at("decode-memory-time", W_m=10**6, **{**held, "s": 105})


def test_what_is_measured_of_a_request_gives_its_parts_back() -> None:
    whole = at("request-latency", o=500, T_1="0.4", T_o="0.03")
    assert at("time-per-output-token", o=500, T_r=whole, T_1="0.4") == Fraction("0.03")


def test_a_prompt_in_one_piece_waits_for_those_before_it_alone() -> None:
    assert at("chunked-first-token-time", s=5000, s_c=2048, q_c=2, T_s="0.04") == Fraction("0.2")
    assert at("chunked-prefill-reread", b=1, s=64, s_c=64, L=2, H=2, K=1, d_h=4, w_kv=2, t=1) == 0


@pytest.mark.parametrize(
    "id_",
    ["decode-step-time", "decode-throughput", "prefill-time", "tp-decode-time", "cache-transfer-time"],
)
@pytest.mark.parametrize("preset", ["llama3-8b-8", "llama3-70b-64", "llama3-405b-16k"])
def test_a_preset_has_all_letters(id_: str, preset: str) -> None:
    value = work(catalogue.get(id_), load_scenario(preset)).value
    assert value is not None


def test_models_with_experts_are_refused_where_weights_are_read() -> None:
    with pytest.raises(DoesNotApplyError, match="without experts"):
        work(catalogue.get("decode-bytes"), load_scenario("mixtral-8x7b-64"))
