"""A job as torchtitan's TOML (torchtitan/config/job_config.py, as it was read until February 2026)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from workings.planning.inputs.names import key_of
from workings.planning.inputs.options import job_from_options
from workings.planning.inputs.torchtitan import widths
from workings.planning.inputs.torchtitan_names import FLAVORS, HALVES
from workings.planning.inputs.unwritten import unwritten
from workings.planning.job import Job, JobError
from workings.planning.letters import MODEL
from workings.planning.recomputed import again, spelled
from workings.planning.working import listed

_NAMES = {
    "w_p": "master_width", "w_o": "moment_width", "w_g": "gradient_width", "w_c": "working_width",
    "a": "activation_width", "w": "gather_width", "g": "reduce_width", "w_l": "logit_width",
    "z_k": "keep_gradients", "z_u": "fused_operations",
}  # fmt: skip
Table = dict[str, str | int | bool]


def torchtitan_job(job: Job) -> str:
    """The TOML that `--torchtitan` reads back to the same layout, batch and precision.

    A comment says where the model is no flavor of torchtitan's. Raises JobError for what it cannot say.
    """
    expressible(job)
    n = job.values()
    flavor = _flavor(n)
    if flavor is not None and flavor[0] == "qwen3" and n["p"] > 1:
        raise _refused(job, "p", "a pipeline of Qwen3", "pp = 1")
    if flavor is None and n["v"] > 2:
        what = "more than two chunks a rank of a model that is none of its flavors"
        raise _refused(job, "v", what, "1 or 2")
    tables: dict[str, Table] = {
        "model": {} if flavor is None else dict(zip(("name", "flavor"), flavor, strict=True)),
        "training": _training(job, n), "parallelism": _parallelism(n),
        **_checkpointed(job, n),
    }  # fmt: skip
    comments = [f"# {said}\n" for said in _comments(job, n, flavor is None)]
    return "".join(comments) + "\n".join(_written(name, table) for name, table in tables.items() if table)


def expressible(job: Job) -> None:
    """Refuse what its keys cannot say, whatever the model. Raises JobError."""
    n = job.values()
    for letter, what, expected in unwritten(n):
        raise _refused(job, letter, what, expected)
    for bad, letter, what, expected in _unlike(n):
        if bad:
            raise _refused(job, letter, what, expected)
    for letter, own in _other(job, n).items():
        if job.figures[letter].kind == "given":
            raise _refused(job, letter, f"{_NAMES[letter]} other than its own", f"{own}")
    if n["p"] > 1 and -int(n["L"]) % int(n["p"] * n["v"]) > 2:
        what = f"{n['L']} blocks on {n['p']} stages of {n['v']} chunks"
        raise _refused(job, "p", what, "chunks of which all but the first and the last are as long")


def _unlike(n: dict[str, Fraction]) -> tuple[tuple[Fraction | bool, str, str, str], ...]:
    """Whether a job has what torchtitan has not, the letter of it, what is found and expected."""
    shards = n["n"] / (n["t"] * n["p"] * n["n_r"])  # of FSDP, context parallelism among them
    return (
        (n["z_s"] != (n["t"] > 1), "z_s", "tensor parallelism without sequence parallelism", "both"),
        (n["z_1"] and not n["z_2"], "z_1", "optimizer state that is sharded beside whole gradients",
         "zero = 0, 2 or 3"),
        (n["z_2"] and shards == 1, "z_2", "sharded state on one rank", "zero = 0"),
        (not n["z_2"] and n["c"] > 1, "c", "context parallelism beside whole gradients",
         "cp = 1, or zero = 2 or 3"),
        (n["x_off"], "x_off", "an optimizer whose state lies in part with the host", "0"),
        (n["k_nod"] and n["E"], "k_nod", "tokens that are sent once to each node", "0"),
        (not n["z_a"], "z_a", "attention that keeps its scores", "flash_attention = true"),
        (not n["o_d"], "o_d", "pipeline stages that vary faster along the ranks than replicas",
         "replicas before stages"),
        (n["g"] != 4, "g", "gradients reduced in other than four bytes", "4 byte"),
        (n["a"] not in HALVES.values(), "a", "activations of other than two or four bytes",
         "2 byte or 4 byte"),
        ((n["b"] * n["t"] * n["c"] * n["p"] / n["n"] / n["b_m"]).denominator != 1, "b",
         "a global batch that is no multiple of micro-batch × replicas", "such a multiple"),
        (n["E"] and n["t_e"] not in (1, n["t"]), "t_e",
         "experts' tensor parallelism other than 1 or all of it", f"1 or {n['t']}"),
        (n["c"] > 1 and n["s"] % (2 * n["t"] * n["c"]), "s",
         "sequences that are no multiple of 2 × TP × CP", f"a multiple of {2 * n['t'] * n['c']}"),
    )  # fmt: skip


def _checkpointed(job: Job, n: dict[str, Fraction]) -> dict[str, Table]:
    """What the backward computes again. Raises JobError where torchtitan cannot say so."""
    said = spelled(n)
    compiled: dict[str, Table] = {"compile": {"enable": True}} if _compiles(job, n) else {}
    if said in ("none", "full"):
        return {"activation_checkpoint": {"mode": said}, **compiled}
    option = "op" if said.endswith("operations") else _every(said, int(n["L"]))
    if not option:
        expected = "none, full, one of every so many blocks, or operations"
        raise _refused(job, "z_f", f"{again(n)} computed again", expected)
    return {"activation_checkpoint": {"mode": "selective", "selective_ac_option": option}, **compiled}


def _compiles(job: Job, n: dict[str, Fraction]) -> bool:
    """Whether blocks are compiled: what is merely assumed of their operations is not torchtitan's."""
    fused = n["z_u"] and job.figures["z_u"].kind != "assumed" and spelled(n) != "operations"
    return spelled(n).startswith("compiled") or bool(fused)


def _every(said: str, blocks: int) -> str:
    """Of how many blocks one is computed again, where that makes so many; nothing where none does."""
    many = int(said.split()[1]) if said.startswith("layers ") else 0
    every = blocks // many if many else 0
    return str(every) if every > 1 and blocks // every == many else ""


def _refused(job: Job, letter: str, what: str, expected: str) -> JobError:
    """By the file and key that the letter is from, or would be."""
    file, key = job.figures[letter].place
    where = ": ".join(filter(None, (file or job.name, key or f"launch.{key_of(letter) or letter}")))
    return JobError(f"{where}: found {what}, expected {expected}: torchtitan's job says no other")


def _other(job: Job, n: dict[str, Fraction]) -> dict[str, int]:
    """What torchtitan has otherwise than the job, as it has it: bytes of values, gradients kept."""
    own = {**widths(int(n["z_1"] + n["z_2"] + n["z_3"]), int(n["a"]), int(n["g"])), "keep_gradients": 0,
           "fused_operations": int(_compiles(job, n))}  # fmt: skip
    return {letter: own[name] for letter, name in _NAMES.items() if n[letter] != own[name]}


def _flavor(n: dict[str, Fraction]) -> tuple[str, str] | None:
    """The model's name and flavor, if it is one of torchtitan's."""
    for flavor, preset in FLAVORS.items():
        there = job_from_options(model=preset, gpu="h100-sxm", gpus=1, seq=1, global_batch=1).values()
        if all(n[letter] == there[letter] for letter in MODEL):
            return flavor
    return None


def _comments(job: Job, n: dict[str, Fraction], unnamed: bool) -> Iterator[str]:
    if unnamed:
        yield "torchtitan has no flavor of this model here: --model or --hf beside this file names it."
    if other := _other(job, n):
        named = listed(_NAMES[name] for name in other)
        yield f"Read back, torchtitan's own {named} take the place of what was assumed."


def _training(job: Job, n: dict[str, Fraction]) -> Table:
    """With a pipeline all micro-batches of a step are of one pass, without one is accumulated."""
    replicas = n["n"] / (n["t"] * n["c"] * n["p"])
    local = n["b"] / replicas if n["p"] > 1 else n["b_m"]
    found: Table = {
        "seq_len": int(n["s"]),
        "local_batch_size": int(local),
        "global_batch_size": int(n["b"]),
    }
    steps = n["T_tok"] / (n["b"] * n["s"])
    if job.figures["T_tok"].kind == "given":
        found["steps"] = ceil(steps)  # the last one is whole, too
    names = {size: name for name, size in HALVES.items()}
    return {**found, "mixed_precision_param": names[int(n["a"])], "mixed_precision_reduce": "float32"}


def _parallelism(n: dict[str, Fraction]) -> Table:
    """Degrees, sharding and the pipeline."""
    replicas = n["n"] / (n["t"] * n["c"] * n["p"])
    copies = n["n_r"] if n["z_2"] else replicas
    found: Table = {
        "data_parallel_replicate_degree": int(copies),
        "data_parallel_shard_degree": int(replicas / copies),
        "tensor_parallel_degree": int(n["t"]), "context_parallel_degree": int(n["c"]),
        "pipeline_parallel_degree": int(n["p"]),
    }  # fmt: skip
    if n["z_2"]:
        found["fsdp_reshard_after_forward"] = "always" if n["z_3"] else "never"
    if n["E"]:
        found |= {"expert_parallel_degree": int(n["e"]), "expert_tensor_parallel_degree": int(n["t_e"])}
    return found | (_pipeline(n) if n["p"] > 1 else {})


def _pipeline(n: dict[str, Fraction]) -> Table:
    first, last = _ends(n)
    found: Table = {
        "pipeline_parallel_microbatch_size": int(n["b_m"]),
        "pipeline_parallel_schedule": "Interleaved1F1B" if n["v"] > 1 else "1F1B",
        "pipeline_parallel_first_stage_less_layers": first,
        "pipeline_parallel_last_stage_less_layers": last,
    }
    if n["v"] > 1:
        found["pipeline_parallel_layers_per_stage"] = -(-int(n["L"]) // int(n["p"] * n["v"]))
    return found


def _ends(n: dict[str, Fraction]) -> tuple[int, int]:
    """Blocks that the first and the last stage have fewer than all others."""
    spare = -int(n["L"]) % int(n["p"] * n["v"])
    return (int(spare == 2), int(spare >= 1))


def _written(name: str, table: Table) -> str:
    lines = (f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {str(value).lower()}"
             for key, value in table.items())  # fmt: skip
    return "\n".join([f"[{name}]", *lines, ""])
