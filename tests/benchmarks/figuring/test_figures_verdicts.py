"""What is said of a published figure is what is computed, or is named."""

from pathlib import Path

import figures
import pytest
from figuring.judging import judged
from figuring.lists import figures_of, tried_of

from workings.errors import UserError

FIGURE = """
[[figure]]
id = "{id}"
source = "A page"
where = "https://example.org/page"
quote = "The weights take so much."
what = "weights of a model"
inputs = {{ params = 35e9, bytes = 2, device = "H100" }}
printed = "{printed}"
exactness = "{exactness}"
question = "How much memory do the weights take?"
sound = {sound}
note = "recomputed 70 GB"
"""
SAID = """
[[tried]]
figure = "one"
entry = "weights-bytes"
set = { P = "params", w = "bytes" }
verdict = "as printed"
"""


def kept(
    folder: Path, said: str, printed: str = "70 GB", exactness: str = "exact", *, sound: bool = True
) -> Path:
    (folder / "tried").mkdir(exist_ok=True)
    text = FIGURE.format(id="one", printed=printed, exactness=exactness, sound=str(sound).lower())
    (folder / "page.toml").write_text(text, encoding="utf-8")
    (folder / "tried" / "page.toml").write_text(said, encoding="utf-8")
    return folder


def faults(folder: Path, said: str = SAID, *given: str, sound: bool = True) -> list[str]:
    kept(folder, said, *given, sound=sound)
    return list(map(str, judged("page", figures_of("page", folder), tried_of("page", folder)).faults))


def test_a_figure_that_comes_out_is_passed_over(tmp_path: Path) -> None:
    assert faults(tmp_path) == []


def test_a_verdict_that_is_not_so_is_named_with_both_values(tmp_path: Path) -> None:
    (said,) = faults(tmp_path, SAID, "71 GB")
    assert said == "one: stated as printed, but the source prints '71 GB' and ours is 70,000,000,000"


def test_a_convention_has_a_unit_without_which_it_does_not_come_out(tmp_path: Path) -> None:
    gib = SAID.replace('"as printed"', '"convention"\nunit = "GiB"\nwhy = "Its GB is a GiB."')
    assert faults(tmp_path, gib, "65.19 GB", "rounded") == []
    (said,) = faults(tmp_path, gib.replace('"GiB"', '"GB"'), "70 GB")
    assert "without it too" in said
    assert any("expected a sentence" in one for one in faults(tmp_path, gib.replace("why", "differs")))


def test_nearly_is_near_and_has_a_reason(tmp_path: Path) -> None:
    nearly = SAID.replace('"as printed"', '"nearly"\nwhy = "It is rounded twice."')
    assert faults(tmp_path, nearly, "71 GB", "rounded") == []
    assert "stated nearly" in faults(tmp_path, nearly, "75 GB", "rounded")[0]
    assert faults(tmp_path, nearly + 'within = "0.1"\n', "75 GB", "rounded") == []
    assert "stated nearly" in faults(tmp_path, nearly, "70 GB")[0]


def test_a_source_is_wrong_where_its_reader_said_so_and_nowhere_else(tmp_path: Path) -> None:
    wrong = SAID.replace('"as printed"', '"source wrong"\nwhy = "It counts a byte a weight."')
    assert faults(tmp_path, wrong, "35 GB", "about", sound=False) == []
    assert "finds the figure sound" in faults(tmp_path, wrong, "35 GB", "about")[0]
    assert "finds the figure wrong" in faults(tmp_path, SAID, "70 GB", sound=False)[0]
    assert "stated source wrong" in faults(tmp_path, wrong, "70 GB", sound=False)[0]


def test_our_value_is_that_of_the_reader_or_says_why_not(tmp_path: Path) -> None:
    gates = SAID.replace('w = "bytes"', 'w = "3"')
    (said,) = faults(tmp_path, gates, "105 GB")
    assert said == "one: the list recomputed 70 GB and ours is 105,000,000,000, another, without differs"
    assert faults(tmp_path, gates + 'differs = "Three bytes a weight."\n', "105 GB") == []
    (same,) = faults(tmp_path, SAID + 'differs = "Three bytes a weight."\n')
    assert same.endswith("the same")


def test_what_cannot_be_asked_says_what_is_missing(tmp_path: Path) -> None:
    none = '[[tried]]\nfigure = "one"\nverdict = "cannot be asked"\n'
    assert "without need and needs" in faults(tmp_path, none)[0]
    assert faults(tmp_path, none + 'need = "n"\nneeds = "An entry."\n') == []
    assert "with an entry" in faults(tmp_path, SAID.replace("as printed", "left out") + 'why = "x"\n')[0]
    out = '[[tried]]\nfigure = "one"\nverdict = "left out"\n'
    assert "left out without why" in faults(tmp_path, out)[0]


def test_every_figure_is_tried_once(tmp_path: Path) -> None:
    assert "tried 2 times" in faults(tmp_path, SAID * 2)[0]
    assert "expected an id of the list" in faults(tmp_path, SAID + SAID.replace('"one"', '"two"'))[0]
    assert "tried 0 times" in faults(tmp_path, "")[0]


def test_a_file_with_a_key_or_a_verdict_of_its_own_is_refused(tmp_path: Path) -> None:
    for said, why in (
        (SAID + "sets = 1\n", "found the key 'sets'"),
        (SAID.replace("as p", "p"), "found verdict"),
    ):
        kept(tmp_path, said)
        with pytest.raises(UserError, match=why):
            tried_of("page", tmp_path)


def test_the_command_names_the_list_and_says_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert figures.check([], kept(tmp_path, SAID)) == 0
    assert figures.check(["page"], kept(tmp_path, SAID, "71 GB")) == 1
    assert capsys.readouterr().out.startswith("page.toml: one: stated as printed")
    with pytest.raises(UserError, match="found no such list"):
        figures.check(["pages"], tmp_path)
