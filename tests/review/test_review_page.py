"""A review as one page of the web: what one signs, then all else folded, and figures to point at."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from xml.etree import ElementTree

from jobs import experts_64, gpt3_175b, llama3_8b
from reviewed import files, review

from workings.planning.job import Cover, Job
from workings.review.edge import MOST, SLOWEST

SIGN = re.compile(r"<details class=\"section\">")


def page(job: Job) -> str:
    return files(review(job), ("html",))["review.html"]


def front(text: str) -> ElementTree.Element:
    """The figure of memory and time."""
    figure = text.partition('id="figure-front"')[2]
    svg = figure[figure.index("<svg") : figure.index("</svg>") + len("</svg>")]
    return ElementTree.fromstring(svg)  # noqa: S314 - our own figure


def points(text: str) -> list[str]:
    return [str(one.get("aria-label")) for one in front(text).iter() if one.get("class") == "point"]


def test_it_is_one_file_beside_the_numbers() -> None:
    made: Mapping[str, str] = files(review(llama3_8b()), ("html",))
    assert sorted(made) == ["review.html", "review.json"]
    both = files(review(llama3_8b()), ("md", "html"))
    assert {"review.md", "workings.md", "review.html"} <= both.keys()
    assert "workings.html" not in both
    assert both["review.md"] == files(review(llama3_8b()), ("md",))["review.md"]


def test_the_page_to_sign_comes_first_and_all_else_is_folded() -> None:
    for job in (llama3_8b(), gpt3_175b(), experts_64()):
        first, *sections = SIGN.split(page(job).partition("<main")[2])
        assert first.index(review(job).answer.said) < first.index('id="table-binding"')
        assert 'id="table-signatures"' in first
        assert "<h2" not in first
        titles = [re.findall(r"<h2>(.*?)</h2>", one)[0] for one in sections]
        assert titles[-2:] == ["Every figure worked", "Derivations"]
        assert not re.search(r"<details[^>]* open", "".join(sections))


def test_every_link_leads_to_something_on_the_page_and_every_number_to_its_working() -> None:
    for job in (llama3_8b(), experts_64()):
        text = page(job)
        ids = re.findall(r' id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        inside = set(re.findall(r'href="#([^"]+)"', text))
        assert inside <= set(ids)
        assert "workings.html" not in text
        assert "beside this one" not in text
        cases = text.partition('id="table-odds"')[2].partition("</table>")[0]
        rows = cases.split("<tr>")[2:]
        assert rows
        assert all('href="#eq-work-' in row for row in rows)
        worked = text.partition("<h2>Every figure worked</h2>")[2]
        assert set(re.findall(r'href="#(eq-work-[^"]+)"', cases)) <= set(
            re.findall(r'id="([^"]+)"', worked)
        )


def test_tables_and_figures_are_numbered_through() -> None:
    tables = [int(n) for n in re.findall(r">Table (\d+)\.</a>", page(experts_64()))]
    assert tables == list(range(1, len(tables) + 1))


def test_the_front_shows_layouts_that_no_other_beats_and_the_one_under_review() -> None:
    for job in (llama3_8b(), experts_64()):
        found = review(job).found
        assert found is not None
        *edge, ours = points(page(job))
        near = [one for one in found.result.front if one.value <= SLOWEST * found.result.front[-1].value]
        assert len(edge) == min(len(near), MOST)
        said = front(page(job)).get("aria-label", "")
        assert said.endswith(f"under review {ours}.")
        assert all(re.fullmatch(r".+: [\d.,]+ [kMG]?B, [\d.,]+ m?s", one) for one in (*edge, ours))


def test_each_point_can_be_reached_and_says_what_it_is() -> None:
    svg = front(page(llama3_8b()))
    assert svg.get("role") == "group"
    space = "{http://www.w3.org/2000/svg}"
    for one in (one for one in svg.iter() if one.get("class") == "point"):
        assert (one.get("tabindex"), one.get("role")) == ("0", "img")
        assert one.findtext(f"{space}title") == one.get("aria-label")
        assert one.findtext(f"{space}text") == one.get("aria-label")


def test_a_hostile_name_stays_text() -> None:
    attack = "</title></style></details><script>alert(1)</script>\"'<img src=x onerror=alert(1)>"
    job = replace(llama3_8b(), name=attack, cover=Cover(decision=attack, owner=attack))
    text = page(job)
    assert "<img" not in text
    assert text.count("<script") == page(llama3_8b()).count("<script")
    assert "&lt;/details&gt;&lt;script&gt;" in text
    assert json.loads(files(review(job), ("html",))["review.json"])["name"] == attack


def test_letters_of_a_working_say_what_they_mean() -> None:
    text = page(llama3_8b())
    meanings = json.loads(re.findall(r'id="letters">(.*?)</script>', text)[0])
    assert meanings["Tr"] == "tokens of a micro-batch on a rank's share of the sequence"
    assert "<dl>" in text.partition("<h2>Derivations</h2>")[2]
