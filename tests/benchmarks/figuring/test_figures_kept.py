"""What is kept of published figures is so, and its page shows words of strangers as words."""

import re
from pathlib import Path

import figures
import pytest
from figuring.counting import counted
from figuring.judging import judged
from figuring.lists import FOLDER, figures_of, names, tried_of
from figuring.page import pages
from markdown_it import MarkdownIt

HOSTILE = "<script>alert(1)</script> [a](javascript:x) | `b` **c**"


def test_every_verdict_that_is_kept_is_what_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"serving", "training"} <= set(names())
    assert figures.check([]) == 0
    assert capsys.readouterr().out == ""


def test_nearly_all_figures_come_out_or_are_shown_wrong() -> None:
    """The aim: 98 % of what is not left out, and little is."""
    for name in ("serving", "training"):
        count = counted(judged(name, figures_of(name), tried_of(name)))
        assert count.all == len(figures_of(name))
        assert count.share(count.now) >= 0.98
        assert count.share(count.first) < count.share(count.now)
        assert count.now["left out"] < count.all / 10
        assert str(count).count("%") == 2


def test_whatever_a_source_says_is_words_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "tried").mkdir()
    text = (FOLDER / "serving.toml").read_text(encoding="utf-8")
    (first, second) = re.findall(r"\[\[figure\]\].*?(?=\n\n)", text, re.DOTALL)[:2]
    hostile = first.replace('what = "', f"what = '''{HOSTILE}''' # ")
    (tmp_path / "page.toml").write_text(hostile + "\n\n" + second, encoding="utf-8")
    said = (FOLDER / "tried" / "serving.toml").read_text(encoding="utf-8").split("\n\n")
    (tmp_path / "tried" / "page.toml").write_text("\n\n".join(said[1:3]), encoding="utf-8")
    one = judged("page", figures_of("page", tmp_path), tried_of("page", tmp_path))
    assert one.faults == ()
    made = pages([one])
    assert sorted(made) == ["page.md", "report.md"]
    assert "2 figures that" in made["report.md"]
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(made["page.md"])
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; [a](javascript:x)" in shown
    assert 'href="javascript' not in shown
