"""Layout and training of a job as letters: what is given, what follows, and what contradicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.counts import batch
from workings.planning.inputs.divided import ONE_EACH, check_shares
from workings.planning.inputs.given import Entries, Entry, Reader, agree, refused, shown
from workings.planning.inputs.kept import BY_NAMES
from workings.planning.inputs.launches import DEGREES, WIDTHS
from workings.planning.job import Figure
from workings.planning.letters import LAYOUT, TRAINING
from workings.planning.recomputed import UnknownError, idle
from workings.planning.recomputed import letters as recomputed_letters
from workings.planning.replica_degrees import few_replicas
from workings.planning.schedules import SCHEDULES, USUAL, unfit
from workings.planning.tensor_degrees import forbidden
from workings.scenario.order import REPLICAS_FIRST
from workings.vocabulary.concept import Concept

NOT_CHOSEN = "no layout is chosen yet"
# Keys that are rarely said: what is taken then, and why.
_UNSAID: Mapping[str, tuple[object, str]] = {
    "keep_gradients": (Fraction(1), "gradients lie in buffers, as Megatron-LM and DeepSpeed have them"),
    "reduce_each_microbatch": (Fraction(1), "as PyTorch and DeepSpeed do unless told otherwise"),
    "fused_operations": (Fraction(1), "kernels of Transformer Engine, of Liger or of a compiler"),
    "loss_parts": (Fraction(1), "the logits of a micro-batch are there at once"),
    "prefetched_units": (Fraction(1), "one unit is gathered ahead of the one at work"),
    "order": (Fraction(1), f"{REPLICAS_FIRST}, Megatron-LM's default order of ranks"),
    "offload_optimizer": (Fraction(0), "all on the device"),
    "offload_activations": (Fraction(0), "all on the device"),
    "saved_in_8_bits": (Fraction(0), "what blocks keep is as wide as activations are"),
    "token_nodes": (Fraction(0), "each expert of a token is sent a copy"),
    "schedule": (USUAL, "1F1B, interleaved where a rank has chunks"),
}
_MIXED = "assumed: mixed precision as Megatron-LM keeps it, BF16 beside FP32 master, moments, gradients"
_BYTES = {"master": 4, "gradient": 4, "moment": 4, "working": 2, "activation": 2, "gather": 2,
          "reduce": 4, "logit": 4}  # fmt: skip
_ALL: Mapping[str, Concept] = {**LAYOUT, **TRAINING}
_BY_KEY = {
    "tp": "t", "cp": "c", "pp": "p", "ep": "e", "etp": "t_e", "virtual_stages": "v", "microbatch": "b_m",
    "sequence_parallel": "z_s", "devices": "n", "replicas": "n_r", "batch": "b", "sequence_length": "s",
    "training_tokens": "T_tok", "flash_attention": "z_a", "keep_gradients": "z_k",
    "reduce_each_microbatch": "z_each", "loss_parts": "n_l",
    "fused_operations": "z_u",
    "prefetched_units": "k_u", "token_nodes": "k_nod",
    "offload_optimizer": "x_off", "order": "o_d",
    **{c.name: letter for letter, c in TRAINING.items() if c.name in WIDTHS},
}  # fmt: skip


def layout_figures(
    reader: Reader, found: Entries, devices: Entry | None, model: Mapping[str, Figure]
) -> dict[str, Figure]:
    """Every letter of layout and training. Raises JobError."""
    chosen = is_chosen(found)
    keys = _filled(reader, dict(found), devices, chosen)
    sizes = {letter: f.value for letter, f in model.items()}
    if chosen:
        check_shares(keys, sizes)
    _batch(reader, keys, chosen, whole_sequences=bool(model["z_h"].value))
    figures = {letter: _figure(letter, keys[key]) for key, letter in _BY_KEY.items()}
    figures |= {letter: _share(letter, keys[key]) for key, letter in BY_NAMES.items()}
    _note_degrees(reader, {**model, **figures})
    switches = _switches(keys) | _schedule(reader, keys, chosen)
    return figures | switches | _again(reader, keys, sizes)


def _note_degrees(reader: Reader, figures: Mapping[str, Figure]) -> None:
    """Say which degrees a search leaves out, where the size was read that forbids them."""
    for one in forbidden(figures):
        size = one.size
        text = f"{shown(size.value)}: {one.words}; a search leaves out such tensor parallelism"
        reader.note_instead(size.place.key or size.concept.name, text, size.place.file)
    if few := few_replicas(figures):
        place = figures["b"].place
        reader.note("read", place.key or "launch.batch", few, place.file)


def is_chosen(found: Entries) -> bool:
    """Whether a launch names a layout, or leaves it to a search."""
    return any(key in found for key in DEGREES)


def _figure(letter: str, entry: Entry) -> Figure:
    value = Fraction(entry.value)
    return Figure(letter, _ALL[letter], value, entry.kind, entry.source, place=entry.place)


def _share(letter: str, said: Entry) -> Figure:
    """A share of what blocks keep; of values by name it is worked out once all is known."""
    return _figure(letter, replace(said, value=0) if isinstance(said.value, tuple) else said)


def _schedule(reader: Reader, keys: Entries, chosen: bool) -> dict[str, Figure]:
    """The pipeline's schedule as letters that are 0 or 1. Raises JobError for what cannot run it."""
    said = keys["schedule"]
    if chosen and keys["pp"].value > 1:
        count = keys["batch"].value / (keys["dp"].value * keys["microbatch"].value)
        for key, expected in unfit(said.value, keys["pp"].value, keys["virtual_stages"].value, count):
            raise refused(keys[key], expected)
    elif chosen and SCHEDULES[said.value]:
        reader.note("ignored", said.key, "there is one stage, so nothing to schedule")
    return {
        letter: _figure(letter, replace(said, value=int(name == said.value)))
        for name, letter in SCHEDULES.items() if letter
    }  # fmt: skip


def _filled(reader: Reader, keys: Entries, devices: Entry | None, chosen: bool) -> Entries:
    """The keys and those that follow from them, or are assumed. Raises JobError."""
    if "sequence_length" not in keys:
        raise reader.wrong("launch.sequence_length", None, "the tokens of a sequence")
    _fill_layout(reader, keys, chosen)
    _put(reader, keys, "flash_attention", Fraction(1), "assumed: FlashAttention")
    for key, (value, why) in _UNSAID.items():
        _put(reader, keys, key, value, f"assumed: {why}", note=False)
    missing = [name for name in WIDTHS if name not in keys and name != "dispatch_width"]
    for name in missing:
        _put(reader, keys, name, Fraction(_BYTES[name.partition("_")[0]]), _MIXED, note=False)
    if missing:
        reader.note("defaulted", "launch.*_width", f"{', '.join(missing)}: {_MIXED}")
    width = keys["activation_width"].value
    _put(reader, keys, "dispatch_width", width, "as wide as activations are", note=False)
    _world(reader, keys, devices)
    return keys


def _put(reader: Reader, keys: Entries, key: str, value: object, why: str, note: bool = True) -> None:
    """A default, where the launch says nothing."""
    if key not in keys:
        keys[key] = Entry(value, "assumed", why, reader.file, f"launch.{key}")
        if note:
            reader.note("defaulted", f"launch.{key}", f"{shown(value)}: {why}")


def _fill_layout(reader: Reader, keys: Entries, chosen: bool) -> None:
    """Degrees and switches that are left out; all of them are neutral where no layout is chosen."""

    def put(key: str, value: object, why: str, note: bool) -> None:
        _put(reader, keys, key, value, why if chosen else NOT_CHOSEN, note and chosen)

    for key in ONE_EACH:
        put(key, Fraction(1), "one, where nothing else is given",
            note=key == "microbatch" and "microbatches" not in keys)  # fmt: skip
    parallel = Fraction(int(keys["tp"].value > 1))
    put("etp", keys["tp"].value, "as the dense part has it", note=False)
    put("zero", Fraction(int(chosen)), "optimizer state is shared", note=True)
    put("recompute", "none", "nothing is computed again", note=True)
    put("sequence_parallel", parallel, "with tensor parallelism", note=bool(parallel))
    if keys["sequence_parallel"].value and not parallel:
        reader.note("ignored", keys["sequence_parallel"].key, "there is no tensor parallelism")
        keys["sequence_parallel"] = Entry(Fraction(0), "follows", "no tensor parallelism", "", "")


def _world(reader: Reader, keys: Entries, devices: Entry | None) -> None:
    """Devices are dp × tp × cp × pp. Raises JobError."""
    product = keys["tp"].value * keys["cp"].value * keys["pp"].value
    if devices is None:
        if "dp" not in keys:
            raise reader.wrong("cluster.devices", None, "devices in all, or launch.dp")
        keys["devices"] = Entry(product * keys["dp"].value, "follows", "dp × tp × cp × pp", "", "")
        return
    keys["devices"] = devices
    if devices.value % product:
        raise refused(devices, f"a multiple of tp × cp × pp = {shown(product)}")
    replicas = devices.value / product
    if "dp" in keys and keys["dp"].value != replicas:
        hint = ""
        if keys["dp"].value * keys["ep"].value == replicas:
            hint = "; expert parallelism takes its ranks from these, it is no factor of the devices"
        text = f"devices / (tp × cp × pp) = {shown(devices.value)} / {shown(product)} = {shown(replicas)}"
        raise refused(keys["dp"], text + hint)
    keys["dp"] = Entry(replicas, "follows", "devices / (tp × cp × pp)", "", "")


def _batch(reader: Reader, keys: Entries, chosen: bool, whole_sequences: bool) -> None:
    """A step's batch is dp × micro-batches × micro-batch. Raises JobError."""
    many, each, replicas = keys.get("microbatches"), keys["microbatch"], keys["dp"].value
    if "batch" not in keys:
        if many is None:
            raise reader.wrong("launch.batch", None, "sequences of a step, or tokens such as '4M'")
        value = many.value * each.value * replicas
        keys["batch"] = Entry(value, "follows", "microbatches × microbatch × dp", "", "")
    entry = keys["batch"]
    value = batch(reader, entry, keys["sequence_length"].value)
    keys["batch"] = entry = Entry(value, entry.kind, entry.source, entry.file, entry.key)
    if not chosen:
        if many is not None and entry.kind != "follows":
            reader.note("ignored", many.key, "no layout is given, and a search chooses the micro-batches")
        return
    if not whole_sequences and value % replicas:
        value = _tokens_shared(reader, keys, value, replicas)
    if many is not None and each.kind == "assumed" and not value % (many.value * replicas):
        each = Entry(value / (many.value * replicas), "follows", "batch / (microbatches × dp)", "", "")
        keys["microbatch"] = each
    count = value / (each.value * replicas)
    if count.denominator != 1:
        text = f"a multiple of microbatch × dp = {shown(each.value)} × {shown(replicas)}"
        raise refused(entry, text)
    if many is not None and many.value != count:
        text = f"batch / (microbatch × dp) = {shown(value)} / ({shown(each.value)} × {shown(replicas)})"
        raise refused(many, f"{text} = {shown(count)}")


def _tokens_shared(reader: Reader, keys: Entries, batch: Fraction, replicas: Fraction) -> Fraction:
    """Without attention, tokens belong to no sequence: replicas share them evenly. The new batch."""
    entry, length = keys["batch"], keys["sequence_length"]
    tokens = batch * length.value
    if tokens % replicas:
        raise refused(entry, f"tokens that are a multiple of dp = {shown(replicas)}")
    shares = f"{shown(batch)} sequences of {shown(length.value)} tokens"
    text = (
        f"{shares} taken as {shown(replicas)} of {shown(tokens / replicas)}, one a replica: no attention"
    )
    reader.note("taken", entry.key, text)
    for key, value in (("batch", replicas), ("sequence_length", tokens / replicas)):
        keys[key] = Entry(value, "follows", text, keys[key].file, keys[key].key)
    return replicas


def _switches(keys: Entries) -> dict[str, Figure]:
    """ZeRO's stage as the letters that are 0 or 1."""
    zero = keys["zero"]
    given = {f"z_{stage}": int(zero.value >= stage) for stage in (1, 2, 3)}
    return {letter: _figure(letter, replace(zero, value=value)) for letter, value in given.items()}


def _again(reader: Reader, keys: Entries, model: Mapping[str, Fraction]) -> dict[str, Figure]:
    """What is computed again, as letters. Raises JobError for what the model has not."""
    said = keys["recompute"]
    try:
        found = recomputed_letters(said.value, model, bool(keys["flash_attention"].value))
    except UnknownError as error:
        raise refused(said, str(error)) from error
    for name, why in idle(said.value, model):
        reader.note("ignored", f"{said.key} {name}", why)
    return {letter: _figure(letter, replace(said, value=value)) for letter, value in found.items()}


def with_devices(said: Entry | None, cluster: Entry | None) -> Entry | None:
    """The devices that launch and cluster speak of, which must be the same. Raises JobError."""
    if said is None or cluster is None:
        return cluster or said
    return agree({"devices": cluster}, {"devices": said})["devices"]
