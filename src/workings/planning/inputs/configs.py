"""A Hugging Face `config.json` as keys of [model], each with the key of the config that gives it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from workings.planning.inputs.files import beside, opened
from workings.planning.inputs.given import Entries, Entry, Reader, words
from workings.planning.job import Kind
from workings.scenario.hf import language_part, model_from_config
from workings.scenario.hf_families import FAMILIES

# Under which names a config gives a figure; what has none of them follows from the architecture.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "d_model": ("hidden_size", "n_embd"),
    "d_ff": ("intermediate_size", "n_inner"),
    "blocks": ("num_hidden_layers", "n_layer"),
    "heads": ("num_attention_heads", "n_head"),
    "kv_heads": ("num_key_value_heads",),
    "head_dim": ("head_dim",),
    "vocab": ("vocab_size",),
    "positions": ("n_positions", "max_position_embeddings"),
    "embeddings": ("tie_word_embeddings",),
    "qkv_bias": ("qkv_bias", "attention_bias"),
    "out_bias": ("attention_bias",),
    "ffn_bias": ("mlp_bias",),
    "experts": ("num_experts", "num_local_experts", "n_routed_experts"),
    "active_experts": ("num_experts_per_tok",),
    "shared_experts": ("shared_expert_intermediate_size", "n_shared_experts"),
    "d_expert": ("moe_intermediate_size", "intermediate_size"),
    "moe_blocks": ("decoder_sparse_step", "first_k_dense_replace"),
    "moe_from": ("first_k_dense_replace", "mlp_only_layers", "decoder_sparse_step"),
    "moe_gap": ("decoder_sparse_step",),
    "q_rank": ("q_lora_rank",),
    "kv_rank": ("kv_lora_rank",),
    "nope_dim": ("qk_nope_head_dim",),
    "rope_dim": ("qk_rope_head_dim",),
    "v_dim": ("v_head_dim",),
}
# What a config says that the cost model leaves out.
_LEFT_OUT: Mapping[str, str] = {
    "num_nextn_predict_layers": "modules that predict further tokens are not in the cost model",
    "rope_scaling": "positions that are stretched, as YaRN does, change nothing that is counted",
    "quantization_config": "weights are as wide as the launch says",
}
_OTHER_MODELS = ("vision_config", "audio_config")
_LONGEST = 60


def config_entries(reader: Reader, entry: Entry) -> Entries:
    """Figures and name of the model that a config describes. Raises JobError or ScenarioError."""
    path = beside(reader, entry)
    data = opened(reader, path)
    figures, said = model_from_config(reader.folder / reader.file, words(entry, 1000))
    values = _values(data)
    config = language_part(values)[0]
    found: Entries = {}
    for key, value in figures.items():
        given = next((k for k in _KEYS.get(key, ()) if config.get(k) is not None), None)
        source = said[f"model.{key}"] if given is None else f"{path.name}: {given}"
        kind: Kind = "follows" if given is None else "given"
        found[key] = Entry(value, kind, source, path.name, given or key)
    _note_windows(reader, config, path.name)
    for key, why in _LEFT_OUT.items():
        if config.get(key):
            reader.note("ignored", key, why, path.name)
    for key in _OTHER_MODELS:
        if values.get(key):
            reader.note("ignored", key, "only the language model is planned", path.name)
    return found | {"name": _name(values, config, path.name)}


def _values(data: bytes) -> Mapping[str, Any]:
    """The config's values, which were checked before; of numbers only whether they are 0."""
    try:
        values = json.loads(data.decode("utf-8"), parse_int=lambda text: int(text != "0"))
    except (ValueError, RecursionError):  # the file is another by now
        return {}
    return values if isinstance(values, dict) else {}


def _note_windows(reader: Reader, config: Mapping[str, Any], file: str) -> None:
    """Attention that sees a part of the sequence is taken to see all of it, and the review says so."""
    family = FAMILIES.get(str(config.get("model_type")))
    usual = family.defaults if family is not None else {}
    window, written = usual.get("sliding_window"), "sliding_window" in config
    used = config.get("use_sliding_window", usual.get("use_sliding_window", True))
    if used and (config["sliding_window"] if written else window):
        text = "attention is taken over the whole sequence in every block"
        by_default = "" if written else f"{window:,} tokens, the default of its class: "
        reader.note("ignored", "sliding_window", by_default + text, file)


def _name(values: Mapping[str, Any], config: Mapping[str, Any], file: str) -> Entry:
    """The last part of the path that the config came from, else its family, marked as following.

    A config that joins several models has a path of its own, which comes first.
    """
    for path in (values.get("_name_or_path"), config.get("_name_or_path")):
        parts = re.split(r"[/\\]", path[:1000]) if isinstance(path, str) else []
        plain = [re.sub(r"[^A-Za-z0-9._ +-]", "", part).strip(" .")[:_LONGEST] for part in parts]
        named = [part for part in plain if part]
        if named:
            return Entry(named[-1], "given", f"{file}: _name_or_path", file, "_name_or_path")
    return Entry(str(config.get("model_type", "model")), "follows", f"{file}: model_type", file, "name")
