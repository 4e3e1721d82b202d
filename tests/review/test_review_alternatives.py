"""What is said of the layouts that a search looked at."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b, llama3_405b
from reviewed import files, review

from workings.document.blocks import Line, Table
from workings.planning.accuracy import LETTERS, MOST_CHUNKS, Run, step_times
from workings.planning.choice import likely_step, wishes
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.planning.pairs import pair_error
from workings.planning.search import search
from workings.review.alternatives import Alternatives
from workings.review.build import Review, documents
from workings.review.desk import Desk
from workings.review.ranking import PRINTED, ranking


def said(cell: Line) -> str:
    return "".join(getattr(piece, "text", "") or getattr(piece, "number", "") for piece in cell)


def table(found: Review) -> Table:
    return next(b for b in documents(found)[0].blocks if getattr(b, "label", "") == "alternatives")  # type: ignore[return-value]


def page(found: Review) -> str:
    return files(found, ("md",))["review.md"].split("## Alternatives")[1].split("\n## ")[0]


def others(found: Review) -> Alternatives:
    assert found.found is not None
    return found.found


def test_what_bounds_the_chunks_of_a_rank_is_true_of_the_runs_known_here() -> None:
    more = [run for run in step_times() if run.values["v"] > MOST_CHUNKS]
    text = files(review(llama3_405b()), ("md",))["review.md"]
    assert more
    assert (f"at most {MOST_CHUNKS} chunks a rank, as all but {len(more)} of the {len(step_times()):,} "
            "published runs known here have,") in text  # fmt: skip


def test_a_layout_with_more_chunks_bounds_them_itself() -> None:
    v = llama3_405b(v=14, p=8).values()
    assert v["v"] > MOST_CHUNKS
    text = files(review(llama3_405b(v=14, p=8, b=4096)), ("md",))["review.md"]
    assert "have at most 14 chunks a rank, as the layout under review has," in text


@pytest.mark.parametrize("make", [gpt3_175b, llama3_405b, experts_64])
def test_no_two_layouts_differ_in_context_parallelism_and_micro_batch_alone(make: object) -> None:
    found = review(make())  # type: ignore[operator]
    *rows, _ = table(found).rows
    head = [said(cell) for cell in table(found).head]
    context, data = (head[0].split(" · ").index(axis) for axis in ("CP", "DP"))
    unlike = []
    for row in rows:
        mesh, _, shares = said(row[0]).partition(",")
        degrees = mesh.split(" · ")
        rest = [d for i, d in enumerate(degrees) if i not in (context, data)]
        unlike.append((*rest, shares, *(said(row[i]) for i in (1, 3, 4))))
    assert len(set(unlike)) == len(rows) >= PRINTED
    by_hand = [o.layout for o in others(found).ranked]
    assert len({tuple(n for k, n in o.items() if k not in ("c", "b_m")) for o in by_hand}) < len(by_hand)


def test_more_layouts_to_print_leave_those_that_one_is_chosen_from_as_they_were() -> None:
    job = gpt3_175b()
    found = others(review(job))
    assert found.result.best == search(job, plan(), wishes(job, 10)).best
    assert len(found.ranked) > len(found.result.best)


def test_what_is_proposed_stands_in_the_table_whatever_is_like_it() -> None:
    found = review(llama3_405b())
    layouts = [said(row[0]) for row in table(found).rows]
    for option in (others(found).option, others(found).surest, others(found).result.best[0]):
        if option is not None:
            t, c, p = (option.layout[n] for n in "tcp")
            assert any(mesh.startswith(f"{t} · {c} · {p} · ") for mesh in layouts)


def test_the_least_p50_is_named_and_no_tie_is_further_above_it_than_is_said() -> None:
    found = review(gpt3_175b())
    least = min(likely_step(found.desk.job, o) for o in others(found).ranked)
    named = re.search(
        r"above the least one of those searched \(([\d.]+) s\)", page(found).replace("\u00a0", " ")
    )
    assert named is not None
    assert float(named[1]) == pytest.approx(float(least), rel=5e-4)
    assert f"at most {float(pair_error() * 100):.2g} % above" in page(found)
    for row in table(found).rows[:-1]:
        seconds = Fraction(said(row[6]))
        assert (seconds / least - 1 <= pair_error()) == said(row[8]).startswith("=")


def test_both_limits_of_memory_are_named() -> None:
    job = replace(gpt3_175b(), limit=Fraction(4, 5), limit_if=Fraction(95, 100))
    assert "the 80 % of a device that a search fills; the answer allows 95 %" in page(review(job))


@pytest.mark.parametrize(("program", "words"), [
    ("", "no program is named that might refuse more"),
    ("megatron", "but for MegaScale's fork no run on more than 8 devices is known of Megatron-LM with"),
])  # fmt: skip
def test_what_the_named_program_refuses_is_among_the_constraints(program: str, words: str) -> None:
    assert words in page(review(replace(gpt3_175b(), framework=program)))


def at(desk: Desk, layout: dict[str, int], seconds: Fraction, mfu: Fraction) -> Run:
    values = {letter: Fraction(layout.get(letter, desk.base[letter])) for letter in LETTERS}
    return Run(*desk.device, Fraction(1), values, "a page", "", "a run", mfu, figure=seconds)


def test_a_layout_that_was_published_bears_its_step_and_the_text_says_whose_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job: Job = gpt3_175b()
    found = review(job)
    best = others(found).result.best[0]
    desk = Desk(job, plan())
    mfu = desk.at_peak * desk.base["T_step"] / 8  # of a step of 8 s
    monkeypatch.setattr(
        "workings.review.likest.step_times", lambda: (at(desk, dict(best.layout), Fraction(8), mfu),)
    )
    blocks = list(ranking(desk, found.found))
    text = str(blocks)
    rows = next(b for b in blocks if isinstance(b, Table)).rows
    marks = [said(row[-1]) for row in rows]
    assert [mark for mark in marks if "published" in mark] == ["= 8 published"]
    assert "(a run, a page)" in text
