"""What the backward computes again, as a job says it, as letters of the plan, and in words.

A block's values are named once. A module of Megatron-LM is the values that it need not keep; a policy
of XLA (`save_only_these_names`, as MaxText has them) names those that it keeps; PyTorch's selective
checkpointing, as torchtitan has it, keeps the products of every second matrix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from workings.planning.working import listed

Values = Mapping[str, Fraction]
# Values of a block by name. An `output` of the feed-forward is needed by nobody: it may be made again
# with the rest (PyTorch), or be kept all the same.
VALUES: Mapping[str, str] = {
    "norms": "r_nrm", "middle": "r_mid", "latents": "r_lat", "query": "r_qry", "key": "r_key",
    "value": "r_val", "context": "r_ctx", "scores": "z_c", "gate": "r_gat", "up": "r_up",
    "product": "r_act", "output": "k_dwn", "tokens": "r_tok", "hidden": "r_hid",
    "expert_product": "r_xact", "answers": "r_xdn", "shared": "r_sha",
}  # fmt: skip
# Modules as `recompute_modules` of Megatron-LM's TransformerConfig describes them; `mlp_act` is ours.
MODULES: Mapping[str, tuple[str, ...]] = {
    "moe": ("r_tok", "r_hid", "r_xact", "r_xdn", "r_sha"),
    "mlp": ("r_gat", "r_up", "r_act", "r_dwn"),
    "mla_up_proj": ("r_lat", "r_qry", "r_key", "r_val"),
    "core_attn": ("z_c",), "layernorm": ("r_nrm",), "mlp_act": ("r_act",), "moe_act": ("r_xact",),
    "shared_experts": ("r_sha",),
}  # fmt: skip
_WORDS = {
    "core_attn": "scores", "mlp": "the feed-forward", "mlp_act": "the feed-forward's activation",
    "moe": "experts with their messages", "moe_act": "experts' activation", "layernorm": "norms",
    "mla_up_proj": "what comes up from latents", "shared_experts": "shared experts",
}  # fmt: skip
# torchtitan counts a block's products in order and does not keep the second, fourth, ... of them
# (distributed/activation_checkpoint.py, SelectiveAC): queries, KEYS, values, ANSWER, gate, UP, output.
# With latents, queries go down and UP, keys with values down and UP, which leaves ANSWER, gate, UP the
# other way round; where only keys and values have them, queries, DOWN, up, ANSWER.
# It keeps what attention, reduce-scatters and all-to-alls give. Routed experts' grouped products stand in
# no list of it, and its checkpoints run a block to its end. A compiler drops an output that nobody needs.
_OPERATIONS = ("r_nrm", "r_lat", "r_act", "r_tok", "r_hid", "r_xact", "r_xdn", "k_com")
_SECOND = ("r_key", "r_mid", "r_up", "k_dwn")
_SECOND_LATENT = ("r_qry", "r_key", "r_val", "r_gat", "r_dwn")
_SECOND_LATENT_KEYS = ("r_mid", "r_up", "k_dwn")
PLAIN = ("none", "selective", "full", "operations", "compiled operations")
EXPECTED = (
    "none, selective, full, operations, compiled operations, 'layers 10', 'every 2 layers', modules such "
    "as 'core_attn, mlp' or what is kept, such as 'all but query, key, value'"
)
_LETTERS = (*(letter for letter in VALUES.values() if letter != "z_c"), "r_dwn", "k_com", "x_keep")


class UnknownError(ValueError):
    """What is said is nothing that can be computed again; the words are what was expected."""


def plain(value: object) -> str:
    """What is said, in one spelling. Raises UnknownError."""
    parts = _parts(value)
    if len(parts) == 1 and parts[0] in PLAIN:
        return parts[0]
    if len(parts) == 1 and (found := re.fullmatch(r"layers (\d{1,6})|every (\d{1,6}) layers", parts[0])):
        if not int(found[1] or found[2]):
            raise UnknownError("at least one of the layers")
        return re.sub(r"\d+", lambda digits: str(int(digits[0])), parts[0])
    if parts[0].startswith("all but "):
        return "all but " + _listed([parts[0][len("all but ") :], *parts[1:]], VALUES, "values")
    found_modules = _listed(parts, MODULES, "modules")
    return "selective" if found_modules == "core_attn" else found_modules


def _parts(value: object) -> list[str]:
    said = [value] if isinstance(value, str) else value
    if not isinstance(said, list) or not said or not all(isinstance(one, str) for one in said):
        raise UnknownError(EXPECTED)
    return [" ".join(part.split()) for one in said for part in one.split(",")]


def _listed(parts: list[str], known: Mapping[str, object], what: str) -> str:
    """Names in the order of ours, each once."""
    for part in parts:
        if part not in known:
            alone = len(parts) == 1 and what == "modules"
            raise UnknownError(EXPECTED if alone else f"{what}, each one of {', '.join(known)}")
    return ", ".join(name for name in known if name in parts)


def letters(said: str, model: Values, flash: bool) -> dict[str, Fraction]:
    """The letters of what is said (in `plain`'s spelling) for a model. Raises UnknownError."""
    on = [letter for name in said.split(", ") for letter in MODULES.get(name, ())]
    found = dict.fromkeys(("z_c", "z_f", *_LETTERS), Fraction(0))
    if said in ("selective", "full"):
        on = ["z_c" if said == "selective" else "z_f"]
    elif said.endswith("operations"):
        on = [*_OPERATIONS, *_second(model), *(() if flash else ("z_c",))]
        on = [one for one in on if one not in ("k_dwn", "r_dwn")] if said.startswith("comp") else on
    elif said.startswith("all but "):
        on = _all_but(said.removeprefix("all but ").split(", "), flash)
    elif number := re.search(r"\d+", said):
        found["x_keep"] = 1 - _blocks(said, int(number[0]), int(model["L"])) / model["L"]
        on = ["z_f"]
    if "mla_up_proj" in said and not model["r_kv"]:
        raise UnknownError("no mla_up_proj: the model has no latent attention")
    return found | dict.fromkeys(on, Fraction(1))


def _blocks(said: str, number: int, blocks: int) -> Fraction:
    if number > blocks:
        raise UnknownError(f"at most the {blocks} blocks")
    return Fraction(number if said.startswith("layers") else blocks // number)


def _second(model: Values) -> tuple[str, ...]:
    if not model["r_kv"]:
        return _SECOND
    return _SECOND_LATENT if model["r_q"] else _SECOND_LATENT_KEYS


def _all_but(kept: list[str], flash: bool) -> list[str]:
    """Everything else; scores are kept by nobody who has FlashAttention."""
    rest = [letter for name, letter in VALUES.items() if name not in (*kept, "output", "scores")]
    rest += ["z_c"] if not flash and "scores" not in kept else []
    return rest + (["k_dwn"] if "output" in kept else [])


def idle(said: str, model: Values) -> list[tuple[str, str]]:
    """Modules that a model has not, and why nothing comes of them."""
    dense, mixed = model["L_E"] < model["L"], bool(model["E"])
    missing = {
        **dict.fromkeys(() if dense else ("mlp", "mlp_act"), "every block has experts"),
        **dict.fromkeys(() if mixed else ("moe", "moe_act"), "the model has no experts"),
        **({} if model["E_s"] else {"shared_experts": "the model has no shared experts"}),
    }
    return [(name, missing[name]) for name in said.split(", ") if name in missing]


def stated(v: Values) -> bool:
    """Whether a job says more than that nothing, scores or whole blocks are computed again."""
    return any(v.get(letter) for letter in _LETTERS)


def spelled(v: Values) -> str:
    """What is computed again, as a job says it."""
    if not stated(v):
        return "full" if v["z_f"] else "selective" if v["z_c"] else "none"
    if v["x_keep"]:
        return f"layers {int(v['L'] * (1 - v['x_keep']))}"
    if v["k_com"]:
        return "operations" if v["k_dwn"] or v["r_dwn"] else "compiled operations"
    modules = _modules(v)
    if modules:
        return ", ".join(modules)
    kept = [name for name, letter in VALUES.items() if letter not in ("z_c", "k_dwn") and not v[letter]]
    return "all but " + ", ".join([*kept, *(["output"] if v["k_dwn"] else [])])


def _modules(v: Values) -> list[str]:
    """The modules whose values these are; none where no modules make them up."""
    lost = {letter for letter in (*_LETTERS, "z_c") if v[letter]}
    found, covered = [], set[str]()
    for name, some in MODULES.items():
        if lost.issuperset(some) and not covered.issuperset(some):
            found.append(name)
            covered |= set(some)
    return found if covered == lost else []


def again(v: Values) -> str:
    """What the backward computes again, in words."""
    if not stated(v):
        return "blocks" if v["z_f"] else "scores" if v["z_c"] else "nothing"
    said = spelled(v)
    if v["x_keep"]:
        return f"{int(v['L'] * (1 - v['x_keep'])):,} of {int(v['L']):,} blocks"
    if said.endswith("operations"):
        return "every second product and all cheap operations"
    if said.startswith("all but"):
        return said
    return listed(_WORDS[name] for name in said.split(", "))
