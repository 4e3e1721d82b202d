"""Serving's rooms, limits and drafts beside the figures that sources print of them."""

from fractions import Fraction

from evaluated import rational_at as at


def near(found: Fraction, published: str, share: str = "0.01") -> bool:
    return abs(found - Fraction(published)) <= Fraction(share) * Fraction(published)


LLAMA = {"D": 8192, "H": 64, "K": 8, "d_h": 128, "F": 28672, "n_f": 3}


def test_room_on_a100s_beside_52_billion_weights() -> None:
    for devices, room in ((3, 16), (4, 56)):
        assert at("cache-room", t=devices, M_max=40 * 10**9, P=52 * 10**9, w=2) == room * 10**9


def test_devices_that_llama_needs_on_tpu_v5e_and_h100() -> None:
    for width, chips in ((2, 9), (1, 5), (Fraction(1, 2), 3)):
        assert at("devices-for-weights", M_max=16 * 10**9, P=70 * 10**9, w=width) == chips
    held = {"P": 405 * 10**9, "w": 2, "b": 1, "s": 8, "L": 126, "K": 8, "d_h": 128, "w_kv": 2}
    assert at("node-devices-for-serving", M_max=80 * 10**9, n_node=8, **held) == 16
    assert at("doubled-devices-for-serving", M_max=80 * 10**9, **held) == 16


def test_orca_keeps_32_places_for_25_tokens_and_wastes_less_than_half() -> None:
    assert at("reserved-power-of-two", o=25) == 32
    assert all(at("reserved-power-waste", o=o) < Fraction(1, 2) for o in range(1, 70))


def test_messages_of_80_layers_at_8_microseconds() -> None:
    assert at("one-shot-latency", L=80, alpha_1="8e-6") == Fraction("2560e-6")


def test_an_image_of_224_pixels_is_256_patches() -> None:
    assert at("image-tokens", h_px=224, p_px=14, n_tile=1) == 256


def test_a_mixture_of_16_experts_of_which_2_are_used_needs_1920_sequences() -> None:
    batch = at("moe-compute-bound-batch", b=1, E=16, k_E=2, w=1, C="480e12", W_m="1e12")
    assert batch == 1920


def test_degrees_up_to_which_decoding_waits_for_weights() -> None:
    speeds = {"a": 2, "w": 2, "D": 1, "t": 1, "W_1": 10**11, "W_m": 8 * 10**11}
    assert at("decode-tp-limit", b=32, F=16384, **speeds) == 64
    assert at("decode-tp-limit", b=64, F=28672, **speeds) == 56


def test_96_tokens_of_cache_come_free_in_each_step() -> None:
    assert at("cache-turnover", b=32, s=8192, o=4096) == 96


def test_two_axes_on_a_torus() -> None:
    mlp = {"D": 1024, "F": 4096, "n_f": 2, "a": 2, "B": 8, "X": 1}
    assert at("two-axes-faster-devices", n=1, m_X=1, m_Y=2, **mlp) == 72
    assert near(at("weight-stationary-axis", n=64, m_X=1, m_Y=1, **mlp), "4", "1e-9")
    # The scaling book's 11.3 for the root of 128
    least = at("weight-stationary-time", n=64, m_X=1, m_Y=2, W=10**10, **mlp)
    assert near(least, str(Fraction("11.3") * 8 * 1024 / 8 / 10**10))


def test_the_best_draft_is_the_longest_of_which_each_token_pays() -> None:
    for alpha, c in (("0.8", "0.05"), ("0.6", "0.1"), ("0.9", "0.02")):
        speeds = [at("speculative-speedup", alpha=alpha, c=c, gamma=gamma) for gamma in range(1, 40)]
        best = 1 + speeds.index(max(speeds))
        enough = (at("speculative-best-draft", alpha=alpha, c=c, gamma=gamma) for gamma in range(1, 40))
        assert next(g for g, cost in enumerate(enough, 1) if cost <= Fraction(c)) == best


def test_swapping_beats_recomputing_llama_over_a_slow_link_already() -> None:
    sizes = {"L": 80, **LLAMA, "w_kv": 2, "t": 1, "C": "989e12"}
    limits = [at("swap-beats-recompute", s=s, W_h=1, **sizes) for s in (100, 10_000, 100_000)]
    assert limits[0] < 32 * 10**9  # half of PCIe 5's bytes a second
    assert limits == sorted(limits, reverse=True)  # longer sequences cost more products a token


def test_without_a_cache_a_long_answer_costs_half_its_tokens_times_as_much() -> None:
    sizes = {"b": 1, "s": 1, "o": 1001, "L": 2, **LLAMA, "V": 1}
    assert near(at("cache-saves-flops", **sizes), "501", "0.02")


def test_a_prefix_that_is_two_thirds_cached_leaves_a_third_and_more_of_attention() -> None:
    assert at("prefix-prefill-share", s=3, s_p=2) == Fraction(1, 3)
    sizes = {"b": 1, "s": 3000, "L": 2, **LLAMA, "V": 1}
    assert at("prefix-prefill-flops", s_p=2000, **sizes) > at("prefill-flops", **sizes) / 3


def test_experts_that_all_are_used_are_read_like_dense_weights() -> None:
    cache = {"s": 1, "L": 1, "H": 8, "K": 8, "d_h": 1, "w_kv": "1e-9", "t": 1, "W_m": 1}
    mixture = {"E": 4, "k_E": 4, "D": 10, "F_E": 20, "n_f": 3, "L_E": 1, "P_base": 100}
    assert near(at("moe-decode-memory-time", b=1, w=1, **mixture, **cache), "2500", "1e-6")
