"""What the author of a job knows and the plan does not stands on the first page, in the order given."""

from dataclasses import replace

import pytest
from jobs import llama3_8b
from reviewed import files, review

from workings.document.blocks import Prose
from workings.planning.cost import plan
from workings.planning.job import Cover, Job
from workings.review.desk import Desk
from workings.review.front_page import front_page
from workings.review.verdict import verdict

SAID = "What the plan does not know, by its author."
THREE = ("Zebras fit.", "Apples do not.", "Nor do moons.")


def told(*caveats: str) -> Job:
    return replace(llama3_8b(M_dev=70 * 10**9), cover=Cover(caveats=caveats))


def first(job: Job) -> str:
    return files(review(job), ("md",))["review.md"].split("\n## ")[0]


def test_caveats_stand_in_their_order_between_the_answer_and_the_odds() -> None:
    page = first(told(*THREE))
    assert f"**{SAID}** {' '.join(THREE)}" in page
    places = [page.index(part) for part in ("GO IF on memory", SAID, '<a id="table-odds">')]
    assert places == sorted(places)


def test_without_caveats_nothing_is_said_of_them() -> None:
    assert "by its author" not in first(told())


def test_every_caveat_is_there_word_for_word_whatever_it_holds() -> None:
    """A page that reads what a caveat says as markup would lose some of it."""
    for text in ("a < b & c > d", "it takes _more_", "*all* of `it`"):
        desk = Desk(told(text), plan())
        pieces = [piece for block in front_page(desk, verdict(desk)) if isinstance(block, Prose)
                  for piece in block.line]  # fmt: skip
        assert text in "".join(getattr(piece, "text", "") for piece in pieces).replace("\u00a0", " ")


@pytest.mark.parametrize("format_", ["md", "html", "tex"])
def test_hostile_text_in_a_caveat_acts_on_no_page(format_: str) -> None:
    found = review(told("<script>alert(1)</script> \\input{/etc/passwd} [x](javascript:alert(1))"))
    (page,) = (text for name, text in files(found, (format_,)).items() if name == f"review.{format_}")
    assert "alert(1)" in page
    for active in {"md": ("<script>", "[x](javascript"), "html": ("<script>alert",),
                   "tex": ("\\input{/etc",)}[format_]:  # fmt: skip
        assert active not in page
