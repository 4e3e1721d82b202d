"""A job as torchtitan's TOML (torchtitan/config/job_config.py, as it was read until February 2026)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from workings.planning.inputs.options import job_from_options
from workings.planning.inputs.torchtitan import widths
from workings.planning.inputs.torchtitan_names import FLAVORS, HALVES
from workings.planning.inputs.unwritten import unwritten
from workings.planning.job import Job, JobError
from workings.planning.letters import MODEL
from workings.planning.recomputed import again, spelled

_NAMES = {
    "w_p": "master_width", "w_o": "moment_width", "w_g": "gradient_width", "w_c": "working_width",
    "a": "activation_width", "w": "gather_width", "g": "reduce_width", "w_l": "logit_width",
    "z_k": "keep_gradients",
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
        raise _refused("a pipeline of Qwen3")
    if flavor is None and n["v"] > 2:
        raise _refused("more than two chunks a rank of a model that is none of its flavors")
    tables: dict[str, Table] = {
        "model": {} if flavor is None else dict(zip(("name", "flavor"), flavor, strict=True)),
        "training": _training(job, n), "parallelism": _parallelism(n),
        **_checkpointed(n),
    }  # fmt: skip
    comments = [f"# {said}\n" for said in _comments(job, n, flavor is None)]
    return "".join(comments) + "\n".join(_written(name, table) for name, table in tables.items() if table)


def expressible(job: Job) -> None:
    """Refuse what its keys cannot say, whatever the model. Raises JobError."""
    n = job.values()
    shards = n["n"] / (n["t"] * n["p"] * n["n_r"])  # of FSDP, context parallelism among them
    for bad, what in (
        (n["z_s"] != (n["t"] > 1), "tensor parallelism without sequence parallelism"),
        (n["z_1"] and not n["z_2"], "optimizer state that is sharded beside whole gradients"),
        (n["z_2"] and shards == 1, "sharded state on one rank"),
        (not n["z_2"] and n["c"] > 1, "context parallelism beside whole gradients"),
        *((True, what) for what in unwritten(n)),
        (n["x_off"], "an optimizer whose state lies in part with the host"),
        (not n["z_a"], "attention that keeps its scores"),
        (not n["o_d"], "pipeline stages that vary faster along the ranks than replicas"),
        (n["g"] != 4, "gradients reduced in other than four bytes"),
        (n["a"] not in HALVES.values(), "activations of other than two or four bytes"),
        ((n["b"] * n["t"] * n["c"] * n["p"] / n["n"] / n["b_m"]).denominator != 1,
         "a global batch that is no multiple of micro-batch × replicas"),
        (n["E"] and n["t_e"] not in (1, n["t"]), "experts' tensor parallelism other than 1 or all of it"),
        (n["c"] > 1 and n["s"] % (2 * n["t"] * n["c"]), "sequences that are no multiple of 2 × TP × CP"),
    ):  # fmt: skip
        if bad:
            raise _refused(what)
    given = [name for name in _other(job, n) if job.figures[name].kind == "given"]
    if given:
        raise _refused(f"{', '.join(_NAMES[name] for name in given)} other than its own")
    _ends(n)


def _checkpointed(n: dict[str, Fraction]) -> dict[str, Table]:
    """What the backward computes again. Raises JobError where torchtitan cannot say so."""
    said = spelled(n)
    if said in ("none", "full"):
        return {"activation_checkpoint": {"mode": said}}
    option = "op" if said.endswith("operations") else _every(said, int(n["L"]))
    if not option:
        raise _refused(f"{again(n)} computed again")
    compiled: dict[str, Table] = {"compile": {"enable": True}} if said.startswith("compiled") else {}
    return {"activation_checkpoint": {"mode": "selective", "selective_ac_option": option}, **compiled}


def _every(said: str, blocks: int) -> str:
    """Of how many blocks one is computed again, where that makes so many; nothing where none does."""
    many = int(said.split()[1]) if said.startswith("layers ") else 0
    every = blocks // many if many else 0
    return str(every) if every > 1 and blocks // every == many else ""


def _refused(what: str) -> JobError:
    return JobError(f"torchtitan's job: found {what}, expected what its keys can say")


def _other(job: Job, n: dict[str, Fraction]) -> list[str]:
    """What torchtitan has otherwise than the job: bytes of values, and gradients that are kept."""
    own = {**widths(int(n["z_1"] + n["z_2"] + n["z_3"]), int(n["a"]), int(n["g"])), "keep_gradients": 0}
    return [letter for letter, name in _NAMES.items() if n[letter] != own[name]]


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
        named = " and ".join(_NAMES[name] for name in other)
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
    """Blocks that the first and the last stage have fewer than all others. Raises JobError."""
    stages = int(n["p"] * n["v"])
    spare = -int(n["L"]) % stages
    if n["p"] > 1 and spare > 2:
        raise _refused(f"{n['L']} blocks on {n['p']} stages of {n['v']} chunks")
    return (int(spare == 2), int(spare >= 1))


def _written(name: str, table: Table) -> str:
    lines = (f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {str(value).lower()}"
             for key, value in table.items())  # fmt: skip
    return "\n".join([f"[{name}]", *lines, ""])
