"""Experts: sizes whose values were published, and the ends of every formula."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import pytest
from evaluated import at, rational_at
from looping import each

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula import holds
from workings.scenario import load_scenario
from workings.values.binding import bind


def here(id_: str, scenario: str, **settings: str) -> Any:
    what = catalogue.get(id_)
    bound = bind(what, load_scenario(scenario, settings), settings)
    return value_of(what, bound.values, bound.pinned)


# --- what the all-to-alls move -----------------------------------------------------------------


def test_a_micro_batch_is_shared_by_context_and_tensor_parallel_ranks() -> None:
    assert at("rank-tokens", b_m=1, s=4096, c=1, t=1) == 4096
    assert at("rank-tokens", b_m=2, s=8192, c=2, t=4) == 2048


def test_a_deepseek_v3_rank_hands_out_470_megabytes_a_block_and_keeps_a_64th() -> None:
    copies = 4096 * 8 * 7168 * 2  # a sequence of 4K tokens, 8 experts each, in BF16
    assert here("dispatch-bytes", "deepseek-v3-2048") == copies * Fraction(63, 64)
    assert here("expert-all-to-all", "deepseek-v3-2048") == 4 * copies * Fraction(63, 64)


def test_one_rank_alone_sends_nothing() -> None:
    sizes = {"b_m": 1, "s": 8, "c": 1, "t": 1, "E": 8, "k_E": 2, "D": 4, "a": 2}
    assert at("dispatch-bytes", e=1, **sizes) == 0
    assert at("dispatch-bytes", e=8, **sizes) == 7 * 2 * 8 * 4 * 2 // 8


def test_experts_that_do_not_divide_among_the_ranks_do_not_apply() -> None:
    with pytest.raises(DoesNotApplyError, match="E to be divisible by e"):
        at("dispatch-bytes", b_m=1, s=8, c=1, t=1, e=3, E=8, k_E=2, D=4, a=2)


def test_four_nodes_a_token_halve_what_eight_experts_send_over_the_network() -> None:
    limited = here("node-limited-dispatch", "deepseek-v3-2048", node_limit="4")
    assert limited == 4096 * 4 * 7168 * 2 * Fraction(7, 8)


def test_deepseek_v2_sends_a_token_to_three_devices_at_most() -> None:
    # 6 experts on 8 devices, limited to 3 of them
    devices = {"e": 8, "k_E": 6, "n_node": 1}
    assert at("most-nodes-of-a-token", M=3, **devices) == 3
    assert at("most-nodes-of-a-token", M=8, **devices) == 6
    assert at("most-nodes-of-a-token", e=8, k_E=6, n_node=2, M=8) == 4


def test_a_thousand_tokens_with_two_experts_each_fill_two_thousand_experts() -> None:
    tokens = {"b_m": 1, "s": 1024, "c": 1, "t": 1, "k_E": 2, "phi": 1}
    assert at("expert-capacity-floor", E=128, **tokens) == 2048
    assert at("expert-capacity", E=2048, **tokens) == at("expert-capacity", E=4096, **tokens) == 1


def test_12_8_experts_a_token_fit_deepseek_v3s_links_which_its_report_rounds_up_to_13() -> None:
    # Section 3.2.2: 4 nodes times 160/50 = 3.2 experts a node, "a maximum of 13"
    assert here("experts-for-the-links", "deepseek-v3-2048", node_limit="4") == Fraction(64, 5)


# --- capacity and uneven loads -------------------------------------------------------------------


def test_the_capacity_of_switchs_picture_is_two_places_and_three_with_half_as_much_again() -> None:
    # Switch Transformers, figure 3: 6 tokens and 3 experts at capacity factors 1.0 and 1.5
    tokens = {"b_m": 1, "s": 6, "c": 1, "t": 1, "E": 3, "k_E": 1}
    assert at("expert-capacity", phi=1, **tokens) == 2
    assert at("expert-capacity", phi=Fraction(3, 2), **tokens) == 3
    assert at("expert-capacity", phi=Fraction(5, 4), **tokens) == 3  # 2.5, rounded up


def test_padding_sends_what_an_even_routing_would_times_the_capacity_factor() -> None:
    sizes = {"b_m": 1, "s": 64, "c": 1, "t": 1, "e": 4, "E": 8, "k_E": 2, "D": 4, "a": 2}
    padded = at("padded-dispatch-bytes", phi=Fraction(5, 4), **sizes)
    assert padded == at("dispatch-bytes", **sizes) * Fraction(5, 4)


def test_an_expert_twice_as_popular_as_its_capacity_allows_loses_the_excess() -> None:
    assert at("dropped-share", E=8, phi=1, **{"lambda": 2}) == Fraction(1, 8)
    assert at("dropped-share", E=8, phi=2, **{"lambda": 2}) == 0
    with pytest.raises(DoesNotApplyError, match="lambda >= phi"):
        at("dropped-share", E=8, phi=2, **{"lambda": 1})


def test_the_worst_routing_loads_a_deepseek_v3_rank_32_times_the_mean() -> None:
    assert here("worst-imbalance", "deepseek-v3-2048") == 256 // 8
    assert at("worst-imbalance", e=4, E=64, k_E=8) == 4  # all tokens on one of 4 ranks


def test_random_routing_is_even_to_a_tenth_from_3100_tokens_in_deepseek_v3() -> None:
    assert here("even-load-tokens", "deepseek-v3-2048", spread="0.1") == 3100
    assert here("expert-load-variance", "deepseek-v3-2048", routed_tokens="3100") == Fraction(1, 100)


def test_with_every_expert_active_no_load_varies() -> None:
    assert at("expert-load-variance", E=8, k_E=8, T_g=5) == 0


def hottest_of_every_routing(experts: int, tokens: int) -> Fraction:
    routings = list(product(range(experts), repeat=tokens))
    most = sum(max(Counter(routing).values()) for routing in routings)
    return Fraction(most, len(routings)) * experts / tokens


def dropped_of_every_routing(experts: int, tokens: int, places: Fraction) -> Fraction:
    routings = list(product(range(experts), repeat=tokens))
    loads = [load for routing in routings for load in Counter(routing).values()]
    return sum((max(load - places, Fraction(0)) for load in loads), Fraction(0)) / (
        tokens * len(routings)
    )


@each("experts, tokens", [(2, 2), (2, 9), (3, 6), (4, 5), (5, 4)])
def test_random_routing_never_exceeds_its_bounds_in_the_mean(experts: int, tokens: int) -> None:
    routing = {"E": experts, "k_E": 1, "T_g": tokens}
    hottest = hottest_of_every_routing(experts, tokens)
    assert hottest <= rational_at("random-hottest-expert", **routing)
    assert hottest <= 1 + sqrt(at("expert-load-variance", **routing) * (experts - 1))
    for phi in (Fraction(3), Fraction(4)):
        dropped = dropped_of_every_routing(experts, tokens, phi * tokens / experts)
        assert dropped <= rational_at("random-dropped-share", phi=phi, **routing)


def test_with_places_for_the_mean_half_of_the_spread_is_dropped_at_most() -> None:
    # 4 of 8 experts have 1.2 times the mean and the others 0.8: a tenth of all tokens is beyond the mean
    assert at("spread-dropped-share", phi=1, delta=Fraction(1, 5)) == Fraction(1, 10)
    # by hand: with places for 1.25 of the mean and a spread of 0.6, (0.65 - 0.25)/2
    assert at("spread-dropped-share", phi=Fraction(5, 4), delta=Fraction(3, 5)) == Fraction(1, 5)


def test_one_of_17_experts_takes_4_spreads_more_than_the_mean_at_most() -> None:
    # 16 experts lack 1/16 of the mean, which one has more: squares add to 1 + 16/256 = 17/16, over 17
    assert at("spread-hottest-expert", E=17, delta=Fraction(1, 4)) == 2


def test_the_busiest_rank_makes_the_block_as_slow_as_its_load() -> None:
    even, busy = (here("expert-time", "mixtral-8x7b-64", imbalance=x) for x in ("1", "1.5"))
    assert busy == even * Fraction(3, 2)
    assert float(even) == pytest.approx(0.005834, rel=1e-3)  # 2 · 2 · 3 · 4096 · 14336 · 8192 / 989.4 T


# --- when compute hides it ----------------------------------------------------------------------


def test_a_wide_expert_is_compute_bound_from_295_tokens_on_an_h100() -> None:
    # How to Scale Your Model, part 1, question 5: 9.89e14 / 3.35e12 = 295
    wide = {"D": 10**9, "F_E": 10**9, "w": 2, "a": 2, "C": 989 * 10**12, "W_m": 335 * 10**10}
    assert int(at("compute-bound-expert-tokens", **wide)) == 295


def test_narrow_experts_need_more_tokens() -> None:
    sizes = {"w": 2, "a": 2, "C": 989 * 10**12, "W_m": 335 * 10**10}
    mixtral = at("compute-bound-expert-tokens", D=4096, F_E=14336, **sizes)
    deepseek = at("compute-bound-expert-tokens", D=7168, F_E=2048, **sizes)
    assert 295 < mixtral < deepseek < 400


def test_deepseek_v3s_experts_are_too_narrow_to_hide_the_all_to_alls_alone() -> None:
    # Section 3.2.1: computation to communication of about 1 : 1 even with 4 nodes a token
    needed = here("expert-width-to-hide", "deepseek-v3-2048", bandwidth="50 GB/s")
    assert needed > 6 * 2048
    inside_a_node = here("expert-width-to-hide", "mixtral-8x7b-64", bandwidth="450 GB/s")
    assert inside_a_node < 14336 / 10


# --- who holds and reduces what -----------------------------------------------------------------


def test_mixtral_has_45_billion_parameters_in_its_experts() -> None:
    sizes = {"E": 8, "D": 4096, "F_E": 14336, "n_f": 3}
    assert at("expert-rank-parameters", L_E=32, e=1, t_e=1, **sizes) == 45_097_156_608
    assert at("expert-rank-parameters", L_E=8, e=8, t_e=1, **sizes) == 45_097_156_608 // 32


def test_the_fullest_of_deepseek_v3s_stages_has_four_blocks_with_four_experts_a_rank() -> None:
    assert here("expert-rank-parameters", "deepseek-v3-2048") == 4 * 4 * 3 * 7168 * 2048


def test_deepseek_v3s_experts_are_reduced_over_two_ranks_the_rest_over_128() -> None:
    # How to Scale Your Model, chapter on GPUs: "2-way ZeRO-1 Data Parallelism" beside EP 64 and PP 16
    held = here("expert-rank-parameters", "deepseek-v3-2048")
    assert here("expert-gradient-bytes", "deepseek-v3-2048") == 2 * Fraction(1, 2) * 2 * held
    dense = here("dense-gradient-bytes", "deepseek-v3-2048", dense_rank_parameters="1000")
    assert dense == 2 * Fraction(127, 128) * 2 * 1000


# --- compute -----------------------------------------------------------------------------------


def test_deepseek_v3s_dense_blocks_are_as_wide_as_the_nine_experts_a_token_meets() -> None:
    assert here("equal-dense-width", "deepseek-v3-2048") == 18_432  # its d_ff


def test_a_token_uses_a_quarter_of_mixtrals_experts() -> None:
    assert here("active-expert-share", "mixtral-8x7b-64") == Fraction(1, 4)
    assert here("active-expert-share", "deepseek-v3-2048") == Fraction(9, 257)


def test_a_mixtral_token_meets_two_experts_and_the_router() -> None:
    assert here("moe-token-flops", "mixtral-8x7b-64") == 2 * (2 * 3 * 4096 * 14336 + 4096 * 8)


def test_mixtrals_experts_receive_a_quarter_of_what_their_group_holds() -> None:
    # EP 8: 8 · 8192 tokens, each to 2 of 8 experts
    assert here("tokens-per-expert", "mixtral-8x7b-64") == 8 * 8192 * 2 // 8


def test_conditions_of_the_routing_are_checked() -> None:
    tokens = {"b_m": 1, "s": 8, "c": 1, "t": 1, "D": 4, "a": 2}
    with pytest.raises(DoesNotApplyError, match="k_E <= E"):
        at("dispatch-bytes", e=2, E=4, k_E=5, **tokens)
    with pytest.raises(DoesNotApplyError, match="M <= e/n_node"):
        at("node-limited-dispatch", e=16, M=3, n_node=8, **tokens)


# --- experts that a batch uses ------------------------------------------------------------------


def test_sixteen_tokens_use_82_of_qwen3s_128_experts() -> None:
    # Opportunistic Expert Activation (arXiv 2511.02237), introduction: k = 8, uniform routing
    assert round(at("distinct-experts", E=128, k_E=8, T_g=16)) == 82


def test_one_token_uses_its_own_experts_and_reads_only_these() -> None:
    assert at("distinct-experts", E=64, k_E=6, T_g=1) == 6
    sizes = {"E": 64, "k_E": 6, "D": 16, "F_E": 8, "n_f": 3, "L_E": 5, "w": 2}
    assert at("distinct-expert-bytes", T_g=1, **sizes) == 5 * 6 * (3 * 16 * 8) * 2
    assert at("distinct-expert-bytes", T_g=9, **{**sizes, "k_E": 64}) == 5 * 64 * (3 * 16 * 8) * 2


def test_eight_experts_cover_fewer_than_eight_ranks_and_fewer_nodes() -> None:
    # 400,000 tokens drawn by a generator of random numbers covered 7.577 ranks and 5.252 nodes
    assert abs(at("ranks-of-a-token", e=64, k_E=8) - Fraction("7.577")) < Fraction("0.005")
    assert abs(at("nodes-of-a-token", e=64, k_E=8, n_node=8) - Fraction("5.252")) < Fraction("0.005")


def test_a_token_with_one_expert_is_sent_once_however_that_is_counted() -> None:
    tokens = {"b_m": 1, "s": 64, "c": 1, "t": 1, "e": 8, "k_E": 1, "D": 16, "a": 2}
    assert at("once-dispatch-bytes", **tokens) == at("dispatch-bytes", **tokens, E=8)
    assert at("once-dispatch-bytes", **{**tokens, "k_E": 4}) < at(
        "dispatch-bytes", **{**tokens, "k_E": 4}, E=8
    )


def test_experts_over_two_nodes_hide_their_all_to_alls_from_a_width_of_4950() -> None:
    # The GPU part of the book: F > alpha*(Z - 8)/k with alpha = 990e12/400e9 = 2475, Z = 16, k = 4
    group = {"b_m": 1, "s": 64, "c": 1, "t": 1, "D": 128, "a": 2, "n_f": 2, "n_node": 8}
    known = {**group, "e": 16, "k_E": 4, "M": 2, "C": 990 * 10**12, "W_2": 50 * 10**9}
    assert true_at("expert-width-to-hide-nodes", F_E=4950, **known)
    assert not true_at("expert-width-to-hide-nodes", F_E=4949, **known)


def true_at(id_: str, **letters: int) -> bool:
    what = catalogue.get(id_)
    values = {name: Fraction(n) for name, n in letters.items()}
    return holds(what.condition, what.setting.complete(values))
