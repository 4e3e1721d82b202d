"""Figures that others have published, each against the derivation that gives it.

A row is a derivation, the settings it is evaluated at, and the figure as it is printed; a row agrees
when ours is within half a unit of the last printed digit. Where a figure is cut off instead of
rounded, or does not follow from what is printed beside it, it has no row here.
"""

import re
from fractions import Fraction

import pytest

import workings
from workings.units import parse_quantity

# Printed figures may be in per cent, in units, or in powers of ten: "48.7 %", "6.09 GiB", "3.14e23".
PRINTED = re.compile(r"(?P<mantissa>[0-9][0-9,]*(?:\.(?P<decimals>[0-9]+))?)(?P<scale>.*)")


def read(printed: str) -> tuple[Fraction, Fraction]:
    """The printed figure in base units, and half a unit of its last digit."""
    parts = PRINTED.fullmatch(printed)
    assert parts is not None, printed
    scale = parts["scale"].strip()
    one = Fraction(1, 100) if scale == "%" else parse_quantity(f"1{scale}").value
    last = one / 10 ** len(parts["decimals"] or "")
    return Fraction(parts["mantissa"].replace(",", "")) * one, last / 2


def ours(id_: str, settings: str) -> Fraction:
    """The derivation at settings such as "L=24 D=1024 C=312TFLOP/s"."""
    named = dict(setting.split("=", 1) for setting in settings.split())
    value = workings.value(id_, set=named).value
    assert isinstance(value, Fraction)
    return value


def agree(found: Fraction, printed: str) -> None:
    """Fail unless the value found rounds to the figure as it is printed."""
    figure, half_a_digit = read(printed)
    assert abs(found - figure) <= half_a_digit, f"{float(found):.8g} is not {printed}"


# --- parameters -----------------------------------------------------------------------------------

GPT = "beta_qkv=1 beta_o=1 beta_f=1 beta_n=1 n_n=2 n_qk=0 n_nf=1 n_f=2"
LLAMA = "n_pos=0 beta_qkv=0 beta_o=0 beta_f=0 beta_n=0 n_n=2 n_qk=0 n_nf=1 n_f=3"
QWEN = LLAMA.replace("beta_qkv=0", "beta_qkv=1")
MATRICES = "beta_qkv=0 beta_o=0 beta_f=0 beta_n=0 n_n=0 n_qk=0 n_nf=0 n_f=2"
MIXTRAL = "n_pos=0 beta_qkv=0 beta_o=0 beta_f=0 beta_n=0 n_n=2 n_nf=1 n_f=3 beta_r=0 E_s=0 beta_s=0"

PARAMETERS = [
    # Narayanan et al. 2021, table 1: all ten models; vocabulary 51,200, sequences of 2,048
    ("gpt-parameters", "V=51200 n_pos=2048 L=24 D=2304 H=24", "1.7e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=30 D=3072 H=32", "3.6e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=36 D=4096 H=32", "7.5e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=40 D=6144 H=48", "18.4e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=48 D=8192 H=64", "39.1e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=60 D=10240 H=80", "76.1e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=80 D=12288 H=96", "145.6e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=96 D=16384 H=128", "310.1e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=105 D=20480 H=128", "529.6e9"),
    ("gpt-parameters", "V=51200 n_pos=2048 L=128 D=25600 H=160", "1008.0e9"),
    # Brown et al. 2020 (GPT-3), table D.1, millions; sizes of table 2.1, whose width of 5,140 for the
    # 13B model is 5,120
    ("gpt-parameters", "V=50257 n_pos=2048 L=12 D=768 H=12", "125e6"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=24 D=1024 H=16", "356e6"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=24 D=1536 H=16", "760e6"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=24 D=2048 H=16", "1.32e9"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=32 D=2560 H=32", "2.65e9"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=32 D=4096 H=32", "6.66e9"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=40 D=5120 H=40", "12.85e9"),
    ("gpt-parameters", "V=50257 n_pos=2048 L=96 D=12288 H=96", "174.6e9"),
    # MosaicML, llm-foundry, scripts/train/benchmarking/README.md, NumParams: MPT with learned positions
    ("gpt-parameters", "V=50368 n_pos=2048 L=80 D=8192 H=64", "64862437376"),
    ("gpt-parameters", "V=50368 n_pos=8192 L=48 D=7168 H=56", "30019254272"),
    ("gpt-parameters", "V=50368 n_pos=2048 L=40 D=5120 H=40", "12853954560"),
    ("gpt-parameters", "V=50368 n_pos=65536 L=32 D=4096 H=32", "6918905856"),
    ("gpt-parameters", "V=50368 n_pos=2048 L=32 D=2560 H=20", "2651837440"),
    ("gpt-parameters", "V=50368 n_pos=2048 L=24 D=2048 H=16", "1315950592"),
    ("gpt-parameters", "V=50368 n_pos=512 L=24 D=1536 H=12", "758111232"),
    ("gpt-parameters", "V=50368 n_pos=1024 L=24 D=1024 H=16", "354936832"),
    ("gpt-parameters", "V=50368 n_pos=2048 L=12 D=768 H=12", "125311488"),
    # GPT-2 as released (the paper's table prints 345M, 762M and 1542M, which are too few)
    ("gpt-parameters", "V=50257 n_pos=1024 L=24 D=1024 H=16", "354823168"),
    ("gpt-parameters", "V=50257 n_pos=1024 L=36 D=1280 H=20", "774030080"),
    ("gpt-parameters", "V=50257 n_pos=1024 L=48 D=1600 H=25", "1557611200"),
    # BigScience, model card of BLOOM: 70 blocks, 112 heads, a norm after the embedding too, ALiBi
    ("dense-parameters", f"V=250880 D=14336 n_emb=1 n_pos=0 L=70 H=112 K=112 d_h=128 F=57344 {GPT}"
     .replace("n_nf=1", "n_nf=2"), "176247271424"),
    ("embedding-parameters", "V=250880 D=14336 n_emb=1 n_pos=0", "3596615680"),
    # Biderman et al. 2023 (Pythia), table 1 and model cards: total, and without both tables
    ("dense-parameters", f"V=50304 D=512 n_emb=2 n_pos=0 L=6 H=8 K=8 d_h=64 F=2048 {GPT}", "70426624"),
    ("dense-non-embedding-parameters",
     f"D=512 L=6 H=8 K=8 d_h=64 F=2048 {GPT}", "18915328"),
    ("dense-non-embedding-parameters",
     f"D=1024 L=24 H=16 K=16 d_h=64 F=4096 {GPT}", "302311424"),
    ("dense-parameters",
     f"V=50304 D=2560 n_emb=2 n_pos=0 L=32 H=32 K=32 d_h=80 F=10240 {GPT}", "2775208960"),
    ("dense-parameters",
     f"V=50432 D=4096 n_emb=2 n_pos=0 L=32 H=32 K=32 d_h=128 F=16384 {GPT}", "6857302016"),
    ("dense-non-embedding-parameters",
     f"D=5120 L=36 H=40 K=40 d_h=128 F=20480 {GPT}", "11327027200"),
    # Llama 65B and Llama 2 70B; Qwen2.5 32B (Hugging Face, safetensors metadata)
    ("dense-parameters",
     f"V=32000 D=8192 n_emb=2 L=80 H=64 K=64 d_h=128 F=22016 {LLAMA}", "65285660672"),
    ("dense-parameters",
     f"V=32000 D=8192 n_emb=2 L=80 H=64 K=8 d_h=128 F=28672 {LLAMA}", "68976648192"),
    ("dense-parameters",
     f"V=152064 D=5120 n_emb=2 L=64 H=40 K=8 d_h=128 F=27648 {QWEN}", "32763876352"),
    # Mixtral 8x22B; OLMoE 1B-7B, whose norms of queries and keys are as wide as the model
    ("moe-parameters",
     f"V=32768 D=6144 n_emb=2 L=56 H=48 K=8 d_h=128 F=16384 L_E=56 E=8 F_E=16384 n_qk=0 {MIXTRAL}",
     "140630071296"),
    ("moe-parameters",
     f"V=50304 D=2048 n_emb=2 L=16 H=16 K=16 d_h=128 F=1024 L_E=16 E=64 F_E=1024 n_qk=0 {MIXTRAL}"
     .replace("n_n=2", "n_n=4"), "6919161856"),
    # Rajbhandari et al. 2022 (DeepSpeed-MoE), its sizes of models: 128 experts in every other block
    ("moe-parameters", f"V=50257 D=1024 n_emb=1 n_pos=2048 L=24 H=16 K=16 d_h=64 F=4096 L_E=12 E=128 "
     f"F_E=4096 beta_r=0 E_s=0 beta_s=0 {GPT}", "13e9"),
    ("moe-parameters", f"V=50257 D=2048 n_emb=1 n_pos=2048 L=24 H=16 K=16 d_h=128 F=8192 L_E=12 E=128 "
     f"F_E=8192 beta_r=0 E_s=0 beta_s=0 {GPT}", "52e9"),
    # Karpathy, nanoGPT, transformer_sizing.ipynb: GPT-2 without biases
    ("dense-parameters", f"V=50257 D=768 n_emb=1 n_pos=1024 L=12 H=12 K=12 d_h=64 F=3072 {MATRICES}"
     .replace("n_n=0", "n_n=2").replace("n_nf=0", "n_nf=1"), "124337664"),
    ("embedding-parameters", "V=50257 D=768 n_emb=1 n_pos=1024", "39383808"),
    # cli99, llm-analysis, examples/megatron-lm, num_params_total: OPT's vocabulary, no norms or biases
    ("dense-parameters", f"V=50272 D=12288 n_emb=1 n_pos=0 L=96 H=96 K=96 d_h=128 F=49152 {MATRICES}",
     "174563917824"),
    ("dense-parameters", f"V=50272 D=20480 n_emb=1 n_pos=0 L=105 H=128 K=128 d_h=160 F=81920 {MATRICES}",
     "529511874560"),
    # Austin et al. 2025, part 6, “Counting Parameters and FLOPs”: tables of Llama 3 70B
    ("embedding-parameters", "V=128256 D=8192 n_emb=2 n_pos=0", "2.1e9"),
    # A log of Megatron-LM for GPT-2 XL (vocabulary padded to 50,304, no biases, LayerNorm), billions
    ("dense-parameters", f"V=50304 D=1600 n_emb=1 n_pos=0 L=48 H=25 K=25 d_h=64 F=6400 {MATRICES}"
     .replace("n_n=0", "n_n=2").replace("n_nf=0", "n_nf=1").replace("beta_n=0", "beta_n=1"),
     "1.5554e9"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), PARAMETERS)
def test_published_parameters(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings), printed)


# --- compute ---------------------------------------------------------------------------------------

GPT2 = "b=1 s=1024 D=768 H=12 K=12 d_h=64 F=3072 n_f=2"
FLOPS = [
    # Brown et al. 2020, table D.1: total train compute of parameters and tokens; T5 uses half of its own
    ("training-flops-six-n", "P=125000000 T_tok=300000000000", "2.25e20FLOP"),
    ("training-flops-six-n", "P=356000000 T_tok=300000000000", "6.41e20FLOP"),
    ("training-flops-six-n", "P=760000000 T_tok=300000000000", "1.37e21FLOP"),
    ("training-flops-six-n", "P=1320000000 T_tok=300000000000", "2.38e21FLOP"),
    ("training-flops-six-n", "P=2650000000 T_tok=300000000000", "4.77e21FLOP"),
    ("training-flops-six-n", "P=6660000000 T_tok=300000000000", "1.20e22FLOP"),
    ("training-flops-six-n", "P=12850000000 T_tok=300000000000", "2.31e22FLOP"),
    ("training-flops-six-n", "P=174600000000 T_tok=300000000000", "3.14e23FLOP"),
    ("training-flops-six-n", "P=355000000 T_tok=250000000000", "5.33e20FLOP"),  # BERT-Large
    ("training-flops-six-n", "P=355000000 T_tok=2000000000000", "4.26e21FLOP"),  # RoBERTa-Large
    ("training-flops-six-n", "P=5500000000 T_tok=1000000000000", "3.30e22FLOP"),  # T5-11B
    # Austin et al. 2025, part 6: Llama 3 70B, a token and the whole run
    ("training-flops-six-n", "P=70000000000 T_tok=1", "4.2e11FLOP"),
    ("training-flops-six-n", "P=70000000000 T_tok=15000000000000", "6.3e24FLOP"),
    # Karpathy, nanoGPT, transformer_sizing.ipynb: one sequence of GPT-2; the core is two of its lines
    ("ffn-flops", "B=1024 D=768 F=3072 n_f=2", "9663676416FLOP"),
    ("attention-core-flops", "b=1 s=1024 H=12 d_h=64", "3221225472FLOP"),
    ("block-forward-flops", GPT2, "17716740096FLOP"),
    ("logits-flops", "B=1024 D=768 V=50257", "79047426048FLOP"),
    ("model-forward-flops", f"{GPT2} L=12 V=50257", "291648307200FLOP"),
    ("model-training-flops", f"{GPT2} L=12 V=50257", "874944921600FLOP"),
    # Hoffmann et al. 2022, table 3: parameters and tokens that make the printed budget
    ("training-flops-six-n", "P=400000000 T_tok=8000000000", "1.92e19FLOP"),
    ("training-flops-six-n", "P=1000000000 T_tok=20200000000", "1.21e20FLOP"),
    ("training-flops-six-n", "P=10000000000 T_tok=205100000000", "1.23e22FLOP"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), FLOPS)
def test_published_flops(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings), printed)


# FLOPs a token, trained, in sequences of 4,096 with causal pairs only.
DEEPSEEK = "b=1 s=4096 H=128 r_q=1536 r_kv=512 d_n=128 d_r=64 d_v=128 n_f=3"
QWEN3 = "b=1 s=4096 K=4 d_h=128 n_f=3 E=128 k_E=8 E_s=0 V=151936"
A_TOKEN = [
    # Zhao et al. 2025 (Insights into DeepSeek-V3), table 2
    ("mla-moe-training-flops-causal",
     f"{DEEPSEEK} L=60 D=5120 F=12288 E=160 k_E=6 E_s=2 F_E=1536 L_E=59 V=102400", "155e9FLOP"),
    ("mla-moe-training-flops-causal",
     f"{DEEPSEEK} L=61 D=7168 F=18432 E=256 k_E=8 E_s=1 F_E=2048 L_E=58 V=129280", "250e9FLOP"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), A_TOKEN)
def test_published_flops_of_a_token(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings) / 4096, printed)


# NVIDIA, Megatron Bridge, Performance Summary (25.11): tokens a second of a GPU, TFLOP/s. It counts
# causal pairs only; of a mixture of experts, all but the router.
LLAMA_8B = "b=1 s=8192 L=32 D=4096 H=32 K=8 d_h=128 F=14336 n_f=3 V=128256"
LLAMA_70B = "b=1 s=8192 L=80 D=8192 H=64 K=8 d_h=128 F=28672 n_f=3 V=128256"
DENSE_BRIDGE = [
    (LLAMA_8B, 37_556, "1933e12FLOP/s"), (LLAMA_8B, 31_508, "1622e12FLOP/s"),
    (LLAMA_8B, 29_789, "1533e12FLOP/s"), (LLAMA_8B, 30_624, "1576e12FLOP/s"),
    (LLAMA_8B, 29_521, "1519e12FLOP/s"), (LLAMA_8B, 14_451, "744e12FLOP/s"),
    (LLAMA_70B, 4_312, "1937e12FLOP/s"),
]  # fmt: skip
QWEN3_30B = f"{QWEN3} L=48 D=2048 H=32 F=768 F_E=768 L_E=48"
QWEN3_235B = f"{QWEN3} L=94 D=4096 H=64 F=1536 F_E=1536 L_E=94"
MIXED_BRIDGE = [
    (QWEN3_30B, 48 * 128 * 2048, 28_934, "666e12FLOP/s"),
    (QWEN3_30B, 48 * 128 * 2048, 23_766, "547e12FLOP/s"),
    (QWEN3_30B, 48 * 128 * 2048, 9_299, "214e12FLOP/s"),
    (QWEN3_30B, 48 * 128 * 2048, 5_275, "121e12FLOP/s"),
    (QWEN3_235B, 94 * 128 * 4096, 4_916, "728e12FLOP/s"),
    (QWEN3_235B, 94 * 128 * 4096, 3_269, "484e12FLOP/s"),
    (QWEN3_235B, 94 * 128 * 4096, 1_575, "233e12FLOP/s"),
]


@pytest.mark.parametrize(("settings", "tokens", "printed"), DENSE_BRIDGE)
def test_megatron_bridges_throughput_of_dense_models(settings: str, tokens: int, printed: str) -> None:
    agree(ours("model-training-flops-causal", settings) / 8192 * tokens, printed)


@pytest.mark.parametrize(("settings", "routers", "tokens", "printed"), MIXED_BRIDGE)
def test_megatron_bridges_throughput_of_models_with_experts(
    settings: str, routers: int, tokens: int, printed: str
) -> None:
    a_token = ours("moe-model-training-flops-causal", settings) / 4096 - 6 * routers
    agree(a_token * tokens, printed)


# --- utilization -----------------------------------------------------------------------------------

A100, H100 = "C=312TFLOP/s", "C=989.5TFLOP/s"
GPT3 = "s=2048 L=96 D=12288 V=51200"
MT_NLG = "b=1920 s=2048 L=105 D=20480 V=51200"
LLAMA_2_7B = "s=4096 L=32 D=4096 H=32 K=32 d_h=128 F=11008 n_f=3 V=32000"
LLAMA_3_8B = "P=8030261248 L=32 H=32 d_h=128 s=8192"
LLAMA_3_70B = "P=70553706496 L=80 H=64 d_h=128 s=8192"
LLAMA_2_13B = "P=13015864320 L=40 H=40 d_h=128 s=4096"
LLAMA_2_70B = "P=68976648192 L=80 H=64 d_h=128 s=4096"

# FLOPs of a step (B=1) or of a token (B tokens in T_s), the devices and the time.
UTILIZATION = [
    # Korthikanti et al. 2023, table 5: MFU of the 175B, 530B and 1T models
    ("megatron-training-flops", f"b=64 {GPT3}", f"B=1 n=64 {A100} T_s=13.75s", "51.4%"),
    ("megatron-training-flops", "b=280 s=2048 L=105 D=20480 V=51200",
     f"B=1 n=280 {A100} T_s=37.83s", "56.0%"),
    ("megatron-training-flops", "b=512 s=2048 L=128 D=25600 V=51200",
     f"B=1 n=512 {A100} T_s=71.49s", "56.3%"),
    # Jiang et al. 2024 (MegaScale), table 2: Megatron-LM, 175B
    ("megatron-training-flops", f"b=768 {GPT3}", f"B=1 n=256 {A100} T_s=40.0s", "53.0%"),
    ("megatron-training-flops", f"b=6144 {GPT3}", f"B=1 n=3072 {A100} T_s=29.02s", "48.7%"),
    ("megatron-training-flops", f"b=6144 {GPT3}", f"B=1 n=6144 {A100} T_s=14.78s", "47.8%"),
    ("megatron-training-flops", f"b=6144 {GPT3}", f"B=1 n=8192 {A100} T_s=12.24s", "43.3%"),
    ("megatron-training-flops", f"b=6144 {GPT3}", f"B=1 n=12288 {A100} T_s=8.57s", "41.2%"),
    # torchtitan, docs/performance.md (2024): tokens a second of one of 64 A100, all parameters counted
    ("palm-flops-per-token", LLAMA_3_8B, f"B=2876 n=1 {A100} T_s=1s", "56.3%"),
    ("palm-flops-per-token", LLAMA_3_8B, f"B=2973 n=1 {A100} T_s=1s", "58.2%"),
    ("palm-flops-per-token", LLAMA_3_70B, f"B=323 n=1 {A100} T_s=1s", "50.5%"),
    ("palm-flops-per-token", LLAMA_3_70B, f"B=331 n=1 {A100} T_s=1s", "51.7%"),
    ("palm-flops-per-token", LLAMA_2_13B, f"B=2162 n=1 {A100} T_s=1s", "61.1%"),
    ("palm-flops-per-token", LLAMA_2_13B, f"B=1904 n=1 {A100} T_s=1s", "53.8%"),
    ("palm-flops-per-token", LLAMA_2_70B, f"B=355 n=1 {A100} T_s=1s", "50.8%"),
    # MosaicML, llm-foundry, scripts/train/benchmarking/README.md: MPT, tokens a second of all GPUs
    ("palm-flops-per-token", "P=64862437376 L=80 H=64 d_h=128 s=2048",
     f"B=66523 n=64 {H100} T_s=1s", "42.57%"),
    ("palm-flops-per-token", "P=64862437376 L=80 H=64 d_h=128 s=2048",
     f"B=28242 n=32 {H100} T_s=1s", "36.15%"),
    ("palm-flops-per-token", "P=30019254272 L=48 H=56 d_h=128 s=8192",
     f"B=11072 n=8 {H100} T_s=1s", "29.92%"),
    ("palm-flops-per-token", "P=13011240960 L=40 H=40 d_h=128 s=32768",
     f"B=15812 n=8 {H100} T_s=1s", "31.68%"),
    ("palm-flops-per-token", "P=6918905856 L=32 H=32 d_h=128 s=65536",
     f"B=15654 n=8 {H100} T_s=1s", "28.59%"),
    ("palm-flops-per-token", "P=1315950592 L=24 H=16 d_h=128 s=2048",
     f"B=2841754 n=64 {H100} T_s=1s", "40.85%"),
    ("palm-flops-per-token", "P=12853954560 L=40 H=40 d_h=128 s=2048",
     f"B=18097 n=8 {A100} T_s=1s", "59.57%"),
    ("palm-flops-per-token", "P=6658859008 L=32 H=32 d_h=128 s=2048",
     f"B=37130 n=8 {A100} T_s=1s", "64.23%"),
    ("palm-flops-per-token", "P=2647905280 L=32 H=20 d_h=128 s=512",
     f"B=97019 n=8 {A100} T_s=1s", "63.71%"),
    ("palm-flops-per-token", "P=174070272 L=12 H=12 d_h=64 s=65536",
     f"B=162946 n=8 {A100} T_s=1s", "54.13%"),
    # Karpathy, nanoGPT, transformer_sizing.ipynb: 100 sequences of GPT-2 in 755 ms on an A100
    ("model-training-flops", f"{GPT2} L=12 V=50257".replace("b=1", "b=100"),
     f"B=1 n=1 {A100} T_s=755ms", "37.14%"),
]  # fmt: skip
ACHIEVED = [
    # Smith et al. 2022 (Megatron-Turing NLG), section 2.4: every block is recomputed, and that is counted
    ("megatron-recompute-flops", MT_NLG, "B=1 n=2240 T_s=60.1s", "126e12FLOP/s"),
    ("megatron-recompute-flops", MT_NLG, "B=1 n=3360 T_s=44.4s", "113e12FLOP/s"),
    # Logs of Megatron-LM (release 0.10) for Llama 2 7B on 8 and 16 GPUs: full attention
    ("model-training-flops", f"b=128 {LLAMA_2_7B}", "B=1 n=8 T_s=25837.1ms", "116.9e12FLOP/s"),
    ("model-training-flops", f"b=128 {LLAMA_2_7B}", "B=1 n=8 T_s=33186.0ms", "91.0e12FLOP/s"),
    ("model-training-flops", f"b=256 {LLAMA_2_7B}", "B=1 n=16 T_s=26496.5ms", "114.0e12FLOP/s"),
]


@pytest.mark.parametrize(("id_", "settings", "run", "printed"), UTILIZATION)
def test_published_utilization(id_: str, settings: str, run: str, printed: str) -> None:
    agree(ours("model-flops-utilization", f"{run} f_tok={ours(id_, settings)}FLOP"), printed)


@pytest.mark.parametrize(("id_", "settings", "run", "printed"), ACHIEVED)
def test_published_flops_a_second(id_: str, settings: str, run: str, printed: str) -> None:
    agree(ours("achieved-flops", f"{run} C=1FLOP/s f_tok={ours(id_, settings)}FLOP"), printed)


# --- memory ----------------------------------------------------------------------------------------

MIXED_32 = "w_c=2byte w_g=6byte w_p=4byte w_o=4byte"  # BF16 gradients beside those added up in FP32
MEMORY = [
    # DeepSpeed, Memory Requirements (code-docs/source/memory.rst): T5 3B on 8 GPUs, T5 large on 4;
    # ZeRO 2 keeps FP16 weights and gradients whole, ZeRO 3 shards 18 bytes and gathers a layer
    ("distributed-optimizer-fp16-state", "P=2851000000 d=8", "15.93GiB"),
    ("fsdp-peak-memory", "S=51.318GB d=8 U=100 P_u=32000000 k_u=0 w=2byte g=2byte", "6.09GiB"),
    ("fsdp-peak-memory", "S=5.702GB d=8 U=100 P_u=32000000 k_u=0 w=2byte g=2byte", "0.78GiB"),
    ("fsdp-peak-memory", "S=13278.06MB d=4 U=100 P_u=32900000 k_u=0 w=2byte g=2byte", "3291MiB"),
    ("fsdp-peak-memory", "S=1475.34MB d=4 U=100 P_u=32900000 k_u=0 w=2byte g=2byte", "477MiB"),
    # Hugging Face, The Ultra-Scale Playbook (2025), the table of model sizes
    ("mixed-precision-state", "P=7000000000", "112GB"),
    ("mixed-precision-state", "P=405000000000", "6480GB"),
    ("training-state", f"P=7000000000 {MIXED_32}", "140GB"),
    ("training-state", f"P=405000000000 {MIXED_32}", "8100GB"),
    # Hugging Face, accelerate, model size estimator: bert-base-cased in FP16, and trained in FP32
    ("weights-bytes", "P=108310272 w=2byte", "206.59MiB"),
    ("adam-fp32-state", "P=108310272", "1.61GiB"),
    # Logs of Megatron-LM's theoretical_memory_usage.py: GPT-2 XL; a 65B model on 4 ranks and 8 stages
    ("mixed-precision-fp32-gradients-state", "P=1555356800", "26699.47MiB"),
    ("first-stage-parameters", "L_first=10 P_l=805339136 t=4 V=32256 D=8192", "2.0794e9"),
    ("mixed-precision-fp32-gradients-state", "P=2079408640", "35695.42MiB"),
    ("block-activations-tp-selective", "s=1024 b_m=1 D=1600 H=25 t=1", "53.1MiB"),
    # cli99, llm-analysis, examples/megatron-lm/outputs_train_zero: 530B, inputs of all blocks kept
    ("checkpoint-inputs", "s=2048 b_m=1 D=20480 L=105", "8808038400byte"),
    # Austin et al. 2025, part 4, “Gradient checkpointing”: a checkpoint a layer, 4M tokens
    ("checkpoint-inputs", "s=4000000 b_m=1 D=8192 L=64", "4.2TB"),
    # Karpathy, nanoGPT, transformer_sizing.ipynb: a checkpoint with both moments
    ("checkpoint-bytes", "P=124337664 w_p=4byte w_o=4byte", "1.49GB"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), MEMORY)
def test_published_memory(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings), printed)


@pytest.mark.parametrize(
    ("blocks", "settings", "printed"),
    [
        # Hugging Face, The Ultra-Scale Playbook (2025), figures of memory: Llama 3 8B and Llama 3.2 1B
        # by the GPT's 34 bytes a value
        (32, "s=1024 b_m=1 D=4096 H=32 t=1", "4.25GiB"),
        (32, "s=131072 b_m=1 D=4096 H=32 t=1", "544GiB"),
        (16, "s=1024 b_m=1 D=2048 H=32 t=1", "1.0625GiB"),
    ],
)
def test_the_playbooks_activations(blocks: int, settings: str, printed: str) -> None:
    agree(blocks * ours("block-activations-selective", settings), printed)


# --- collectives and links -------------------------------------------------------------------------

COMMUNICATION = [
    # Outputs of nccl-tests: size, time (or size in a second, the algorithm bandwidth), bus bandwidth
    ("bus-bandwidth-all-reduce", "N=16 S=8589934592byte T=67689us", "237.94GB/s"),
    ("bus-bandwidth-all-reduce", "N=16 S=8589934592byte T=33605us", "479.28GB/s"),
    ("bus-bandwidth-all-reduce", "N=8 S=477.05GB T=1s", "834.84GB/s"),
    ("bus-bandwidth-all-gather", "N=8 S=67108864byte T=3551.8us", "16.53GB/s"),
    ("bus-bandwidth-all-gather", "N=16 S=8388608byte T=784.9us", "10.02GB/s"),
    ("bus-bandwidth-all-gather", "N=2 S=1073741824byte T=27211.0us", "19.73GB/s"),
    # Austin et al. 2025, part 12: the table of NVLink generations, nodes, quiz 2 and in-network sums
    ("device-links", "n_l=12 W_l=25GB/s", "300GB/s"),
    ("device-links", "n_l=18 W_l=25GB/s", "450GB/s"),
    ("device-links", "n_l=18 W_l=50GB/s", "900GB/s"),
    ("node-egress", "n_port=8 W_port=50GB/s", "400GB/s"),
    ("node-egress", "n_port=72 W_port=50GB/s", "3600GB/s"),
    ("fat-tree-bisection", "n=1024 W_port=50GB/s", "25.6TB/s"),  # 51.2 TB/s both ways
    ("ring-all-gather-time", "N=8 S=536870912byte alpha=0s W_b=450GB/s", "1.04ms"),
    ("in-network-gain", "N=8", "1.75"),  # “the predicted 75 %”
    # The same, part 5: tokens a chip and tokens of a pod from which FSDP on three axes of a TPU v5p is
    # compute-bound, and the width that 8-way tensor parallelism needs
    ("compute-bound-batch-max",
     "F=13824 X=4096 Y=1 C=459TFLOP/s W=180GB/s M_X=3 M_Y=1 w=2byte a=2byte", "3.48e6"),
    ("compute-bound-batch-max",
     "F=28672 X=8960 Y=1 C=459TFLOP/s W=180GB/s M_X=3 M_Y=1 w=2byte a=2byte", "7.6e6"),
    ("tensor-parallel-needs-d-ff",
     "Y=8 C=459TFLOP/s W=180GB/s M_Y=1 a=2byte", "20e3"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), COMMUNICATION)
def test_published_bandwidths(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings), printed)


# --- time and failures -----------------------------------------------------------------------------

RUNS = [
    # Karpathy, nanoGPT, transformer_sizing.ipynb: GPT-2 on 8 A100, days
    ("training-days", "P=124337664 T_tok=300000000000 n=8 C=312TFLOP/s u=0.3", "3.46"),
    # Austin et al. 2025, parts 5 and 6: Llama 3 70B on 18,823 TPU v5p at half of the peak, days; on a
    # pod at 40 %
    ("training-days", "P=70000000000 T_tok=15000000000000 n=18823 C=459TFLOP/s u=0.5", "17"),
    ("training-time", "P=70000000000 T_tok=15000000000000 n=8960 C=459TFLOP/s u=0.4", "3.8e6s"),
    # Kokolis et al. 2024 (Revisiting Reliability in Large-Scale Machine Learning Research Clusters):
    # 6.50 failures in 1,000 node-days; jobs on 2,048 and 16,384 nodes
    ("job-mtbf", "n=2048 M_d=13292307.7s", "1.8h"),
    ("job-mtbf", "n=16384 M_d=13292307.7s", "0.23h"),
]  # fmt: skip


@pytest.mark.parametrize(("id_", "settings", "printed"), RUNS)
def test_published_runs(id_: str, settings: str, printed: str) -> None:
    agree(ours(id_, settings), printed)
