"""The public functions: the command line's commands from Python, loaded when first used."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from documents import run, source_in

import workings

SRC = Path(workings.__file__).parents[1]


def test_every_public_name_exists_and_no_other_does() -> None:
    for name in workings.__all__:
        assert getattr(workings, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        workings.nosuch  # noqa: B018 - the access is the test


def test_a_notebook_completes_the_public_names() -> None:
    assert set(dir(workings)) == set(workings.__all__)
    assert {"find", "plan", "lint", "sweep", "review", "value"} <= set(dir(workings))


def test_settings_may_be_numbers() -> None:
    as_number = workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": 156})
    assert as_number.value == workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": "156"}).value
    with pytest.raises(workings.UserError, match=r"^set: found 'N=156', expected a dictionary"):
        workings.value("fsdp-memory", at="xxl-220b", set="N=156")  # type: ignore[arg-type]


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, workings; print([m for m in sys.modules if m.startswith('workings.')])"
    ran = subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(SRC)},
    )  # fmt: skip
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("name", workings.__all__)
def test_any_name_may_be_the_first_one_used(name: str) -> None:
    """A function is not shadowed by a module of its name, whatever was imported before."""
    code = (
        f"import workings; first = workings.{name}; "
        "import workings.cli, workings.api; "
        f"assert workings.{name} is first and (callable(first) or isinstance(first, type))"
    )
    subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(SRC)}
    )


def test_functions_give_what_commands_print() -> None:
    value = workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": "156"})
    assert value.value == Fraction(1_233_477_697_536, 13)
    shown = run("value", "fsdp-memory", "--at", "xxl-220b", "--set", "N_fsdp=156").stdout
    assert f"≈ {value.shown}\n" in shown
    assert workings.show("fsdp-memory") + "\n" == run("show", "fsdp-memory").stdout
    assert workings.show("fsdp-memory", "md") == run("show", "fsdp-memory", "--format", "md").stdout
    for id_ in workings.list_ids("memory"):
        assert f"  {id_} " in run("list", "memory").stdout


def test_a_scenario_may_be_loaded_once_and_used_often() -> None:
    scenario = workings.load_scenario("xxl-220b")
    at_once = workings.value("model-state", at="xxl-220b").value
    assert workings.value("model-state", at=scenario).value == at_once


def test_solve_gives_exact_values_on_both_sides() -> None:
    found = workings.solve("fsdp-memory", "< 95 GB", letter="N_fsdp", at="xxl-220b")
    assert found.at == 156
    assert found.value_at is not None
    assert found.value_before is not None
    assert found.value_at < 95 * 10**9 <= found.value_before


def test_errors_are_user_errors_in_one_sentence() -> None:
    with pytest.raises(workings.UserError, match=r"^no derivation 'nosuch', see `workings list`$"):
        workings.value("nosuch")
    with pytest.raises(workings.UserError, match="--format: found 'doc'"):
        workings.report("nosuch", "out", "doc")


def test_a_report_is_written_where_it_is_told(tmp_path: Path) -> None:
    path = source_in(tmp_path, "{value}`model-state`\n")
    written = workings.report(str(path), tmp_path / "out", "md")
    assert [p.name for p in written] == ["report.md"]
    assert written[0].read_text(encoding="utf-8").endswith("3,518 GB\n")
