"""What a block loses and computes again, held against a tape that keeps less, and products run again."""

from collections.abc import Callable, Collection
from fractions import Fraction

import pytest
from awkward import LATENT, Values, awkward
from jobs import deepseek_v3, experts_64, llama3_8b
from looping import each

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.recomputed import letters
from workings.simulate.block_forward import Block, Experts, Mesh, run_block
from workings.simulate.block_policy import Discarding, EverySecond
from workings.simulate.block_tape import Tape

FFN = ("up", "gate", "hidden")


def at(job: Job, said: str) -> dict[str, Fraction]:
    """A job in which this is computed again."""
    model = job.values()
    return exactly(plan(), job.with_values(letters(said, model, flash=True)).values())


def on_tape(v: Values, tape: Callable[[], Tape], experts: bool = False) -> Fraction:
    """The block's forward on the fullest rank, on such a tape."""
    n = {letter: int(value) for letter, value in v.items() if value.denominator == 1}
    mixture = Experts(n["E"], n["k_E"], n["F_E"], n["E_s"], v["lambda"]) if experts else None
    block = Block(n["s"], n["b_m"], n["D"], n["H"], n["K"], n["d_h"], n["F"], True, mixture, v["a"],
                  dropout=False, flash=True)  # fmt: skip
    mesh = Mesh(n["t"], n["c"], bool(n["z_s"]))
    return max(run_block(block, mesh, rank, tape=tape()).bytes for rank in range(n["t"]))


@each("degree", [1, 2])
@each(
    "said, lost",
    [
        ("none", ()), ("layernorm", ("normed 1", "normed 2")), ("mlp_act", ("hidden",)), ("mlp", FFN),
        ("mlp, layernorm", (*FFN, "normed 1", "normed 2")),
    ],
)  # fmt: skip
def test_a_module_s_values_are_those_that_a_tape_without_them_lacks(
    said: str, lost: Collection[str], degree: int
) -> None:
    job = llama3_8b(t=degree, t_e=degree, z_s=int(degree > 1), s=64)
    v, none = at(job, said), at(job, "none")
    assert v["A_kept"] == on_tape(v, lambda: Discarding(lost))
    assert v["A_again"] - none["A_again"] == none["A_kept"] - v["A_kept"]  # one block holds them again


@each(
    "said, kept",
    [
        ("all but query, key, value", ("queries", "keys", "values")),
        ("all but query, value, context", ("queries", "values", "attention output", "log-sum-exp")),
        ("all but gate, up, middle", ("up", "gate", "sum")),
    ],
)
def test_a_policy_keeps_the_block_s_input_and_what_it_names(said: str, kept: Collection[str]) -> None:
    v = at(llama3_8b(t=1, t_e=1, z_s=0, s=64), said)
    names = {*kept, "block input"}
    assert v["A_kept"] == on_tape(v, lambda: Discarding(names, others=True))


def test_of_operations_every_second_product_is_lost() -> None:
    v = at(llama3_8b(t=1, t_e=1, z_s=0, s=64), "operations")
    assert v["A_kept"] == on_tape(v, lambda: EverySecond("block input"))


def test_of_operations_a_run_of_torchtitan_holds_what_its_source_was_read_to_keep() -> None:
    """By hand for benchmarks/validation/memory/torchtitan-8b.toml, of parallelize_llama.py, in bytes."""
    for said, outputs in (("operations", 2), ("compiled operations", 1)):
        v = at(llama3_8b(t=1, t_e=1, z_s=0, b_m=2), said)
        heads, group = v["H"] * v["d_h"], v["K"] * v["d_h"]
        values = outputs * v["D"] + 2 * heads + group + v["F"]
        assert v["A_kept"] == v["b_m"] * v["s"] * (v["a"] * values + 4 * v["H"])


def test_of_operations_what_reduce_scatters_gave_is_kept_with_the_product_before() -> None:
    v = at(llama3_8b(t=2, t_e=2, z_s=1, s=64), "operations")
    tokens, half = v["T_r"], v["T_r"] / 2
    values = [half * v["D"]]  # the block's input
    values += [half * v["H"] * v["d_h"], half * v["K"] * v["d_h"]]  # queries, values
    values += [half * v["H"] * v["d_h"], half * v["D"]]  # attention gave, and its reduce-scatter
    values += [half * v["F"], tokens * v["D"], half * v["D"]]  # gate, sum of a rank, its reduce-scatter
    assert v["A_kept"] == sum(2 * value for value in values) + 4 * half * v["H"]


def test_experts_lose_what_they_were_sent_and_make_of_it() -> None:
    job = experts_64(t_e=1, s=64)
    none = at(job, "none")
    tokens = none["T_r"] * none["k_E"] / none["t"]
    for said, columns in (("moe", none["D"] + 3 * none["F_E"]), ("moe_act", none["F_E"])):
        v = at(job, said)
        assert none["A_kept_x"] - v["A_kept_x"] == 2 * tokens * columns
        assert v["A_kept"] == none["A_kept"]  # a dense block has no experts


def test_what_comes_up_from_latents_is_lost_but_for_the_latents() -> None:
    none, v = (at(deepseek_v3(), said) for said in ("none", "mla_up_proj"))
    heads = v["H"] * (128 + 64) + v["H"] * (128 + 64) + v["H"] * 128
    assert none["A_kept_x"] - v["A_kept_x"] == 2 * v["T_r"] * (heads + 1536 + 512)


# Products of a block by name: how many multiplications a token takes.
def products(v: Values) -> dict[str, Fraction]:
    """Weights that a token is multiplied with, product by product."""
    heads, groups = v["H"] * v["d_h"], v["K"] * v["d_h"]
    ffn = dict.fromkeys(("gate", "up", "down"), v["D"] * v["F"])
    return {"query": v["D"] * heads, "key": v["D"] * groups, "value": v["D"] * groups,
            "answer": heads * v["D"], **ffn}  # fmt: skip


@each(
    "said, again, core",
    [
        ("mlp", ("gate", "up", "down"), False),
        ("operations", ("key", "answer", "up"), False),
        ("all but query, key, value", ("answer", "gate", "up"), True),
        ("all but query, key, value, context, middle", ("gate", "up"), False),
        ("layernorm", (), False),
        ("core_attn, mlp", ("gate", "up", "down"), True),
    ],
)
def test_the_products_of_what_is_lost_are_run_again(
    said: str, again: Collection[str], core: bool
) -> None:
    v = at(llama3_8b(t=1, t_e=1, z_s=0), said.replace("core_attn, mlp", "mlp, core_attn"))
    each_one = products(v)
    assert v["f_part"] == 2 * v["T_r"] * sum(each_one[name] for name in again)
    assert v["T_part"] == sum([
        v["f_part"] / (v["eta"] * v["C"]), v["e_part"] / (v["eta_m"] * v["W_m"]),
        v["T_core"] if core else 0,
    ])  # fmt: skip
    none = at(llama3_8b(t=1, t_e=1, z_s=0), "none")
    assert v["T_bwd"] - none["T_bwd"] == v["T_part"]


@pytest.mark.parametrize("changed", [{}, {"z_s": 0}, {"K": 8}, LATENT])
def test_a_block_that_loses_everything_is_one_computed_again_as_a_whole(changed: dict[str, int]) -> None:
    """But for parts that both ways count alike: what is read while weights are, and the row sums."""
    parts = awkward(**changed, **lost_all(changed), z_c=1)
    whole = awkward(**changed, z_f=1)
    kept = whole["A_kept"] + (parts["r_q"] + parts["r_kv"]) * parts["a"] * parts["T_r"] / parts["t_s"]
    latent_keys = parts["d_r"] * parts["a"] * parts["T_r"] / parts["t_s"]
    assert parts["A_kept"] == kept + latent_keys  # latents themselves have no letter
    assert parts["n_part"] <= 2 * (1 + whole["z_h"])
    assert parts["n_x"] == whole["n_x"]


def lost_all(changed: dict[str, int]) -> dict[str, int]:
    """Every value of a block."""
    del changed
    names = ("nrm", "mid", "lat", "qry", "key", "val", "ctx", "gat", "up", "act", "dwn", "tok", "hid",
             "xact", "xdn", "sha")  # fmt: skip
    return {f"r_{name}": 1 for name in names}


def test_messages_are_sent_again_for_what_they_bring() -> None:
    """Llama on two ranks with sequence parallelism: two gathers and two reductions a forward."""
    count = {said: at(llama3_8b(), said)["n_t"] for said in ("none", "mlp", "full", "operations")}
    assert count["mlp"] == count["none"] + 2  # gathered for the feed-forward, and its answer reduced
    assert count["full"] == count["none"] + 4
    assert count["operations"] == count["none"] + 2  # gathered for keys and for the way up
    experts = {said: at(experts_64(t_e=1), said)["n_x"] for said in ("none", "moe", "moe_act")}
    assert experts == {"none": 4, "moe": 6, "moe_act": 4}


def test_some_blocks_are_computed_again_and_the_others_keep_all() -> None:
    job = llama3_8b()
    none, some, full = (at(job, said) for said in ("none", "layers 8", "full"))
    for letter in ("A_kept", "T_again", "n_t"):
        assert some[letter] == (24 * none[letter] + 8 * full[letter]) / 32
    assert some["A_again"] == full["A_again"]
