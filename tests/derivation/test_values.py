"""Every value the 220B report must meet, to the printed digits.

The figures were computed independently of this code (issue 2); the scenario is the preset.
"""

from fractions import Fraction

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import evaluate, parse_expression, plain
from workings.formula.interval import rational
from workings.scenario import load_scenario
from workings.units import Format, parse_quantity, parse_unit, show
from workings.values.binding import bind
from workings.values.solving import solve
from workings.values.worked import letter_values, work

SCENARIO = "xxl-220b"
TO_CENTS = Format(decimals=2)


def value(id_: str, style: Format | None = None, /, **settings: str) -> str:
    """A result at the preset, as printed."""
    what = catalogue.get(id_)
    scenario = load_scenario(SCENARIO, settings)
    return str(work(what, scenario, settings, style).shown)


def exact(id_: str, /, **settings: str) -> Fraction:
    what = catalogue.get(id_)
    return work(what, load_scenario(SCENARIO, settings), settings).value


# --- (a) one device -----------------------------------------------------------------------------


def test_parameters() -> None:
    assert value("ffn-parameters") == "219,848,638,464"


def rows(id_: str) -> dict[str, Fraction]:
    """The rows of a ledger, in bytes."""
    what = catalogue.get(id_)
    bound = bind(what, load_scenario(SCENARIO))
    known = {**bound.values, **letter_values(what, bound)}
    return {row.name: rational(evaluate(row.per_rank, known)) for row in what.ledger}


def test_state_in_fp32_row_by_row_and_in_total() -> None:
    state = rows("model-state")
    state["moments"] = state.pop("first moments") + state.pop("second moments")
    in_gb = {name: str(show(v, parse_unit("GB"), TO_CENTS)) for name, v in state.items()}
    assert in_gb == {"weights": "879.39 GB", "gradients": "879.39 GB", "moments": "1,758.79 GB"}
    assert value("model-state", TO_CENTS) == "3,517.58 GB"
    assert value("model-state", Format(units=("GiB",))) == "3,276 GiB"
    assert exact("model-state") == sum(state.values()) == Fraction(3276) * 2**30


def test_activations_saved_for_backward() -> None:
    assert exact("saved-activations", tokens="1") == 17_547_264
    assert value("saved-activations", Format(decimals=3)) == "143.747 GB"
    assert sum(rows("saved-activations").values()) == exact("saved-activations")


def test_gradients_in_bf16_economise_what_the_seed_calls_saved() -> None:
    assert value("bf16-gradient-saving", TO_CENTS) == "439.70 GB"


@pytest.mark.parametrize(
    ("memory", "devices"), [("80 GB", "44"), ("80 GiB", "41"), ("85,520,809,984 byte", "42")]
)
def test_devices_that_hold_the_state(memory: str, devices: str) -> None:
    assert value("devices-for-state", M_max=memory) == devices


def test_44_devices_of_80_gb_are_nearly_full() -> None:
    assert f"{float(exact('model-state') / (80 * 10**9)):.2f}" == "43.97"


# --- (b) sharded states -------------------------------------------------------------------------


def test_memory_of_a_device_is_the_sharded_part_and_half_the_activations() -> None:
    assert plain(catalogue.get("fsdp-memory").result) == "(S + A/2)/N + A/2"


@pytest.mark.parametrize(("devices", "memory"), [("155", "95.03 GB"), ("156", "94.88 GB")])
def test_memory_on_either_side_of_the_limit(devices: str, memory: str) -> None:
    assert value("fsdp-memory", TO_CENTS, N_fsdp=devices) == memory


@pytest.mark.parametrize(
    ("settings", "smallest"),
    [
        ({}, "156"),
        ({"S": "3520 GB", "A": "144 GB"}, "157"),
        ({"M_max": "95 GiB"}, "120"),
        ({"A": "0 GB"}, "38"),
    ],
)
def test_the_smallest_number_of_devices(settings: dict[str, str], smallest: str) -> None:
    assert value("fsdp-smallest-n", **settings) == smallest


@pytest.mark.parametrize(
    ("condition", "settings", "smallest"),
    [
        ("< 95 GB", {}, 156),
        ("< 95 GB", {"S": "3520 GB", "A": "144 GB"}, 157),
        ("< 95 GiB", {}, 120),
        ("< 95 GB", {"A": "0 GB"}, 38),
        ("< 71.9 GB", {}, 135_930),
        ("< 71.87 GB", {}, None),
    ],
)
def test_solving_finds_the_same_number(
    condition: str, settings: dict[str, str], smallest: int | None
) -> None:
    what = catalogue.get("fsdp-memory")
    found = solve(what, condition, "N_fsdp", load_scenario(SCENARIO), settings)
    assert found.at == smallest
    limit = parse_quantity(condition.removeprefix("< ")).value
    if smallest is None:
        assert found.why == "A/2 stays whatever N is"
    else:
        assert found.value_at is not None
        assert found.value_before is not None
        assert found.value_at < limit <= found.value_before


def test_no_number_of_devices_is_enough_once_half_the_activations_exceed_the_limit() -> None:
    half = exact("saved-activations") / 2
    assert 71.87 * 10**9 < half < 71.9 * 10**9
    for id_ in ("fsdp-smallest-n", "fsdp-fits"):
        with pytest.raises(DoesNotApplyError, match="needs M_max > A/2"):
            value(id_, M_max="71.87 GB")


def test_156_devices_leave_no_room_for_the_block_that_is_computed() -> None:
    left = 95 * 10**9 - exact("fsdp-memory", N_fsdp="156")
    assert str(show(left, parse_unit("GB"), TO_CENTS)) == "0.12 GB"
    one_block = Fraction(2 * 2 * 16384 * 53248)  # two matrices in BF16
    assert left < one_block
    assert exact("fsdp-working-set") == 3 * one_block
    assert value("fsdp-working-smallest-n") == "284"


def test_284_devices_are_the_first_with_room_for_two_blocks_and_a_gradient() -> None:
    working, limit = exact("fsdp-working-set"), 95 * 10**9
    assert exact("fsdp-memory", N_fsdp="284") + working < limit
    assert exact("fsdp-memory", N_fsdp="283") + working >= limit


# --- (c) the forward pass on 16 × 4 -------------------------------------------------------------


def test_the_large_ring_model_of_a_block() -> None:
    at: dict[str, Fraction | int] = {
        "B": 8192, "D": 16384, "F": 53248, "X": 16, "Y": 4,
        "W": 18 * 10**10, "C": 46 * 10**13, "M_X": 2, "M_Y": 1,
    }  # fmt: skip
    for id_, formula in [
        ("mesh-compute-time", "4*B*D*F/(X*Y*C)"),
        ("mesh-gather-time-large", "4*D*F/(Y*W*M_X)"),
        ("mesh-tensor-time-large", "4*B*D/(X*W*M_Y)"),
    ]:
        assert exact(id_) == evaluate(parse_expression(formula), at)


@pytest.mark.parametrize(
    ("id_", "printed"),
    [
        ("compute-bound-batch-max", "20,444.4"),
        ("smallest-batch-max", "20,445"),
        ("compute-bound-batch-per-shard", "1,277.8"),
        ("compute-bound-batch-per-chip", "319.4"),
        ("tensor-parallel-needs-d-ff", "10,222.2"),
        ("compute-bound-batch-sum", "25,301.7"),
        ("smallest-batch-sum", "25,302"),
        ("compute-bound-batch-max-exact", "19,166.7"),
        ("compute-bound-batch-sum-exact", "22,390.5"),
        ("compute-bound-sequences", "10"),
        ("compute-bound-sequences-per-shard", "16"),
    ],
)
def test_thresholds_of_the_given_mesh(id_: str, printed: str) -> None:
    assert value(id_) == printed


def test_a_whole_sequence_on_every_shard_is_one_sequence_a_shard() -> None:
    assert exact("compute-bound-sequences-per-shard") / 16 == 1
    assert exact("compute-bound-batch-per-shard") < 2048


# --- (c) the best mesh for 64 chips -------------------------------------------------------------


def test_the_best_real_mesh() -> None:
    assert value("best-mesh-batch-max") == "3,924.8"
    assert value("best-mesh-batch-sum") == "15,699.2"
    assert value("best-mesh-degree", Format(digits=3), B="3925") == "3.07"
    a_chip = exact("best-mesh-batch-max") / 64
    assert str(show(a_chip, parse_unit("1"), Format(digits=3))) == "61.3"


def thresholds(id_: str) -> dict[tuple[int, int], Fraction]:
    """The threshold on every mesh of 64 chips where it applies."""
    found = {}
    for x in (1, 2, 4, 8, 16, 32, 64):
        try:
            found[x, 64 // x] = exact(id_, X=str(x), Y=str(64 // x))
        except DoesNotApplyError:
            continue
    return found


@pytest.mark.parametrize(
    ("id_", "mesh", "printed"),
    [
        ("compute-bound-batch-max", (4, 16), "5,111.1"),
        ("compute-bound-batch-sum", (8, 8), "16,593.1"),
    ],
)
def test_the_best_mesh_that_exists(id_: str, mesh: tuple[int, int], printed: str) -> None:
    found = thresholds(id_)
    assert min(found, key=lambda m: found[m]) == mesh
    assert value(id_, X=str(mesh[0]), Y=str(mesh[1])) == printed
    assert set(found) == {(4, 16), (8, 8), (16, 4), (32, 2), (64, 1)}


@pytest.mark.parametrize("x", [1, 2])
@pytest.mark.parametrize("id_", ["compute-bound-batch-max", "compute-bound-batch-sum"])
def test_with_two_shards_or_fewer_tensor_parallelism_is_the_bound(id_: str, x: int) -> None:
    with pytest.raises(DoesNotApplyError, match=r"needs F > a\*Y\*C"):
        value(id_, X=str(x), Y=str(64 // x))


# --- (c) times of a forward pass ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "printed"),
    [
        ("forward-compute-time", "0.4894 s"),
        ("forward-tensor-time", "0.0940 s"),
    ],
)
def test_times_of_all_blocks_for_16_sequences(id_: str, printed: str) -> None:
    assert value(id_, Format(decimals=4), batch="16") == printed


def test_gathering_weights_takes_as_long_whatever_the_batch() -> None:
    assert value("forward-gather-time", Format(decimals=4)) == "0.3053 s"


def test_compute_outlasts_the_slower_transfer_by_three_fifths() -> None:
    assert value("compute-to-transfer", TO_CENTS, batch="16") == "1.60"
    ratio = exact("forward-compute-time", batch="16") / exact("forward-gather-time")
    assert exact("compute-to-transfer", batch="16") == ratio


def test_the_smallest_batch_is_where_compute_starts_to_outlast_the_transfers() -> None:
    before, there = (exact("compute-to-transfer", tokens=n) for n in ("20444", "20445"))
    assert before < 1 < there


# --- (d) techniques -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id_", "settings", "printed"),
    [
        ("accumulation-batch", {"m": "4"}, "81,777.8"),
        ("accumulation-activations", {"m": "4"}, "35.94 GB"),
        ("compute-bound-batch-max", {"w": "1 byte"}, "10,222.2"),
        ("saved-activations", {"a": "1 byte"}, "71.87 GB"),
        ("recompute-overhead", {"k": "21"}, "1.333"),
        ("pipeline-bubble", {"p": "6", "m": "24"}, "0.2083"),
        ("checkpoint-memory", {"k": "21"}, "12.21 GB"),
    ],
)
def test_what_each_technique_does_to_this_model(id_: str, settings: dict[str, str], printed: str) -> None:
    assert value(id_, **settings) == printed


def test_21_segments_are_the_best_that_divide_the_blocks() -> None:
    held = {k: exact("checkpoint-memory", k=str(k)) for k in range(1, 127) if 126 % k == 0}
    assert min(held, key=lambda k: held[k]) == 21
