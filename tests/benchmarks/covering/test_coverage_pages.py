"""The pages of coverage: counts, what is missing, and words of strangers as words."""

import re
from fractions import Fraction
from pathlib import Path

import coverage
import pytest
from covered import WEIGHTS, judge, kept, listed, with_example
from covering.counting import counted, needs
from covering.judging import Judged
from covering.lists import sources
from covering.pages import pages
from markdown_it import MarkdownIt

MISSING = '[[match]]\nformula = "more"\nverdict = "missing"\nneed = "n"\nneeds = "Bytes of it."\n'
HOSTILE = "<script>alert(1)</script> [a](javascript:x) | `b` **c**\\n# d"


def test_the_share_is_of_what_is_not_left_out(tmp_path: Path) -> None:
    out = '[[match]]\nformula = "out"\nverdict = "left out"\nwhy = "A measured figure."\n'
    found = judge(tmp_path, listed("weights", "more", "out"), WEIGHTS + MISSING + out)
    count = counted(found)
    assert (count.all, count.has, float(count.share(count.has) or 0)) == (3, 1, 0.5)
    page = pages([found])["README.md"]
    assert "Of 3 formulas the catalogue has 1, 50 %" in page
    assert "| [A paper](paper.md) | whole | 3 | 1 | 0 | 0 | 0 | 0 | 1 | 1 | 50 | 50 |" in page
    assert "| Bytes of it. | 1 | [A paper](paper.md) |" in page


def test_what_a_source_has_wrong_is_answered_but_not_had(tmp_path: Path) -> None:
    wrong = WEIGHTS.replace("2 * Psi", "3 * Psi").replace('"agrees"', '"source wrong"')
    wrong += 'why = "Right is 2 * Psi."\n'
    found = judge(tmp_path, listed("weights", "more").replace("2 * Psi", "3 * Psi"), wrong + MISSING)
    count = counted(found)
    assert (count.has, count.answered, count.share(count.answered)) == (0, 1, Fraction(1, 2))
    page = pages([found])["README.md"]
    assert "1 more is wrong where it is printed" in page
    assert "an entry gives what is right: the catalogue answers 1, 50 %." in page
    assert "| [A paper](paper.md) | whole | 2 | 0 | 0 | 0 | 1 | 0 | 1 | 0 | 0 | 50 |" in page


def test_a_verdict_that_is_not_so_does_not_count(tmp_path: Path) -> None:
    found = judge(tmp_path, listed("weights"), WEIGHTS.replace("2 * Psi", "3 * Psi"))
    assert counted(found).has == 0
    assert "| not matched yet |" in pages([found])["paper.md"]


def test_an_entry_is_a_link_to_its_formula_and_says_how_it_is_set(tmp_path: Path) -> None:
    page = pages([judge(tmp_path, with_example("3 GB"), WEIGHTS)])["paper.md"]
    row = (
        "| Section 1 | Bytes of the weights | `2 * Psi` "
        "| [`weights-bytes`](../catalogue/scale.md#eq-weights-bytes) at `P = Psi`, `w = 2` "
        "| agrees | 1 of 1 example as printed. |"
    )
    assert row in page
    assert "[arXiv:2001.00001v1](https://arxiv.org/abs/2001.00001v1)" in page


def test_needs_of_several_sources_are_one_and_the_most_wanted_comes_first(tmp_path: Path) -> None:
    other = MISSING.replace('"more"', '"weights"').replace('"n"', '"m"')
    again = MISSING.replace('"more"', '"third"').replace('needs = "Bytes of it."\n', "")
    found = judge(tmp_path, listed("weights", "more", "third"), other + MISSING + again)
    assert found.faults == ()
    assert [(need.slug, need.formulas) for need in needs([found, found])] == [("n", 4), ("m", 2)]


def test_whatever_a_source_says_is_words_on_a_page(tmp_path: Path) -> None:
    source = listed("weights").replace("Bytes of the weights", HOSTILE).replace("A paper", HOSTILE)
    source = source.replace("2 * Psi", HOSTILE).replace("arXiv:2001.00001v1", "javascript:alert(1)")
    made = pages([judge(tmp_path, source, WEIGHTS)])
    assert sorted(made) == ["README.md", "paper.md"]
    for page in made.values():
        shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(page)
        assert "&lt;script&gt;alert(1)&lt;/script&gt; [a](javascript:x)" in shown
        assert "<script" not in shown
        assert 'href="javascript' not in shown
        assert len(re.findall("<h1", shown)) == 1


def test_a_list_without_matches_is_named_and_has_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept(tmp_path, listed("weights"), None)
    assert coverage.check([], tmp_path) == 1
    assert capsys.readouterr().out == "paper.toml: found no file of matches, expected one\n"
    (source,) = sources(tmp_path)
    made = pages([Judged(source, {}, ())])
    assert "| not matched yet |" in made["paper.md"]
    kept(tmp_path, listed("weights"), WEIGHTS)
    assert coverage.check(["paper"], tmp_path) == 0
