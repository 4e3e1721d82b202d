"""Serving: published caches to the byte, what engines reported, and where one entry meets another."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at

from workings import api
from workings.derivation.evaluation import DoesNotApplyError


def of(id_: str, model: str, **letters: str) -> Fraction:
    found = api.value(id_, model, letters).value
    assert isinstance(found, Fraction)
    return found


KIB, MIB, GIB = 2**10, 2**20, 2**30
# OPT-13B: 40 blocks of 40 heads, 128 wide
OPT_13B = {"L": 40, "K": 40, "d_h": 128}


# --- a token -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "model", "published"),
    [
        # Zhao et al., Insights into DeepSeek-V3, table 1: BF16, in thousands of bytes
        ("mla-token-bytes", "deepseek-v3", 70_272),
        ("kv-token-bytes", "llama3-405b", 516_096),
        # Llama 3 70B has the heads and blocks of Qwen2.5 72B, which that table gives
        ("kv-token-bytes", "llama3-70b", 327_680),
        ("kv-token-bytes", "llama2-7b", MIB // 2),
        ("kv-token-bytes", "llama3-8b", 128 * KIB),
        ("kv-token-bytes", "mistral-7b", 128 * KIB),
    ],
)
def test_a_tokens_cache_is_as_published(id_: str, model: str, published: int) -> None:
    assert of(id_, model, w_kv="2 byte") == published


def test_the_cache_of_opt_13b_is_the_paged_attention_papers() -> None:
    # Kwon et al., section 3: 800 KB a token, up to 1.6 GB for 2,048 of them
    assert at("kv-token-bytes", w_kv=2, **OPT_13B) == 800 * KIB
    request = at("kv-cache-bytes", b=1, s=2048, w_kv=2, **OPT_13B)
    assert abs(request / GIB - Fraction("1.6")) < Fraction(1, 20)


def test_64_sequences_of_8192_tokens_of_llama_3_70b_take_160_gibibytes() -> None:
    batch = of("kv-cache-bytes", "llama3-70b", b="64", s="8192", w_kv="2 byte")
    assert batch == 160 * GIB
    assert of("kv-cache-bytes", "llama2-7b", b="64", s="8k", w_kv="2 byte") == 256 * GIB


def test_the_scaling_books_cache_of_llama_2_13b_is_6_7_gigabytes() -> None:
    cache = at("kv-cache-bytes", b=1, s=8192, w_kv=2, **OPT_13B)
    assert abs(cache / 10**9 - Fraction("6.7")) < Fraction(1, 20)


def test_mla_of_deepseek_v2_is_worth_two_and_a_quarter_heads() -> None:
    assert of("mla-equal-heads", "deepseek-v2") == Fraction("2.25")
    token = of("mla-token-bytes", "deepseek-v2", w_kv="2 byte")
    assert token == at("kv-token-bytes", L=60, K=1, d_h=128, w_kv=2) * Fraction("2.25")


def test_vllms_quantized_pages_hold_these_bytes_a_token() -> None:
    # a head of 128: 128 bytes and a float32 (fp8_per_token_head); 64 bytes and 8 of scales (nvfp4)
    head = {"L": 1, "K": 1, "d_h": 128, "w_z": 0}
    assert at("quantized-kv-token-bytes", w_q=1, w_s=4, g=128, **head) == 2 * (128 + 4)
    assert at("quantized-kv-token-bytes", w_q="1/2", w_s=1, g=16, **head) == 2 * (64 + 8)


def test_a_latent_cache_is_refused_the_common_formula_and_pointed_to_its_own() -> None:
    with pytest.raises(DoesNotApplyError, match="mla-cache-bytes answers here"):
        of("kv-cache-bytes", "deepseek-v3", b="1", s="1", w_kv="2 byte")


# --- windows and inputs --------------------------------------------------------------------------


def test_mistrals_rolling_buffer_takes_an_eighth_at_32k_tokens() -> None:
    sizes = {"b": "1", "s": "32768", "w_kv": "2 byte"}
    rolling = of("window-cache-bytes", "mistral-7b", L_w="32", s_w="4096", **sizes)
    assert 8 * rolling == of("kv-cache-bytes", "mistral-7b", **sizes)


def test_within_the_window_every_block_keeps_everything() -> None:
    sizes = {"b": "3", "s": "4096", "w_kv": "2 byte"}
    mixed = of("window-cache-bytes", "gemma2-27b", L_w="23", s_w="4096", **sizes)
    assert mixed == of("kv-cache-bytes", "gemma2-27b", **sizes)


# --- weights -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "zero", "group", "extra"),
    # Frantar et al., table 5: extra bits of groups with 3-bit weights; table 7: bits in all at 2 bits
    [(3, 3, 1024, "0.02"), (3, 3, 128, "0.15"), (2, 2, 128, "0.2"), (2, 2, 32, "0.6")],
)
def test_groups_take_the_extra_bits_of_the_gptq_paper(
    bits: int, zero: int, group: int, extra: str
) -> None:
    bytes_ = {"w_q": Fraction(bits, 8), "w_s": 2, "w_z": Fraction(zero, 8), "g": group}
    found = at("quantized-weight-bits", **bytes_) - bits
    digits = len(extra.partition(".")[2])
    assert abs(found - Fraction(extra)) <= Fraction(6, 10 ** (digits + 1))  # “≈”


def test_an_awq_copy_of_llama_3_8b_has_5_7_gigabytes() -> None:
    # 4 bits, groups of 128, FP16 scales, zero points of 4 bits; tables and norms stay FP16
    widths = {"w": "2 byte", "w_q": "0.5 byte", "w_s": "2 byte", "w_z": "0.5 byte", "g": "128"}
    assert of("quantized-model-bytes", "llama3-8b", **widths) == (
        218_103_808 * 32 * Fraction("0.51953125")  # q, k, v, o, gate, up, down
        + (2 * 128_256 * 4096 + 65 * 4096) * 2
    )


# --- devices -------------------------------------------------------------------------------------


def test_beyond_its_heads_a_rank_keeps_no_less() -> None:
    eight, sixteen = (of("tp-kv-token-bytes", "llama3-70b", t=t, w_kv="2 byte") for t in ("8", "16"))
    assert eight == sixteen == 327_680 / 8


def test_the_scaling_books_llama_3_70b_in_int8_takes_112_gigabytes() -> None:
    widths = {"w": "1 byte", "w_kv": "1 byte"}
    device = of("serving-memory", "llama3-70b", t="8", b="32", s="8192", **widths)
    assert abs(8 * device / 10**9 - 112) < 2  # the book rounds to 70e9 weights and 160e3 bytes


@pytest.mark.parametrize(
    ("blocks", "heads", "devices", "memory", "slots"),
    # Kwon et al., table 1: GB for the cache of all devices, and slots in thousands
    [(40, 40, 1, 12, "15.7"), (96, 96, 8, 264, "60.1")],
)
def test_the_slots_of_the_paged_attention_papers_servers(
    blocks: int, heads: int, devices: int, memory: int, slots: str
) -> None:
    model = {"L": blocks, "H": heads, "K": heads, "d_h": 128, "w_kv": 2, "t": devices}
    left = Fraction(memory * GIB, devices)  # beside weights, of which there is one byte here
    found = at("cache-tokens", M_max=left + 1, P=1, w=1, **model)
    assert abs(found / 1000 - Fraction(slots)) < Fraction(1, 20)


def test_what_vllm_printed_of_ministral_3_14b_on_two_devices() -> None:
    # "Available KV cache memory: 52.36 GiB", "GPU KV cache size: 686,320 tokens", on each of two ranks
    model = {"L": 40, "H": 32, "K": 8, "d_h": 128, "w_kv": 2, "t": 2}
    low, high = (
        at("cache-tokens", M_max=Fraction(memory) * GIB + 1, P=1, w=2, **model)
        for memory in ("52.355", "52.365")
    )
    assert low <= 686_320 <= high
    assert 686_320 % 16 == 0  # whole pages


def test_tokens_that_fit_are_those_of_the_largest_batch_and_of_the_longest_context() -> None:
    sizes = {"t": "8", "w": "2 byte", "w_kv": "2 byte", "memory": "80 GB"}
    tokens = of("cache-tokens", "llama3-70b", **sizes)
    assert of("longest-serving-context", "llama3-70b", b="1", **sizes) == tokens
    assert of("largest-serving-batch", "llama3-70b", s="8192", **sizes) == tokens // 8192
    pages = of("pages-that-fit", "llama3-70b", p="16", **sizes)
    assert pages == of("swap-pages", "llama3-70b", p="16", **sizes) == tokens // 16
    # A device has one key and value head of the eight: 80 blocks, 128 values, 2 bytes
    assert of("swap-space", "llama3-70b", p="16", **sizes) == pages * 16 * 2 * 80 * 128 * 2


def test_the_largest_batch_fits_and_one_more_does_not() -> None:
    sizes = {"t": "8", "w": "2 byte", "w_kv": "2 byte", "s": "8192"}
    most = of("largest-serving-batch", "llama3-70b", memory="80 GB", **sizes)
    fits, over = (of("serving-memory", "llama3-70b", b=str(b), **sizes) for b in (most, most + 1))
    assert fits <= 80 * 10**9 < over


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DoesNotApplyError, match="the weights alone do not fit"):
        of("cache-tokens", "llama3-70b", t="1", w="2 byte", w_kv="2 byte", memory="80 GB")


# --- pages ---------------------------------------------------------------------------------------


def test_the_papers_prompt_of_seven_tokens_takes_two_pages_of_four() -> None:
    assert at("kv-pages", s=7, p=4) == 2
    assert at("kv-pages", s=8, p=4) == 2


def test_the_last_page_wastes_less_than_a_page_and_half_of_one_in_the_mean() -> None:
    token = {"L": 1, "K": 1, "d_h": 1, "w_kv": 1}
    waste = [at("kv-page-waste", s=s, p=16, **token) for s in range(1, 161)]
    assert max(waste) == 15 * 2
    assert sum(waste) / len(waste) == at("kv-page-waste-mean", p=16, **token) == 15


def test_the_share_that_the_last_page_wastes() -> None:
    # 17 tokens take two pages of 16, of which 15 places stay empty; a full page wastes nothing
    assert at("kv-page-waste-share", s=17, p=16) == Fraction(15, 32)
    assert at("kv-page-waste-share", s=2048, p=16) == 0
    # sequences of 25 to 40 tokens, and of 24 to 39: 15 empty places in two sequences, 32.5 tokens each
    assert at("kv-page-waste-share-mean", s=32, p=16) == Fraction(15, 79)
    # PagedAttention, figure 2: 96.3 % of the places hold tokens, as with 195 tokens a request
    assert abs(at("kv-page-waste-share-mean", s=195, p=16) - Fraction("0.037")) < Fraction(1, 10**4)


def test_a_request_of_the_paper_fills_next_to_nothing_of_what_was_reserved() -> None:
    # figure 3: 7 tokens of a prompt and 3 generated in 2,048 places, of which 2,038 are never used
    assert at("reserved-waste", s=10, s_max=2048) == Fraction(2038, 2048)
    with pytest.raises(DoesNotApplyError):
        at("reserved-waste", s=10, s_max=9)


def test_of_a_common_prompt_only_full_pages_are_shared() -> None:
    token = {"L": 1, "K": 1, "d_h": 1, "w_kv": 1}
    # vLLM's example: requests of which the first 10 tokens are the same share 2 pages of 4
    assert at("prefix-shared-bytes", b=2, s_p=10, p=4, **token) == 8 * 2
    assert at("prefix-shared-bytes", b=1, s_p=10, p=4, **token) == 0
