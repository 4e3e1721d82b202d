"""Linear attention, Mamba-2 and cross-attention: published counts, and where forms meet."""

from fractions import Fraction

import pytest
from evaluated import rational_at as at
from evaluated import true_at

from workings import api
from workings.derivation.evaluation import DoesNotApplyError

# Widths of Mamba-2's blocks in the models that its authors published: head 64 wide, state 128
MAMBA_2 = {"d_h": 64, "N": 128, "G": 1, "k_c": 4}
CODESTRAL = {"D": 4096, "H": 128, "d_h": 64, "N": 128, "G": 8, "k_c": 4}


@pytest.mark.parametrize(
    ("width", "blocks", "published"),
    [(768, 24, 128_989_632), (1024, 48, 368_346_624), (2560, 64, 2_702_599_680)],
)
def test_mamba_2_has_the_parameters_of_its_checkpoints(width: int, blocks: int, published: int) -> None:
    sizes = {"D": width, "H": 2 * width // 64, "L": blocks, "V": 50_288, "n_emb": 1}
    assert at("mamba2-parameters", **sizes, **MAMBA_2) == published


def test_codestral_mamba_has_the_parameters_that_mistral_printed() -> None:
    assert at("mamba2-parameters", L=64, V=32_768, n_emb=2, **CODESTRAL) == 7_285_403_648


def test_a_wide_mamba_2_block_has_six_squares() -> None:
    wide = at("mamba2-block-parameters", D=2**20, H=2**15, **MAMBA_2) / Fraction(2**40)
    assert 6 < wide < Fraction("6.04")


def test_t5_base_has_the_parameters_of_its_checkpoint() -> None:
    sizes = {"D": 768, "H": 12, "K": 12, "d_h": 64, "F": 3072, "n_f": 2, "n_n": 2, "n_qk": 0}
    biases = dict.fromkeys(("beta_qkv", "beta_o", "beta_f", "beta_n"), 0)
    decoder = at("cross-block-parameters", **sizes, **biases)
    encoder = decoder - at("mha-parameters", D=768, H=12) - at("norm-parameters", D=768, beta_n=0)
    tables, positions, norms = 32_128 * 768, 2 * 32 * 12, 2 * 768
    assert tables + 12 * (encoder + decoder) + positions + norms == 222_903_552


def test_a_decoder_block_is_a_block_and_attention_to_the_input() -> None:
    sizes = {"b": 2, "s": 5, "D": 12, "H": 4, "K": 2, "d_h": 3, "F": 20, "n_f": 3}
    cross = at("cross-block-forward-flops", s_x=5, **sizes) - at("block-forward-flops", **sizes)
    attention = {name: sizes[name] for name in ("b", "s", "H", "d_h")}
    projections = at("attention-projection-flops", D=12, K=2, **attention)
    assert cross == projections + at("attention-core-flops", **attention)


def test_latent_attention_has_no_such_block() -> None:
    with pytest.raises(DoesNotApplyError, match="latent attention"):
        api.value("cross-block-parameters", "deepseek-v3-2048")


def test_linear_attention_is_cheaper_from_twice_its_features_on() -> None:
    sizes = {"b": 1, "H": 3, "K": 3, "d_h": 5}
    for context, cheaper in ((255, False), (256, True)):
        assert true_at("linear-attention-context", s=context, H=3, K=3, d_phi=128) == cheaper
        linear = at("linear-attention-flops", s=context, d_phi=128, **sizes)
        causal = at("attention-core-flops-causal", b=1, s=context, H=3, d_h=5)
        assert (linear < causal) == cheaper


def test_a_decay_is_one_flop_more_for_each_number_of_a_state() -> None:
    decayed = at("ssd-recurrent-flops", b=1, s=7, H=3, d_h=5, N=11)
    assert decayed - at("linear-attention-flops", b=1, s=7, H=3, K=3, d_h=5, d_phi=11) == 7 * 3 * 5 * 11


def test_the_core_of_mamba_2_takes_less_than_half_more_flops_in_chunks_of_128() -> None:
    sizes = {"b": 1, "s": 4096, "H": 80, "d_h": 64, "N": 128}
    recurrent = at("ssd-recurrent-flops", **sizes)
    chunks = {q: at("ssd-chunk-flops", G=1, Q=q, **sizes) for q in (8, 16, 128, 256)}
    assert chunks[256] == 4096 * 2 * (256 * (128 + 5120) + 2 * 655_360 + 2560)
    assert chunks[8] < recurrent < chunks[128] < Fraction(3, 2) * recurrent < chunks[256]


def test_no_chunk_takes_fewer_flops_than_the_best() -> None:
    sizes = {"H": 3, "d_h": 8, "N": 8, "G": 3}
    assert at("ssd-best-chunk", **sizes) == 2
    flops = {q: at("ssd-chunk-flops", b=1, s=12, Q=q, **sizes) for q in (1, 2, 3, 4, 6, 12)}
    assert min(flops, key=lambda q: flops[q]) == 2
    shown = api.value("ssd-best-chunk", set={"H": "80", "d_h": "64", "N": "128", "G": "1"}).value
    assert round(float(shown)) == 11


def test_a_chunk_that_does_not_divide_the_sequence_is_refused() -> None:
    with pytest.raises(DoesNotApplyError, match="last chunk is not full"):
        at("ssd-chunk-flops", b=1, s=100, Q=64, H=4, d_h=2, N=3, G=1)


def test_a_layer_of_codestral_keeps_what_vllm_allocates() -> None:
    """A state (128, 64, 128) and a window (3, 8192 + 2*8*128), of 4 and of 2 bytes a number."""
    sizes = {name: CODESTRAL[name] for name in CODESTRAL if name != "D"}
    kept = at("mamba2-state-bytes", b=1, L_r=1, w_r=4, a=2, **sizes)
    assert kept == 4 * 128 * 64 * 128 + 2 * 3 * (8192 + 2048) == 4_255_744


def test_a_state_of_128_features_is_a_cache_of_64_tokens() -> None:
    state = at("linear-attention-state-bytes", b=3, L_r=5, K=7, d_phi=128, d_h=64, w_r=2)
    assert state == at("kv-cache-bytes", b=3, s=64, L=5, K=7, d_h=64, w_kv=2)
    assert true_at("linear-attention-state-context", s=65, d_phi=128, w_r=2, w_kv=2)
    assert not true_at("linear-attention-state-context", s=64, d_phi=128, w_r=2, w_kv=2)
