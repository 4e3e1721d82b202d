"""`plan` from Python: layouts with units, restrictions, and the sentences of the command."""

import json
from typing import Any

import pytest
from documents import run

import workings
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import job_from_options
from workings.planning.search import Objective
from workings.results.planned import PlanResult

LINE: dict[str, Any] = {
    "model": "llama3-8b",
    "gpu": "h100-sxm",
    "gpus": 8,
    "per_node": 8,
    "seq": 8192,
    "global_batch": 64,
}
WORDS = [word for name, value in LINE.items() for word in (f"--{name.replace('_', '-')}", str(value))]


@pytest.fixture(scope="module")
def planned() -> PlanResult:
    return workings.plan(**LINE)


def test_the_command_prints_the_same_data_and_the_same_table(planned: PlanResult) -> None:
    assert json.loads(run("plan", *WORDS, "--format", "json").stdout) == planned.to_dict()
    assert run("plan", *WORDS).stdout == str(planned)


def test_a_layout_comes_to_what_the_cost_model_says_of_it(planned: PlanResult) -> None:
    for layout in planned.layouts[:3]:
        job = job_from_options({name: str(v).lower() for name, v in layout.settings.items()}, **LINE)
        values = exactly(plan(), job.values(), ["M", "T_step", "u", "d"])
        assert layout.dp == values["d"]
        assert (layout.memory, layout.step_time, layout.mfu) == tuple(
            float(values[name]) for name in ("M", "T_step", "u")
        )


def test_the_settings_of_a_layout_are_those_of_the_next_question(planned: PlanResult) -> None:
    layout = planned.layouts[1]
    again = workings.review(**LINE, set=layout.settings)
    assert again.layout.settings == layout.settings
    assert again.memory.peak.base == layout.memory
    assert again.step.time.base == layout.step_time


def test_axes_are_restricted_by_options_by_values_and_by_lists(planned: PlanResult) -> None:
    by_list = workings.plan(**LINE, only={"tp": [2, 4], "recompute": "selective", "sp": True})
    assert {layout.tp for layout in by_list.layouts} == {2, 4}
    assert {(x.recompute, x.sequence_parallel) for x in by_list.layouts} == {("selective", True)}
    by_option = workings.plan(**LINE, tp=2, zero=1)
    assert {(layout.tp, layout.zero) for layout in by_option.layouts} == {(2, 1)}
    shown = run("plan", *WORDS, "--tp", "2", "--only", "zero=1", "--format", "json").stdout
    assert json.loads(shown) == by_option.to_dict()
    assert len(workings.plan(**LINE, number=2).layouts) == 2


def test_an_axis_that_is_restricted_twice_is_refused() -> None:
    with pytest.raises(workings.UserError, match=r"^--only t: found it twice, expected one value"):
        workings.plan(**LINE, tp=2, only={"t": 4})


def test_what_no_search_can_be_asked_is_refused_by_its_name() -> None:
    for asked, said in (
        ({"objective": "speed"}, "--objective: found 'speed', expected one of time, memory, cost"),
        ({"number": 0}, "--number: found 0, expected a whole number from 1"),
        ({"limit": 1.5}, "--limit: found 1.5, expected a share above 0, at most 1"),
        ({"limit": 0}, "--limit: found 0, expected a share above 0, at most 1"),
        ({"largest_tp": 2.5}, "--largest-tp: found 2.5, expected a whole number from 1"),
        ({"only": "tp=2"}, "only: found 'tp=2', expected a dictionary such as {\"tp\": 4}"),
        ({"set": "tp=2"}, "set: found 'tp=2', expected a dictionary such as {\"tp\": 4}"),
        (
            {"job": {"model": 1}},
            "job: found a dict, expected the path of a TOML file or a scenario's name",
        ),
    ):
        with pytest.raises(workings.UserError) as refused:
            workings.plan(**{**LINE, **asked})
        assert str(refused.value) == said


def test_least_memory_is_the_first_of_that_objective() -> None:
    least = workings.plan(**LINE, objective="memory")
    assert least.best.memory == min(layout.memory for layout in least.layouts)
    assert least.found.objective == "memory"


def test_where_nothing_fits_the_sentence_is_the_commands() -> None:
    with pytest.raises(workings.UserError, match="no layout fits") as refused:
        workings.plan(**LINE, set={"model": "llama3-405b"})
    assert run("plan", *WORDS, "--set", "model=llama3-405b").stderr == f"workings: {refused.value}\n"


@pytest.mark.parametrize("objective", ["time", "memory", "cost"])
def test_only_layouts_that_reach_the_mfu_asked_for_are_found(objective: Objective) -> None:
    every = workings.plan(**LINE, objective=objective, number=1000, every=True).layouts
    least = round(sorted(layout.mfu for layout in every)[len(every) // 2], 3)
    found = workings.plan(**LINE, objective=objective, min_mfu=str(least))
    assert all(layout.mfu >= least for layout in found.layouts)
    fastest = [layout for layout in every if layout.mfu >= least]
    if objective == "memory":
        assert found.best.memory <= min(layout.memory for layout in fastest)
    assert str(found).endswith(f"; only such are listed as reach {100 * least:.4g} % MFU\n")


def test_an_mfu_that_no_layout_reaches_is_refused_with_the_best_there_is(planned: PlanResult) -> None:
    with pytest.raises(workings.UserError, match=r"reaches an MFU \(causal\) of 90 %") as refused:
        workings.plan(**LINE, min_mfu=0.9)
    best = 100 * max(layout.mfu for layout in planned.layouts)
    assert f"reaches {best:.4g} %;" in str(refused.value)


def test_it_prints_as_the_first_layouts(planned: PlanResult) -> None:
    lines = repr(planned).splitlines()
    assert lines[0].startswith("Plan of Llama 3.1 8B on 8 × NVIDIA H100 SXM, 80 GB: ")
    assert lines[1] == f"first  {planned.best!r}"
    assert len(lines) == 6


def test_what_megatron_is_told_is_what_the_command_prints(planned: PlanResult) -> None:
    printed = run("plan", *WORDS, "--megatron-arguments")
    said = printed.stdout.split()
    assert planned.megatron_arguments() == said
    assert "--context-parallel-size" in said
    assert "left to say are data, tokenizer, learning rate" in printed.stderr


def test_what_torchtitan_is_told_is_what_the_command_prints(planned: PlanResult) -> None:
    said = run("plan", *WORDS, "--torchtitan-job").stdout
    assert planned.torchtitan_job() == said
    assert "data_parallel_shard_degree" in said
    both = run("plan", *WORDS, "--torchtitan-job", "--megatron-arguments")
    assert both.exit_code == 2
    assert "--megatron-arguments: found --torchtitan-job beside it" in both.stderr


def test_what_a_search_leaves_out_is_said() -> None:
    odd = workings.plan(**{**LINE, "gpus": 24}, set={"heads": 26, "kv_heads": 13})
    assert any("kv_heads = 13" in words for words in odd.left_out)
