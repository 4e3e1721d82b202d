"""Jobs written by hand, one for each of five published or well-known runs, that several tests share.

Hardware and assumptions are round numbers near those of an H100, so that a test does not move when a
preset does.
"""

from collections.abc import Mapping
from fractions import Fraction

from workings.planning.job import Figure, Job
from workings.planning.letters import ASSUMED, LETTERS, PARTS

Numbers = Mapping[str, int | float | Fraction]

H100: Numbers = {
    "C": 989_400_000_000_000, "W_1": 450_000_000_000, "W_2": 50_000_000_000,
    "alpha_1": Fraction(3, 10**6), "alpha_2": Fraction(1, 10**5), "W_m": 3_350_000_000_000,
    "n_node": 8, "n_pod": 10**6, "W_3": 50_000_000_000, "M_dev": 85_520_809_984,
    "c_d": Fraction(2, 3600),
}  # fmt: skip
LLAMA_3_PODS: Numbers = {"n_pod": 3072, "W_3": Fraction(50_000_000_000, 7)}
MIXED: Numbers = {
    "n_r": 1, "T_tok": 10**12, "w_p": 4, "w_g": 4, "w_o": 4, "w_c": 2, "a": 2, "w": 2, "g": 4, "w_l": 4,
    "z_a": 1, "z_u": 1, "k_u": 1, "x_off": 0, "x_host": 0, "z_k": 1, "n_l": 1, "o_d": 1,
    "z_each": 1, "w_dsp": 2, "k_nod": 0, "x_8": 0, "z_zb": 0, "z_bi": 0, **dict.fromkeys(PARTS, 0),
}  # fmt: skip
GUESSED: Numbers = {
    "eta": Fraction(7, 10), "eta_a": Fraction(1, 2), "eta_m": Fraction(8, 10),
    "eta_1": Fraction(8, 10), "eta_2": Fraction(8, 10), "h_t": 0, "h_e": 0,
    "T_gap": 0, "T_gap_x": 0, "T_gap_z": 0,
    "h_p": 0, "h_d": 1, "x_turn": 0, "kappa": Fraction(1, 2), "kappa_u": Fraction(1, 2), "lambda": 1,
    "M_ctx": 600_000_000, "M_grp": 1_000_000_000, "M_work": 100_000_000, "x_frag": Fraction(3, 100),
    "x_pool": 0, "x_loss": 1,
    "w_t": 0, "w_d": 4, "gamma": Fraction(9, 10), "W_h": 50_000_000_000, "W_hm": 40_000_000_000,
}  # fmt: skip
ALONE: Numbers = {
    "t": 1, "c": 1, "p": 1, "e": 1, "t_e": 1, "v": 1, "b_m": 1, "z_1": 0, "z_2": 0, "z_3": 0, "z_s": 0,
    "z_c": 0, "z_f": 0,
}  # fmt: skip
GROUPED: Numbers = {"r_q": 0, "r_kv": 0, "d_n": 0, "d_r": 0, "d_v": 0}
DENSE: Numbers = {"E": 0, "k_E": 0, "E_s": 0, "F_E": 0, "L_E": 0, "beta_r": 0, "beta_s": 0}
GPT: Numbers = {
    "n_emb": 1, "n_f": 2, "n_n": 2, "n_nf": 1, "n_qk": 0, "beta_n": 1, "beta_qkv": 1, "beta_o": 1,
    "beta_f": 1, "z_h": 1, "z_g": 1, **GROUPED, **DENSE,
}  # fmt: skip
LLAMA: Numbers = {
    "n_emb": 2, "n_pos": 0, "n_f": 3, "n_n": 2, "n_nf": 1, "n_qk": 0, "beta_n": 0, "beta_qkv": 0,
    "beta_o": 0, "beta_f": 0, "z_h": 1, "z_g": 1, **GROUPED, **DENSE,
}  # fmt: skip

GPT3_175B: Numbers = {
    **GPT, "D": 12288, "F": 49152, "L": 96, "V": 51200, "n_pos": 2048, "H": 96, "K": 96, "d_h": 128,
}  # fmt: skip
LLAMA3_405B: Numbers = {
    **LLAMA, "D": 16384, "F": 53248, "L": 126, "V": 128256, "H": 128, "K": 8, "d_h": 128,
}  # fmt: skip
LLAMA3_8B: Numbers = {
    **LLAMA, "D": 4096, "F": 14336, "L": 32, "V": 128256, "H": 32, "K": 8, "d_h": 128,
}  # fmt: skip
EXPERTS_64: Numbers = {
    **LLAMA, "D": 6144, "F": 24576, "L": 48, "V": 128256, "H": 48, "K": 8, "d_h": 128, "E": 64,
    "k_E": 8, "F_E": 3072, "L_E": 48,
}  # fmt: skip

DEEPSEEK_V3: Numbers = {
    **LLAMA, "D": 7168, "F": 18432, "L": 61, "V": 129280, "H": 128, "K": 128, "d_h": 0, "r_q": 1536,
    "r_kv": 512, "d_n": 128, "d_r": 64, "d_v": 128, "E": 256, "k_E": 8, "E_s": 1, "F_E": 2048, "L_E": 58,
    "beta_r": 1,
}  # fmt: skip


def gpt3_175b(**changed: float | Fraction) -> Job:
    """GPT-3 175B on 512 H100, TP 8, PP 8, DP 8, two chunks a rank, scores computed again."""
    layout = {
        "n": 512, "t": 8, "t_e": 8, "p": 8, "v": 2, "z_1": 1, "z_s": 1, "z_c": 1, "z_a": 0,
        "b": 1024, "s": 2048,
    }  # fmt: skip
    return job("GPT-3 175B on 512 H100", GPT3_175B, layout, changed)


def llama3_405b(**changed: float | Fraction) -> Job:
    """Llama 3 405B on 16,384 H100, TP 8, PP 16, DP 128, 126 layers in 128 chunks."""
    layout = {
        "n": 16384, "t": 8, "t_e": 8, "p": 16, "v": 8, "z_1": 1, "z_2": 0, "z_s": 1, "b": 2048,
        "s": 8192, "T_tok": 15_600_000_000_000, **LLAMA_3_PODS,
    }  # fmt: skip
    return job("Llama 3 405B on 16,384 H100", LLAMA3_405B, layout, changed)


def llama3_8b(**changed: float | Fraction) -> Job:
    """Llama 3 8B on 8 H100, TP 2, DP 4."""
    layout = {"n": 8, "t": 2, "t_e": 2, "z_1": 1, "z_s": 1, "b": 64, "s": 8192}
    return job("Llama 3 8B on 8 H100", LLAMA3_8B, layout, changed)


def experts_64(**changed: float | Fraction) -> Job:
    """64 experts on 1,024 H100, TP 4, PP 4, EP 8: 64 dense replicas, 8 copies of each expert."""
    layout = {
        "n": 1024, "t": 4, "t_e": 4, "p": 4, "v": 2, "e": 8, "z_1": 1, "z_s": 1, "b": 1024, "s": 4096,
    }  # fmt: skip
    return job("64 experts on 1,024 H100", EXPERTS_64, layout, changed)


def deepseek_v3(**changed: float | Fraction) -> Job:
    """DeepSeek-V3 on 2,048 devices, PP 16, EP 64, ZeRO-1, 15,360 sequences of 4,096 tokens."""
    layout = {"n": 2048, "p": 16, "e": 64, "z_1": 1, "b": 15360, "s": 4096, "T_tok": 14_800_000_000_000}
    return job("DeepSeek-V3 on 2,048 H100", DEEPSEEK_V3, layout, changed)


def job(name: str, *numbers: Numbers) -> Job:
    """A job of these numbers, later ones first, on H100s with the usual mixed precision."""
    values: dict[str, int | float | Fraction] = {}
    for more in (H100, MIXED, GUESSED, ALONE, *numbers):
        values.update(more)
    values = _experts_last(values) | values
    missing, unknown = set(LETTERS) - set(values), set(values) - set(LETTERS)
    if missing or unknown:
        raise KeyError(f"{name}: no value for {sorted(missing)}, no letter {sorted(unknown)}")
    figures = {letter: _figure(letter, Fraction(value)) for letter, value in values.items()}
    return Job(name, figures, device="NVIDIA H100 SXM")


def _experts_last(values: Numbers) -> dict[str, int | float | Fraction]:
    """Which blocks have experts where a test does not say: the last ones."""
    blocks, period = int(values["L"]), int(values.get("r_E", 1))
    with_experts = range(blocks - 1, -1, -period)[: int(values["L_E"])]
    return {"r_E": period, "L_0": min(with_experts, default=blocks)}


def _figure(letter: str, value: Fraction) -> Figure:
    kind = "assumed" if letter in ASSUMED else "given"
    return Figure(letter, LETTERS[letter], value, "assumed" if kind == "assumed" else "given", "by hand")
