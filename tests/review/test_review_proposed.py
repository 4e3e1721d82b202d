"""The proposed layout is explained part by part, by rules and by what was checked."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from jobs import deepseek_v3, experts_64, gpt3_175b, llama3_8b, llama3_405b
from reviewed import files, review

from workings.document.blocks import Block, Line, Number, Prose, Table
from workings.planning.accuracy import (
    FAR,
    FEW,
    MOST_CHUNKS,
    Evidence,
    alike,
    evidence,
    step_times,
)
from workings.planning.choice import at, first_choice, holds_surely, likely_step, wishes
from workings.planning.cost import plan
from workings.planning.inputs import read_job
from workings.planning.pairs import pair_error
from workings.planning.search import search
from workings.review.build import Review, document
from workings.review.desk import Desk
from workings.review.sources_of_odds import where_odds_fail
from workings.review.verdict import verdict

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def tables(found: Review) -> dict[str, Table]:
    return {b.label: b for b in document(found).blocks if isinstance(b, Table)}


def text(cell: Line) -> str:
    return "".join(
        f"{piece.number} {piece.unit}" if isinstance(piece, Number) else getattr(piece, "text", "")
        for piece in cell
    )


def second(cell: Line) -> Fraction:
    return Fraction(text(cell).replace("−", "-").replace("+", "").strip())


def prose(blocks: tuple[Block, ...]) -> str:
    return " ".join(text(b.line) for b in blocks if isinstance(b, Prose))


def on_hopper() -> tuple[Evidence, ...]:
    return evidence(alike(step_times(), "NVIDIA Hopper", "16-bit"))


def test_the_parts_of_both_steps_add_up_and_so_do_their_differences() -> None:
    rows = tables(review(experts_64()))["proposed"].rows
    for column in (1, 2, 3):
        *parts, total = (second(row[column]) for row in rows)
        assert abs(sum(parts) - total) <= Fraction(len(parts), 2000) + Fraction(1, 1000)
    for row in rows:
        ours, theirs, difference = (second(cell) for cell in row[1:])
        assert abs(theirs - ours - difference) <= Fraction(2, 1000)


def test_nothing_is_explained_where_no_layout_is_faster_by_more_than_the_model_can_tell() -> None:
    found = review(llama3_8b())
    assert found.found is not None
    best = found.found.result.best[0]
    kept = review(llama3_8b().with_values({n: Fraction(v) for n, v in best.layout.items()}))
    assert "proposed" not in tables(kept)


def test_evidence_has_a_row_for_what_either_layout_has_and_says_which() -> None:
    found = review(experts_64())
    assert found.found is not None
    best = found.found.proposed
    assert best is not None
    rows = {text(row[0]): [text(cell) for cell in row[1:]] for row in tables(found)["evidence"].rows}
    for one in on_hopper():
        here, there = (one.feature.holds(v) for v in (found.desk.base, best))
        assert (one.feature.name in rows) == (here or there)
        if one.feature.name in rows:
            assert rows[one.feature.name][:3] == [
                "yes" if here else "no", "yes" if there else "no", str(one.rows),
            ]  # fmt: skip


def test_errors_are_no_smaller_in_the_middle_than_they_are_to_one_side() -> None:
    """Both weigh sources alike, so that they can be read beside each other."""
    for one in on_hopper():
        assert one.size >= abs(one.alike) - Fraction(1, 100), one.feature


def test_rules_that_only_one_of_the_two_breaks_are_named() -> None:
    found = review(experts_64())
    broken = {f.rule.title for f in found.findings if f.broken and f.rule.severity != "note"}
    said = prose(document(found).blocks)
    assert "that this layout breaks" in said
    assert any(title in said.split("that this layout breaks")[1] for title in broken)


def test_where_the_odds_end_it_is_said_of_what_their_evidence_is_thin() -> None:
    desk = review(deepseek_v3()).desk
    said = " ".join(where_odds_fail(desk))
    had = [one for one in on_hopper() if one.feature.holds(desk.base)]
    thin = [one for one in had if one.rows < FEW or abs(one.alike) > FAR]
    thin.sort(key=lambda one: (one.rows > 0, -abs(one.alike)))
    assert thin
    for one in on_hopper():
        assert bool(re.search(rf"had {re.escape(one.feature.name)}[,;.]", said)) == (one in thin[:3])


def test_what_is_proposed_is_faster_by_more_than_the_model_can_tell_wherever_any_layout_is() -> None:
    for job in (llama3_405b(), experts_64(), gpt3_175b()):
        found = review(job).found
        assert found is not None
        assert found.proposed is not None
        assert found.option is not None
        own = review(job).desk.likely("T_step").middle
        steps = [likely_step(job, o) for o in found.result.best]
        tells = 1 + pair_error()
        assert (likely_step(job, found.option) * tells < own) == (min(steps) * tells < own)


@pytest.mark.parametrize("device", ["NVIDIA H100 SXM", "a device of one's own"])
def test_of_layouts_that_are_as_good_one_whose_memory_is_go_by_its_odds_is_proposed(device: str) -> None:
    job = experts_64()
    context = replace(job.figures["M_ctx"], low=Fraction(0), high=Fraction(4 * 10**9))
    job = replace(job, device=device, figures={**job.figures, "M_ctx": context})
    result = search(job, plan(), wishes(job))
    tied = [option for option in result.best if option.tied]
    for word in (True, False):
        shares = [Desk(at(job, option), plan()).likely("u_M").most for option in tied]
        limit = min(shares) * (1 if word else Fraction(999, 1000))  # which one of them keeps, or none
        there = replace(job, limit_if=limit)
        assert [holds_surely(there, o, plan()) for o in tied] == [share <= limit for share in shares]
        if word:
            chosen = first_choice(there, result, plan())
            assert chosen is not None
            assert verdict(Desk(at(there, chosen), plan())).word == "GO"


def test_no_more_chunks_are_proposed_than_published_runs_had() -> None:
    found = review(llama3_8b(z_3=0, z_2=0)).found
    assert found is not None
    assert all(option.layout["v"] <= MOST_CHUNKS for option in found.result.best)


def test_what_is_surely_faster_is_proposed_before_what_is_named_first_but_may_not_fit() -> None:
    job = read_job(REVIEWS / "moe-1024" / "job.toml")
    found = review(job)
    assert found.found is not None
    assert found.found.option is not None
    first = first_choice(job, found.found.result, plan())
    assert first is not None
    assert not holds_surely(job, first, plan())
    assert holds_surely(job, found.found.option, plan())
    assert found.answer.said == "NO-GO on the layout"
    assert likely_step(job, first) <= likely_step(job, found.found.option)
    page = files(found, ("md",))["review.md"]
    assert "It is the one of the smallest P50 that is surely faster" in page
    assert "Of those marked = whose memory is GO" not in page
