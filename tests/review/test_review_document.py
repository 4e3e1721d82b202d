"""A review as a reader meets it: its answer, its tables, its numbers, what it links to."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.planning.cost import plan
from workings.planning.job import Cover, Job, Noted
from workings.planning.letters import LAYOUT, LETTERS
from workings.review import build, writing
from workings.review.naming import settings

EVERY = pytest.mark.parametrize("make", [gpt3_175b, llama3_8b, experts_64])


def page(job: Job) -> str:
    return files(review(job), ("md",))["review.md"]


def numbers(job: Job) -> dict[str, object]:
    found = json.loads(files(review(job), ("md",))["review.json"])
    assert isinstance(found, dict)
    return found


def test_a_plan_that_ninety_of_a_hundred_runs_would_fit_is_go_and_a_tighter_one_go_if() -> None:
    assert review(llama3_8b(M_dev=200 * 10**9)).answer.word == "GO"
    tight = review(llama3_8b(M_dev=70 * 10**9)).answer
    assert tight.word == "GO IF"
    assert "of 100 runs like this one would fit" in tight.reason
    assert tight.conditions[0].startswith("the measured peak of memory stays below")


def test_a_plan_that_does_not_fit_is_no_go_and_says_what_would_mend_it() -> None:
    found = review(gpt3_175b(b_m=8))
    assert found.answer.said == "NO-GO on memory"
    first, *below = files(found, ("md",))["review.md"].split("\n## ")
    assert "Recommended: instead " in first
    (rules,) = (part for part in below if part.startswith("Rules\n"))
    assert "**The fullest rank fits.**" in rules
    assert "It would hold with" in rules


def test_a_plan_beyond_the_limit_that_a_run_may_yet_keep_is_not_refused_by_a_rule() -> None:
    found = review(llama3_405b())
    assert any(one.broken and one.rule.id == "fits" for one in found.findings)
    assert found.desk.likely("u_M").least < found.desk.job.limit_if
    assert found.answer.word == "GO IF"


@pytest.mark.parametrize(
    ("limit", "limit_if", "word"), [(10, 90, "GO"), (10, 70, "GO IF"), (1, 2, "NO-GO")]
)
def test_the_limits_are_the_job_s(limit: int, limit_if: int, word: str) -> None:
    job = replace(llama3_8b(), limit=Fraction(limit, 100), limit_if=Fraction(limit_if, 100))
    assert review(job).answer.word == word


def test_a_plan_that_fits_only_where_assumptions_are_kind_is_go_if() -> None:
    job = llama3_8b(M_dev=70 * 10**9)
    context = replace(job.figures["M_ctx"], high=Fraction(80 * 10**9))
    answer = review(replace(job, figures={**job.figures, "M_ctx": context})).answer
    assert answer.word == "GO IF"
    assert answer.conditions


@EVERY
def test_every_reference_leads_somewhere(make: Callable[[], Job]) -> None:
    made = files(review(make()), ("md",))
    anchors = {n: re.findall(r'<a id="([^"]+)">', text) for n, text in made.items()}
    for name, other in (("review.md", "workings.md"), ("workings.md", "review.md")):
        assert len(set(anchors[name])) == len(anchors[name])
        wanted = re.findall(r"\]\(((?!https)[^)#]*)#([^)]+)\)", made[name])
        assert {file for file, _ in wanted} == {"", other}
        assert not [link for link in wanted if link[1] not in anchors[link[0] or name]]


@EVERY
def test_equations_stand_in_the_workings_and_nothing_that_is_signed(make: Callable[[], Job]) -> None:
    made = files(review(make()), ("md",))
    assert "```math" not in made["review.md"]
    assert len(made["review.md"].encode()) < 150_000  # what GitHub shows
    counted = re.findall(r'<a id="eq-[^"]+"></a>\*\*\((\d+)\)', made["workings.md"])
    assert [int(n) for n in counted] == list(range(1, len(counted) + 1))
    assert {f"eq-work-{n.replace('_', '-')}" for n in ("M", "T_step")} <= set(
        re.findall(r'<a id="([^"]+)">', made["workings.md"])
    )
    numbered = re.findall(r"\[\((\d+)\)\]\(workings\.md#([^)]+)\)", made["review.md"])
    assert numbered
    for number, label in numbered:  # a number is that of the equation that it leads to
        assert f'<a id="{label}"></a>**({number})**' in made["workings.md"]


def test_in_latex_a_number_leads_to_the_page_of_the_other_document_that_has_it() -> None:
    made = files(review(gpt3_175b()))
    found = re.findall(r"\\href\{workings\.pdf\\#equation\.(\d+)\}\{\((\d+)\)\}", made["review.tex"])
    assert found
    assert all(place == number for place, number in found)
    counted = len(re.findall(r"\\workingsnumber\{", made["workings.tex"].partition("\\maketitle")[2]))
    assert max(int(number) for number, _ in found) <= counted
    assert "\\workingsnumber{" not in made["review.tex"].partition("\\maketitle")[2]


@EVERY
def test_the_first_page_names_three_constraints_and_who_signs(make: Callable[[], Job]) -> None:
    first = page(make()).split("## ")[0]
    for words in (
        "Decision asked for",
        "the tightest limit",
        "Recommended",
        "P10",
        "P90",
        "approved by",
        "owner",
    ):
        assert words in first


def test_the_numbers_of_the_page_are_those_of_the_json() -> None:
    job = gpt3_175b()
    values = {v["letter"]: v for v in numbers(job)["values"]}  # type: ignore[attr-defined]
    step = float(f"{values['T_step']['base']:.4g}")
    assert f"{step:g} s" in page(job)
    assert values["M"]["low"] <= values["M"]["base"] <= values["M"]["high"]


def test_the_json_holds_every_statement_input_and_rule() -> None:
    found = numbers(gpt3_175b())
    assert {"verdict", "inputs", "register", "values", "memory", "communication", "step", "measure",
            "rules", "alternatives", "notes", "hashes"} <= found.keys()  # fmt: skip


@EVERY
def test_no_letter_stands_as_code_outside_mathematics_and_inputs(make: Callable[[], Job]) -> None:
    before, _, behind = page(make()).partition("## Inputs")
    prose = re.sub(r"\$`.*?`\$", "", before + behind.partition("## Appendix")[2])
    letters = re.findall(r"\b[A-Za-z]\\?_[A-Za-z0-9]+\b", re.sub(r"\(#[^)]*\)|<[^>]*>", "", prose))
    assert not [name for name in letters if name.replace("\\", "") in {*LETTERS, *plan().by_letter}]


@EVERY
def test_the_tree_and_its_comparison_are_tables(make: Callable[[], Job]) -> None:
    text = files(review(make()), ("md",))["workings.md"]
    assert "| question | number | answer | so |" in text
    assert "|  | tree | search | under review |" in text


def test_the_tree_s_letters_are_in_the_json() -> None:
    found = numbers(gpt3_175b())["decision"]
    assert isinstance(found, dict)
    assert found["steps"][0]["formula"] == "max(M_0first, M_0mid, M_0last)"
    assert found["steps"][0]["limit"] == pytest.approx(0.9 * 85_520_809_984)
    assert set(found["layout"]) == set(LAYOUT)


def left_out(job: Job) -> str:
    return page(job).split("## What the model leaves out")[1].split("## ")[0]


def test_what_is_left_out_fits_the_job() -> None:
    assert "experts" not in left_out(llama3_8b())
    assert "those with experts and those without" in left_out(experts_64(L_E=24))
    assert "network" not in left_out(llama3_8b())
    assert "Contention between axes that use the network" in left_out(gpt3_175b())
    assert "summed between first and last stage" in left_out(gpt3_175b())
    assert "summed between first and last stage" not in left_out(llama3_405b())


def mesh_of(job: Job) -> str:
    """The table of the mesh, and what is said below it."""
    below = files(review(job), ("md",))["workings.md"]
    return below.split("The mesh: groups of ranks")[1].split("## ")[0]


def test_a_group_lies_on_as_many_nodes_as_have_a_rank_of_it() -> None:
    mesh = mesh_of(llama3_405b())
    assert "| tensor | 8 | 1 | ranks 0, 1, 2, 3, 4, 5, 6, 7 | inside a node |" in mesh
    assert "| data | 128 | 8 | ranks 0, 8, 16, …, 1016 | over 128 nodes |" in mesh
    assert (
        "| pipeline | 16 | 1,024 | ranks 0, 1024, 2048, …, 15360 | "
        "over 16 nodes; 47 of 127 boundaries between chunks leave a pod |" in mesh
    )


def test_a_group_that_crosses_the_edge_of_a_node_anywhere_is_not_said_to_lie_inside() -> None:
    mesh = mesh_of(gpt3_175b(n=384, t=6, t_e=6, b=768))
    assert "| tensor | 6 | 1 | ranks 0, 1, 2, 3, 4, 5 | over 2 nodes |" in mesh


def test_what_lies_with_the_host_is_said_where_one_signs_and_in_what_is_left_out() -> None:
    there = llama3_8b(x_off=Fraction(3, 5))
    assert "60 % of the optimizer state with the host" in page(there).split("## ")[0]
    assert "The memory of the hosts" in left_out(there)
    assert "host" not in page(llama3_8b()).split("## ")[0]
    assert "hosts" not in left_out(llama3_8b())
    with_keys = {"`host_link`", "`host_memory`"}
    every = ["".join(files(review(job), ("md",)).values()) for job in (there, llama3_8b())]
    assert [{key for key in with_keys if key in text} for text in every] == [with_keys, set()]
    assert settings(review(there).desk.base)["optimizer state with the host"] == "60 %"


def test_experts_have_a_column_only_where_there_are_any() -> None:
    assert "| TP · CP · PP · DP |" in page(llama3_8b())
    assert "| TP · CP · PP · EP · ETP · DP |" in page(experts_64())


def test_words_from_outside_stay_words() -> None:
    cover = Cover("<script>alert(1)</script> | **bold** $x$", "a\\write18{rm}", "1", "2026-11-21")
    job = replace(llama3_8b(), name="# [x](javascript:alert(1))", cover=cover,
                  noted=(Noted("ignored", "job.toml", "`key|`", "<img src=x>"),))  # fmt: skip
    made = files(review(job))
    assert not re.search(r"(?<!\\)<(script|img)", made["review.md"])
    assert not re.search(r"(?<!\\)\]\(javascript", made["review.md"])
    assert r"\write18" not in made["review.tex"]


def test_a_review_is_the_same_each_time() -> None:
    once, again = (writing.files(build.review(llama3_8b())) for _ in range(2))
    assert once == again


def test_without_a_layout_the_one_that_is_named_first_is_reviewed() -> None:
    job = llama3_8b()
    unsaid = {n: replace(figure, kind="assumed") for n, figure in job.figures.items() if n in LAYOUT}
    found = review(replace(job, chosen=False, figures={**job.figures, **unsaid}))
    assert found.found is not None
    best = found.found.result.best
    (ours,) = [one for one in best if all(found.desk.base[n] == v for n, v in one.layout.items())]
    assert ours.tied
    assert found.answer.word != "NO-GO"


def test_a_layout_is_set_beside_the_best_that_a_search_finds() -> None:
    found = review(llama3_405b(z_2=1))
    assert found.found is not None
    assert found.found.ours.values["T_step"] >= found.found.result.best[0].values["T_step"]


def test_accounts_that_no_formula_gives_say_where_their_bytes_are_from() -> None:
    job = llama3_8b()
    context = replace(job.figures["M_ctx"], kind="measured")
    text = page(replace(job, figures={**job.figures, "M_ctx": context}))
    assert re.search(r"\| device context \|.*\| measured \|", text)
    assert re.search(r"\| workspace of matrix products \|.*\| assumed \|", text)
