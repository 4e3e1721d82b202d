"""[model]: sizes from a preset, a Hugging Face config, a file or keys, as letters of the cost model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from workings.planning.inputs.files import beside, toml_of
from workings.planning.inputs.given import (
    Entries,
    Entry,
    Reader,
    entries,
    only,
    refused,
    shown,
    whole,
    words,
)
from workings.planning.job import Figure
from workings.planning.letters import MODEL
from workings.scenario.keys import MODEL as MODEL_KEYS
from workings.scenario.presets import preset_file, read_preset
from workings.vocabulary.concept import Domain

_FROM = ("preset", "hf", "file")
_Follow: TypeAlias = Callable[[str, Mapping[str, Fraction | int]], None]
# What only latent attention (MLA) has, and what it has not.
_LATENT = ("q_rank", "kv_rank", "nope_dim", "rope_dim", "v_dim")
GROUPED = ("kv_heads", "head_dim", "qk_norms", "qkv_bias")


def model_entries(reader: Reader, raw: object, prefix: str = "model") -> Entries:
    """The keys of [model], over those of what it names. Raises JobError or ScenarioError."""
    own = entries(reader, prefix, raw)
    only(reader, own, (*MODEL_KEYS, *_FROM))
    named = [key for key in _FROM if key in own]
    if len(named) > 1:
        raise refused(own[named[1]], f"no other model beside {own[named[0]].key}")
    under: Entries = {}
    for key in named:
        under = {"preset": _preset, "hf": _hf, "file": _file}[key](reader, own.pop(key))
    return under | own


def _preset(reader: Reader, entry: Entry) -> Entries:
    path = preset_file("models", words(entry))
    here = Reader(reader.folder, f"presets/models/{path.name}")
    reader.opened[here.file] = path.read_bytes()
    return entries(here, "", read_preset("models", path.stem), "preset", note=False)


def _hf(reader: Reader, entry: Entry) -> Entries:
    from workings.planning.inputs.configs import config_entries  # noqa: PLC0415 - rarely needed

    return config_entries(reader, entry)


def _file(reader: Reader, entry: Entry) -> Entries:
    path = beside(reader, entry)
    raw = toml_of(reader, path)
    inner = raw["model"] if set(raw) == {"model"} else raw
    return model_entries(reader.beside(path), inner, "model" if inner is not raw else "")


def model_figures(reader: Reader, found: Entries) -> dict[str, Figure]:
    """Every letter of the model. Raises JobError."""
    sizes = _with_defaults(reader, _of_one_kind(reader, found))
    figures = {}
    for letter, concept in MODEL.items():
        key = (concept.supplied or concept.name).rpartition(".")[2]
        entry = sizes[key]
        most = 1 if concept.domain is Domain.FLAG else 10**15
        value = whole(entry, 0 if concept.domain.zero or entry.kind == "follows" else 1, most)
        figures[letter] = Figure(letter, concept, value, entry.kind, entry.source, place=entry.place)
    _check(sizes)
    return figures


def _of_one_kind(reader: Reader, found: Entries) -> Entries:
    """The keys without those of the kind of attention that the model has not. Raises JobError."""
    if "kv_rank" in found and "heads" not in found:
        raise refused(found["kv_rank"], "model.heads beside it")
    others: tuple[str, ...] = GROUPED if "kv_rank" in found else _LATENT
    why = "latent attention has none" if others is GROUPED else "only latent attention (kv_rank) has it"
    for key in others:
        if key in found and found[key].value:
            reader.note("ignored", found[key].key, why, found[key].file)
    return {key: entry for key, entry in found.items() if key not in others}


def _with_defaults(reader: Reader, found: Entries) -> Entries:
    """What is left out follows, or is nothing."""
    for key in ("d_model", "d_ff", "blocks"):
        if key not in found:
            raise reader.wrong(f"model.{key}", None, "a whole number, or a preset, hf or file")
    sizes = dict(found)

    def follow(why: str, values: Mapping[str, Fraction | int]) -> None:
        for key, value in values.items():
            if key not in sizes:
                sizes[key] = Entry(value, "follows", why, reader.file, f"model.{key}")

    if "heads" in found:
        _attention(reader, sizes, follow)
    else:
        _feed_forward_alone(sizes, follow)
    follow("a feed-forward of two matrices", {"ffn_matrices": 2})
    _experts(reader, sizes, follow)
    follow("one norm after the last block", {"final_norms": 1})
    follow("not given: nothing of the kind", dict.fromkeys(MODEL_KEYS, 0))
    return sizes


def _feed_forward_alone(sizes: Entries, follow: _Follow) -> None:
    """A model without heads: no attention, no activation function, and perhaps no vocabulary."""
    parts = ("heads", "kv_heads", "head_dim", "norms", "has_attention", "has_activation")
    follow("no heads: a feed-forward model alone", dict.fromkeys(parts, 0))
    if "vocab" in sizes:
        follow("input and output tables apart", {"embeddings": 2})
    else:
        follow("no vocabulary", dict.fromkeys(("vocab", "embeddings", "final_norms"), 0))


def _attention(reader: Reader, sizes: Entries, follow: _Follow) -> None:
    """Heads, norms and tables of a model with attention. Raises JobError."""
    follow("it has heads", {"has_attention": 1, "has_activation": 1})
    heads, width = whole(sizes["heads"]), whole(sizes["d_model"])
    if "vocab" not in sizes:
        raise reader.wrong("model.vocab", None, "the size of the vocabulary")
    if "kv_rank" in sizes:
        _latent(reader, sizes, follow)
    if "head_dim" not in sizes and width % heads:
        raise refused(sizes["heads"], f"a divisor of d_model = {shown(width)}, or a head_dim")
    follow("as many as heads", {"kv_heads": heads})
    follow("d_model / heads", {"head_dim": width / heads})
    follow("a norm before attention and one before the feed-forward", {"norms": 2})
    if "embeddings" not in sizes:
        reader.note("defaulted", "model.embeddings", "2: input and output tables apart")
    follow("input and output tables apart", {"embeddings": 2})


def _latent(reader: Reader, sizes: Entries, follow: _Follow) -> None:
    """Widths of latent attention, whose heads have keys and values of their own. Raises JobError."""
    for key in ("nope_dim", "rope_dim", "v_dim"):
        if key not in sizes:
            raise reader.wrong(f"model.{key}", None, "a width of latent attention's heads")
    if "q_rank" not in sizes:
        reader.note("defaulted", "model.q_rank", "0: queries are not compressed")
    follow("queries are not compressed", {"q_rank": 0})
    follow("latent attention has widths of its own", {"head_dim": 0})


def _experts(reader: Reader, sizes: Entries, follow: _Follow) -> None:
    """Experts, if there are any. Raises JobError."""
    parts = ("experts", "active_experts", "shared_experts", "d_expert", "moe_blocks")
    follow("every further block has experts", {"moe_gap": 1})
    if "experts" not in sizes:
        for key in (*parts[1:], "moe_from"):
            if key in sizes and sizes[key].value:
                raise refused(sizes[key], "model.experts beside it")
        sizes |= {k: Entry(0, "follows", "no experts", reader.file, f"model.{k}") for k in parts}
        follow("no experts", {"moe_from": whole(sizes["blocks"])})
        return
    if "active_experts" not in sizes:
        raise reader.wrong("model.active_experts", None, "the experts a token goes to")
    follow("as wide as a dense feed-forward", {"d_expert": whole(sizes["d_ff"])})
    if "moe_blocks" not in sizes:
        reader.note("defaulted", "model.moe_blocks", "every block has experts")
    follow("every block has experts", {"moe_blocks": whole(sizes["blocks"])})
    blocks, many, period = (whole(sizes[k]) for k in ("blocks", "moe_blocks", "moe_gap"))
    first = max(Fraction(0), blocks - 1 - (many - 1) * period)
    if "moe_from" not in sizes and many < blocks:
        reader.note("defaulted", "model.moe_from", f"{shown(first)}: the last block has experts")
    follow("the last block has experts", {"moe_from": first})


def _check(sizes: Entries) -> None:
    """Sizes that contradict each other. Raises JobError."""
    n = {key: sizes[key].value for key in sizes if key in MODEL_KEYS and key != "name"}
    for bad, key, expected in (
        (n["embeddings"] not in (0, 1, 2), "embeddings", "1 where the tables are tied, 2 where not"),
        (n["ffn_matrices"] not in (2, 3), "ffn_matrices", "2 (plain) or 3 (gated)"),
        (
            n["heads"] and n["heads"] % (n["kv_heads"] or 1),
            "kv_heads",
            f"a divisor of {n['heads']} heads",
        ),
        (n["active_experts"] > n["experts"], "active_experts", f"at most experts = {n['experts']}"),
        (n["moe_blocks"] > n["blocks"], "moe_blocks", f"at most blocks = {n['blocks']}"),
        (n["experts"] and not n["moe_blocks"], "moe_blocks", "at least one block with experts"),
        (
            n["experts"] and -((n["moe_from"] - n["blocks"]) // n["moe_gap"]) != n["moe_blocks"],
            "moe_blocks",
            f"as many as moe_from = {n['moe_from']} and moe_gap = {n['moe_gap']} leave of "
            f"{n['blocks']} blocks",
        ),
    ):
        if bad:
            raise refused(sizes[key], expected)


def model_name(found: Entries, figures: Mapping[str, Figure]) -> str:
    """What the model is called, else its family and sizes. Raises JobError."""
    entry = found.get("name")
    if entry is not None and entry.value != "" and entry.kind != "follows":
        return words(entry)
    family = "model" if entry is None or entry.value == "" else words(entry)
    return f"{family} ({shown(figures['L'].value)} blocks of {shown(figures['D'].value)})"
