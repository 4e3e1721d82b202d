"""torchtitan's TOML as a launch of ours (torchtitan/config/job_config.py, as of 2024 and 2025)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from workings.planning.inputs.given import (
    Entries,
    Entry,
    Reader,
    entries,
    flag,
    one_of,
    refused,
    shown,
    tidy,
    whole,
)
from workings.planning.inputs.launches import recomputed
from workings.planning.inputs.models import model_entries
from workings.planning.inputs.reasons import ADAMS, OF_TORCHTITAN, UNREAD
from workings.planning.inputs.torchtitan_names import FLAVORS, HALVES, OLD
from workings.planning.unfollowed import NO_USE

_SECTIONS = ("parallelism", "training", "activation_checkpoint", "model", "experimental", "optimizer",
             "compile")  # fmt: skip
_MANY = ("Interleaved1F1B", "LoopedBFS", "InterleavedZeroBubble", "ZBVZeroBubble", "DualPipeV")
_ONE = ("1F1B", "GPipe")


@dataclass
class _Config:
    """The keys of the sections that matter, by `section.key`, and which were asked for."""

    reader: Reader
    given: Entries
    used: set[str]

    def entry(self, key: str, default: Any = None) -> Entry:
        self.used.add(key)
        usual = Entry(default, "assumed", "torchtitan's default", self.reader.file, key)
        return self.given.get(key, usual)

    def whole(self, key: str, default: int) -> Entry:
        entry = self.entry(key, default)
        return replace(entry, value=whole(entry))

    def maybe(self, key: str) -> Entry | None:
        entry = self.entry(key, -1)
        return None if entry.value in (-1, None) else replace(entry, value=whole(entry))


def torchtitan_launch(
    reader: Reader, raw: Mapping[str, Any]
) -> tuple[Entries, Entries, Entry | None, Entries]:
    """Keys of [launch], keys of [model], devices, and what is hidden. Raises JobError."""
    config = _Config(reader, _flat(reader, raw), set())
    model, keys = _model(config), _degrees(config)
    _virtual(config, keys, model)
    _data_parallel(config, keys)
    _batch(config, keys)
    _widths(config, keys)
    keys["recompute"] = _recompute(config)
    keys["fused_operations"] = _compiled(config)
    _check(config, keys)
    _note_rest(config, raw)
    return keys, model, None, {}


def _degrees(config: _Config) -> Entries:
    """Degrees and lengths that stand there as they are. Raises JobError."""
    names = {"tp": "tensor", "cp": "context", "pp": "pipeline", "ep": "expert"}
    keys = {k: config.whole(f"parallelism.{name}_parallel_degree", 1) for k, name in names.items()}
    tp = keys["tp"]
    keys["etp"] = config.whole("parallelism.expert_tensor_parallel_degree", int(tp.value))
    length = "seq_length" if "training.seq_length" in config.given else "seq_len"
    keys["sequence_length"] = config.whole(f"training.{length}", 2048)
    why = "torchtitan always has it beside tensor parallelism"
    keys["sequence_parallel"] = replace(tp, value=Fraction(int(tp.value > 1)), kind="follows", source=why)
    steps = config.maybe("training.steps")
    return keys if steps is None else {**keys, "steps": steps}


def _flat(reader: Reader, raw: Mapping[str, Any]) -> Entries:
    """Keys of the sections that matter, under their present names. Raises JobError."""
    found: Entries = {}
    for section in _SECTIONS:
        for name, entry in entries(reader, section, raw.get(section, {}), note=False).items():
            key = OLD.get(f"{section}.{name}", f"{section}.{name}")
            if key in found and found[key].value != entry.value:
                raise refused(entry, f"{shown(found[key].value)}, as {found[key].key} has it")
            found[key] = entry
    return found


def _model(config: _Config) -> Entries:
    """The model of a flavor that is published, if it is one."""
    name, flavor = config.entry("model.name", "llama3"), config.entry("model.flavor", "debugmodel")
    if (preset := FLAVORS.get((str(name.value), str(flavor.value)))) is None:
        if "model.flavor" in config.given:
            text = f"{shown(name.value)} {shown(flavor.value)} is not known here: [model] has to say it"
            config.reader.note("ignored", flavor.key, text)
        return {}
    here = Reader(config.reader.folder, config.reader.file, opened=config.reader.opened)
    return model_entries(here, {"preset": preset})


def _virtual(config: _Config, keys: Entries, model: Entries) -> None:
    """Chunks of a rank: 1 or 2, or what the layers of a stage come to. Raises JobError."""
    schedule = config.entry("parallelism.pipeline_parallel_schedule", "1F1B")
    kind = one_of(schedule, (*_ONE, *_MANY))
    if kind not in ("1F1B", "Interleaved1F1B"):
        config.reader.note("ignored", schedule.key, f"{kind} is planned as 1F1B or its interleaved form")
    stages, layers = keys["pp"], config.maybe("parallelism.pipeline_parallel_layers_per_stage")
    less = sum(int(whole(config.entry(f"parallelism.pipeline_parallel_{end}_stage_less_layers", 1), 0))
               for end in ("first", "last"))  # fmt: skip
    chunks = Fraction(2 if kind in _MANY and stages.value > 1 else 1)
    if layers is not None and kind in _MANY and "blocks" in model:
        blocks = Fraction(model["blocks"].value)
        counts = [-(-(blocks + extra) // layers.value) / Fraction(stages.value) for extra in (less, 0)]
        fits = [c for c in counts if c.denominator == 1]
        if not fits:
            raise refused(layers, f"layers that make a multiple of {shown(stages.value)} stages")
        chunks = fits[0]
    keys["virtual_stages"] = replace(schedule, value=chunks)


def _data_parallel(config: _Config, keys: Entries) -> None:
    """Replicas that share weights, and copies of these. Raises JobError."""
    copies = config.whole("parallelism.data_parallel_replicate_degree", 1)
    shard = config.maybe("parallelism.data_parallel_shard_degree")
    shares = shard is None or shard.value * keys["cp"].value > 1
    if shares:
        keys["replicas"] = copies
    stage = _reshard(config, keys["pp"]) if shares else 0
    entry = config.entry("parallelism.fsdp_reshard_after_forward")
    keys["zero"] = replace(entry, value=Fraction(stage))
    if shard is not None:
        keys["dp"] = replace(shard, value=shard.value * copies.value)


def _reshard(config: _Config, stages: Entry) -> int:
    """ZeRO's stage of FSDP: 3 where weights are dropped after the forward, else 2."""
    entry = config.entry("parallelism.fsdp_reshard_after_forward", "default")
    kind = one_of(entry, ("default", "always", "never"))
    return 3 if kind == "always" or (kind == "default" and stages.value == 1) else 2


def _batch(config: _Config, keys: Entries) -> None:
    """Sequences of a step and of a micro-batch. Raises JobError."""
    local = config.whole("training.local_batch_size", 8)
    each = local
    if keys["pp"].value > 1:
        each = config.whole("parallelism.pipeline_parallel_microbatch_size", 1)
        if local.value % each.value:
            raise refused(each, f"a divisor of local_batch_size = {shown(local.value)}")
    keys["microbatch"] = each
    total = config.maybe("training.global_batch_size")
    if total is not None:
        keys["batch"] = total
    else:
        keys["microbatches"] = replace(local, value=local.value / each.value)


def _widths(config: _Config, keys: Entries) -> None:
    """FSDP keeps FP32 shards and computes with what it gathers; a stage that stays is held twice."""
    two = one_of(config.entry("training.mixed_precision_param", "bfloat16"), tuple(HALVES))
    reduced = one_of(config.entry("training.mixed_precision_reduce", "float32"), tuple(HALVES))
    for name, value in widths(int(keys["zero"].value), HALVES[two], HALVES[reduced]).items():
        source = "torchtitan's FSDP: FP32 shards, gathered in the precision of the compute"
        keys[name] = Entry(Fraction(value), "follows", source, config.reader.file, "training")


def widths(stage: int, half: int, reduced: int) -> dict[str, int]:
    """Bytes of values by their key, of a stage of ZeRO, in the precisions of compute and reduction."""
    found = {"master": 4, "moment": 4, "gradient": 4, "logit": 4, "activation": half, "gather": half,
             "working": half if stage == 2 else 0, "reduce": reduced}  # fmt: skip
    return {f"{name}_width": size for name, size in found.items()}


def _compiled(config: _Config) -> Entry:
    """Whether blocks are compiled, which fuses their operations. Raises JobError."""
    here = [config.entry(key, False) for key in ("training.compile", "compile.enable")]
    said = next((entry for entry in here if flag(entry)), here[-1])
    return replace(said, value=flag(said))


def _recompute(config: _Config) -> Entry:
    """Whole blocks, every so many of them, every second product, or nothing. Raises JobError."""
    entry = config.entry("activation_checkpoint.mode", "selective")
    mode = one_of(entry, ("selective", "full", "none"))
    option = config.entry("activation_checkpoint.selective_ac_option", "2")
    if mode != "selective":
        return replace(entry, value=mode)
    every = str(option.value)
    if every == "op":
        return replace(entry, value="compiled operations" if _compiled(config).value else "operations")
    if not every.isdecimal() or not int(every):
        raise refused(option, "'op', or a number of blocks of which one is computed again")
    if int(every) == 1:
        return replace(entry, value="full")
    return replace(entry, value=recomputed(replace(option, value=f"every {every} layers")))


def _check(config: _Config, keys: Entries) -> None:
    """What torchtitan's mesh refuses. Raises JobError."""
    length, tp, cp = keys["sequence_length"], keys["tp"].value, keys["cp"].value
    if cp > 1 and length.value % (2 * tp * cp):
        text = f"a multiple of 2 × tensor × context parallel degree = {shown(2 * tp * cp)}"
        raise refused(length, text)
    ep, etp = keys["ep"], keys["etp"]
    if etp.value not in (1, tp):
        raise refused(etp, f"1 or the tensor parallel degree {shown(tp)}")
    borrowed = cp * (tp if etp.value == 1 else 1)
    if ep.value > 1 and ep.value % borrowed:
        raise refused(ep, f"a multiple of the {shown(borrowed)} ranks that it takes from the dense part")
    if config.entry("training.enable_cpu_offload", False).value:
        flag(config.entry("training.enable_cpu_offload"))
        config.used.discard("training.enable_cpu_offload")


def _note_rest(config: _Config, raw: Mapping[str, Any]) -> None:
    """Say what became of every key. Raises JobError for an unknown key of [parallelism]."""
    for key, entry in config.given.items():
        if config.reader.ignores(entry.key):
            continue
        if key in config.used:
            config.reader.note("read", entry.key, written(entry.value))
        elif key.startswith("parallelism.") and key.partition(".")[2] not in UNREAD:
            raise refused(entry, "nothing: torchtitan's [parallelism] has no such key")
        else:
            if key == "optimizer.name" and str(entry.value).lower() in ADAMS:
                continue
            why = OF_TORCHTITAN.get(key, NO_USE)
            config.reader.note("ignored", entry.key, f"{written(entry.value)}: {why}")
    for section in raw:
        if section not in _SECTIONS:
            config.reader.note("ignored", str(section), NO_USE)


def written(value: object) -> str:
    """A value as one line, a list with all it holds, cut short."""
    values = value if isinstance(value, list) else [value]
    return tidy(", ".join(shown(one) for one in values))
