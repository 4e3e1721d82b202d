"""Where nothing fits, an error says what comes nearest and which changes would let a layout fit."""

import re
from fractions import Fraction
from itertools import product

import jobs
import pytest
from click.testing import CliRunner

from workings.cli import main
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.nearest import nearest, nearest_in_short
from workings.planning.search import Wishes, lightest, search
from workings.planning.space import space

FEW = {"c": [1], "e": [1], "t_e": [1], "v": [1], "b_m": [1, 2]}


def small(devices: int = 8) -> Job:
    """A job of few layouts, which can be gone through one by one."""
    return jobs.llama3_8b().with_values({"n": Fraction(devices), "b": Fraction(16)})


def test_the_lightest_layout_is_the_least_of_all_counted_one_by_one() -> None:
    job, wishes = small(), Wishes(only=FEW)
    where = space(job, FEW)
    letters = [axis.letters for axis in (*where.tied, *where.free)]
    found = []
    for values in product(*(axis.values for axis in (*where.tied, *where.free))):
        layout = dict(zip(sum(letters, ()), sum(values, ()), strict=True))
        if where.allows(layout):
            given = job.values() | {name: Fraction(value) for name, value in layout.items()}
            found.append(exactly(plan(), given, ["M"])["M"])
    least, tally = lightest(job, plan(), wishes)
    assert least.values["M"] == min(found)
    assert tally.valid == len(found)


def test_the_miss_is_a_share_of_what_may_be_used() -> None:
    job, tight = small(), Wishes(limit=Fraction(1, 100))
    assert not search(job, plan(), tight).best
    least, _ = lightest(job, plan(), tight)
    said = nearest(job, plan(), tight)
    times = float(least.values["M"] / (job.values()["M_dev"] / 100))
    assert f"takes {float(least.values['M'] / 10**9):.2f} GB, {times:.1f} times that" in said
    assert "no layout fits 1 % of the memory (855.2 MB)" in said
    assert f"{times:.1f} times the limit" in nearest_in_short(job, plan(), tight)


def test_the_lightest_is_named_by_all_that_makes_it_light() -> None:
    job, tight = (
        jobs.experts_64(),
        Wishes(limit=Fraction(1, 10**4), only={"t": [2], "t_e": [1], "v": [2]}),
    )
    said = nearest(job, plan(), tight)
    assert "TP 2 · " in said
    assert " · ETP 1" in said  # nothing said, a launch splits experts as it does the rest
    for words in ("2 chunks a rank", "ZeRO stage ", "blocks computed again"):
        assert words in said


def test_the_number_of_devices_that_helps_is_the_first_doubling_at_which_one_fits() -> None:
    job = jobs.llama3_405b().with_values({"n": Fraction(32), "b": Fraction(512)})
    [devices] = re.findall(r"one fits with ([0-9,]+) devices", nearest(job, plan()))
    enough = int(devices.replace(",", ""))
    for number in (enough // 2, enough):
        found = search(job.with_values({"n": Fraction(number)}), plan(), Wishes(number=1))
        assert bool(found.best) == (number == enough)


def test_a_restriction_that_shuts_out_all_that_fits_is_named() -> None:
    job = jobs.llama3_8b()
    shut = Wishes(only={"zero": ["0"], "p": [1], "t": [1]}, limit=Fraction(1, 2))
    said = nearest(job, plan(), shut)
    assert not search(job, plan(), shut).best
    for name, key in (("zero", "zero"), ("p", "pp"), ("t", "tp")):
        others = {axis: values for axis, values in (shut.only or {}).items() if axis != name}
        helps = bool(search(job, plan(), shut._replace(only=others, number=1)).best)
        assert (f"another {key} than" in said) == helps
    assert "another zero than 0" in said


def test_where_nothing_helps_it_says_so() -> None:
    said = nearest(small(), plan(), Wishes(limit=Fraction(1, 10**4)))
    assert "none fits with 16 times the devices or the optimizer state with the host either" in said


def test_the_host_is_named_where_its_share_lets_one_fit() -> None:
    job = jobs.llama3_405b().with_values({"n": Fraction(64), "b": Fraction(512)})
    away = job.with_values({"x_off": Fraction(1)})
    helps = bool(search(away, plan(), Wishes(number=1)).best)
    assert ("(offload_optimizer = 1)" in nearest(job, plan())) == helps
    assert helps


@pytest.mark.parametrize("more", [(), ("--format", "json"), ("--megatron-arguments",)])
def test_the_command_says_it_in_one_sentence_and_exits_2(more: tuple[str, ...]) -> None:
    line = (
        "--model",
        "llama3-70b",
        "--gpu",
        "h100-sxm",
        "--gpus",
        "8",
        "--per-node",
        "8",
        "--seq",
        "8192",
    )
    made = CliRunner().invoke(main, ["plan", *line, "--global-batch", "64", *more])
    assert made.exit_code == 2
    assert len(made.output.splitlines()) == 1
    assert re.search(
        r"of [0-9,]+ the lightest, [TCPD]P \d.* with .*, takes .* one fits with", made.output
    )
