"""One reader of numbers: command line, reports, Python and files read what people type alike."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from workings import api
from workings.cli import main
from workings.errors import UserError
from workings.planning.inputs.options import job_from_options
from workings.scenario import load_scenario
from workings.scenario.keys import QUANTITIES
from workings.units import CURRENCY, ONE, SECOND, example_of, parse_quantity, parse_unit
from workings.values.desk import Desk
from workings.values.settings import quantity
from workings.vocabulary import concepts

RUN = {"seq": 8192, "global_batch": 64}

SAME = {
    70 * 10**9: (
        "70_000_000_000",
        "70,000,000,000",
        "70000000000",
        "7e10",
        "70B",
        "70 B",
        "0.07T",
        "70G",
    ),
    15 * 10**12: ("15T", "15 T", "15e12", "15_000_000_000_000", "15000B", "15000000M", "1.5e13"),
    1500: ("1.5k", "1.5 K", "1_500", "1,500", "1500", "1.5e3"),
}
FILE = """
[model]
preset = "llama3-8b"
[hardware]
preset = "h100-sxm"
[training]
batch = 64
sequence_length = 8192
training_tokens = {}
"""


def test_a_number_is_the_same_however_it_is_typed() -> None:
    for number, texts in SAME.items():
        for text in texts:
            assert parse_quantity(text, ONE).value == number, text
    assert parse_quantity(".5 GB").value == 5 * 10**8
    assert parse_quantity("40 %", ONE).value == Fraction(2, 5)
    assert parse_quantity("2.788M h").value == 2_788_000 * 3600
    assert parse_quantity("5 M USD").value == 5 * 10**6


def test_every_door_reads_the_same(tmp_path: Path) -> None:
    """The cost of a run of P parameters and T tokens, once through each way in."""
    rest = {"u": "40 %", "C": "1 PFLOP/s", "c_d": "1 USD/h"}
    cost = Fraction(6 * 70 * 10**9 * 15 * 10**12, 400 * 10**12) / 3600
    words = " ".join(f"{name}='{text}'" for name, text in rest.items())
    pairs = [word for name, text in rest.items() for word in ("--set", f"{name}={text}")]
    printed = CliRunner().invoke(
        main, ["value", "training-cost", *pairs, "--set", "P=70e9", "--set", "T_tok=15e12"]
    )
    for parameters, tokens in zip(SAME[70 * 10**9], SAME[15 * 10**12], strict=False):
        given = {**rest, "P": parameters, "T_tok": tokens}
        assert api.value("training-cost", set=given).value == cost, (parameters, tokens)
        text = f"training-cost P='{parameters}' T_tok='{tokens}' {words}"
        assert Desk(None).measure(text).value == cost, text
        shown = CliRunner().invoke(main, ["value", "training-cost", *pairs, "--set", f"P={parameters}",
                                          "--set", f"T_tok={tokens}"])  # fmt: skip
        assert (shown.exit_code, shown.output) == (0, printed.output), (parameters, tokens)
    for tokens in SAME[15 * 10**12]:
        bare = tokens if tokens.isdigit() else f'"{tokens}"'
        (tmp_path / "run.toml").write_text(FILE.format(bare), encoding="utf-8")
        found = load_scenario(tmp_path / "run.toml")
        assert found.values["training.training_tokens"].value == 15 * 10**12, tokens
        assert load_scenario("llama3-8b-8", {"T_tok": "1", "training_tokens": tokens}).values[
            "training.training_tokens"].value == 15 * 10**12, tokens  # fmt: skip
        for settings, option in (({}, tokens), ({"training_tokens": tokens}, "1T")):
            job = job_from_options(
                settings, model="llama3-8b", gpu="h100-sxm", gpus=8, tokens=option, **RUN
            )
            assert job.values()["T_tok"] == 15 * 10**12, tokens


def test_a_sequence_of_8k_tokens_has_8192_wherever_it_is_said() -> None:
    scenario = load_scenario("llama3-8b-8", {"sequence_length": "8k"})
    job = job_from_options(model="llama3-8b", gpu="h100-sxm", gpus=8, seq="8k", global_batch=64)
    assert scenario.values["training.sequence_length"].value == job.values()["s"] == 8192
    cores = {
        text: api.value("attention-core-flops", "llama3-8b-8", {"s": text}).value
        for text in ("8k", "8192")
    }
    assert cores["8k"] == cores["8192"]


def test_a_time_is_read_in_the_words_that_people_type() -> None:
    day = 86400
    for text in ("90 d", "90d", "90 days", "90 day", "2160 h", "2160 hours", "129600 minutes"):
        assert parse_quantity(text, SECOND).value == 90 * day, text
    assert parse_quantity("2 USD/hour").value == parse_quantity("2 USD/h").value
    with pytest.raises(UserError, match="found 'd'"):
        parse_unit("d")  # on a page it is a letter


def test_dollars_are_read_by_their_sign() -> None:
    for text in ("2 $/h", "2$/h", "2 USD/h", "2 $/hour"):
        assert parse_quantity(text).value == Fraction(2, 3600), text
    assert parse_quantity("5 M $", CURRENCY).value == parse_quantity("5M $").value == 5_000_000
    given = {"decode_devices": 4, "token_rate": "1000 1/s"}
    cost = api.value("million-tokens-cost", set={**given, "price": "3.6 $/h"})
    assert cost.value == 4  # 4 devices, 1,000 s at a tenth of a cent a second
    key = load_scenario("h100-sxm", {"price": "2 $/h"}).values["hardware.price"]
    assert key.value == Fraction(2, 3600)
    with pytest.raises(UserError, match=r"found '\$', expected a unit"):
        parse_unit("$")  # on a page it begins a formula


def test_the_example_of_a_refusal_is_in_the_dimension_that_is_asked_for() -> None:
    """Every figure of a scenario, and every concept with a dimension, given a bare 7."""
    asked = [concept for concept in concepts() if concept.dimension != ONE]
    assert len(asked) > 20
    for concept in asked:
        example = example_of(concept.dimension)
        assert parse_quantity(example, concept.dimension).dimension == concept.dimension, concept.name
        for bad in ("7", "x"):
            with pytest.raises(UserError, match=re.escape(f"such as '{example}'")):
                quantity(concept.name, bad, concept.dimension, concept.domain)
    for key, dimension in QUANTITIES.items():
        for bad in ("7", "x", "7 min" if dimension != SECOND else "7 GB"):
            with pytest.raises(UserError, match=re.escape(f"such as '{example_of(dimension)}'")):
                load_scenario("gpt3-512", {key: bad})


def test_a_suffix_that_stands_for_1024_is_said() -> None:
    found = api.value("attention-core-flops", "llama3-8b-8", {"s": "8k"})
    assert found.notices[-1] == "s=8k is read as 8,192, by powers of 1,024."
    assert api.value("attention-core-flops", "llama3-8b-8", {"s": "8192"}).notices == ()


def test_what_may_mean_two_things_is_refused_with_what_to_write() -> None:
    for entry, setting, said in (
        ("fsdp-smallest-n", "M_max=15M", "found '15M', expected its unit too, such as MB"),
        ("fsdp-smallest-n", "M_max=80", "expected a quantity in byte"),
        (
            "logits-flops",
            "B=4M",
            "found '4M', expected the number written out: M may stand for a power of",
        ),
        (
            "logits-flops",
            "V=128k",
            "found '128k', expected the number written out: k may stand for a power of 1,000 or of "
            "1,024, 128,000 or 131,072",
        ),
        ("training-time", "u=5 m", "found 'm', expected min for minutes, ms for milliseconds or M for"),
        ("training-cost", "P=70GB", "found '70GB', expected a plain number"),
        ("training-cost", "P=7_0", "found '7_0', expected a number"),
    ):
        name, _, text = setting.partition("=")
        with pytest.raises(UserError) as error:
            api.value(entry, set={name: text})
        assert said in str(error.value), setting
