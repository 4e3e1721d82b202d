"""What changed between two reviews: all that did, the most important first, and nothing that did not."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from reviewed import review
from sweep_files import JOB

from workings.errors import UserError
from workings.planning.inputs import read_job
from workings.review.build import numbers
from workings.review.comparing import KINDS, Change, changes_between
from workings.review.differences import FORMATS, as_json, markdown, text
from workings.review.recorded import FILE, MAX_BYTES, read_review

Edit = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """The numbers of the review of a job file, once for each text."""
    known: dict[str, dict[str, Any]] = {}
    folder = tmp_path_factory.mktemp("jobs")

    def made(job: str) -> dict[str, Any]:
        if job not in known:
            path = folder / "job.toml"
            path.write_text(job, encoding="utf-8")
            known[job] = json.loads(numbers(review(read_job(path))))
        return deepcopy(known[job])

    return made


def write(folder: Path, content: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps(content), encoding="utf-8")
    return folder


def changes(folder: Path, old: object, new: object) -> tuple[Change, ...]:
    return changes_between(
        read_review(write(folder / "old", old)), read_review(write(folder / "new", new))
    )


def row(listed: list[dict[str, Any]], **where: object) -> dict[str, Any]:
    return next(one for one in listed if where.items() <= one.items())


def test_a_review_has_not_changed_against_itself(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    assert changes(tmp_path, reviewed(JOB), reviewed(JOB)) == ()
    assert [form(()) for form in FORMATS.values()] == [
        "Nothing changed.\n", '{\n "schema": 1,\n "changes": []\n}\n', "Nothing changed.\n",
    ]  # fmt: skip


def test_two_jobs_differ_in_what_was_given_and_in_what_follows(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    old, new = reviewed(JOB), reviewed(JOB.replace("tp = 2", "tp = 4\nmicrobatch = 2"))
    found = changes(tmp_path, old, new)
    given = {c.what.partition(":")[0]: (c.old, c.new) for c in found if c.kind == "layout"}
    assert given == {"tp": ("2", "4"), "etp": ("2", "4"), "microbatch": ("1", "2")}
    results = [c for c in found if c.kind == "result"]
    assert results[0].what.startswith("the most that any rank holds")
    # Independent of the words: the share of the base case, from the files themselves.
    before, after = (row(r["values"], letter="T_step")["base"] for r in (old, new))
    step = next(c for c in results if c.what == "a step")
    assert step.share == pytest.approx(after / before - 1)
    assert not [c for c in found if c.kind in ("assumption", "input")]
    assert {c.kind for c in found if "job.toml" in c.what} == {"document"}


def test_kinds_come_in_the_order_of_their_importance(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    found = changes(
        tmp_path, reviewed(JOB), reviewed(JOB.replace("tp = 2", "tp = 8\npp = 2\nmicrobatch = 8"))
    )
    beside = {"input": "assumption"}  # one list of what was given
    places = [KINDS.index(beside.get(change.kind, change.kind)) for change in found]
    assert places == sorted(places)
    assert len(set(places)) > 4


@pytest.mark.parametrize(
    ("edit", "kind", "what"),
    [
        (lambda r: r["verdict"].update(word="NO-GO"), "verdict", "verdict"),
        (lambda r: r["verdict"]["conditions"].append("more"), "verdict", "conditions"),
        (lambda r: row(r["rules"], outcome="holds").update(outcome="broken"), "rule broken", ""),
        (
            lambda r: row(r["values"], letter="M").update(high=9e10),
            "result",
            "the most that any rank holds",
        ),
        (lambda r: row(r["values"], letter="c_run").update(base=1.0), "result", "cost of the run"),
        (lambda r: row(r["inputs"], letter="t").update(value=4), "layout", "tp: "),
        (lambda r: row(r["inputs"], letter="eta").update(value=0.5), "assumption", "matmul_efficiency: "),
        (lambda r: row(r["inputs"], letter="eta").update(low=0.93), "assumption", "matmul_efficiency: "),
        (lambda r: row(r["inputs"], letter="W_2").update(value=1e10), "input", "network_one_way: "),
        (lambda r: row(r["inputs"], letter="W_2").update(kind="measured"), "origin", "network_one_way: "),
        (lambda r: r["inputs"].pop(0), "input", "d_model: "),
        (lambda r: r["memory"]["accounts"][0].update(bytes=1.0), "memory", ""),
        (lambda r: r["step"][0].update(seconds=1.0), "step", ""),
        (lambda r: r["alternatives"].pop(), "alternatives", "layouts listed"),
        (
            lambda r: r["alternatives"][0]["layout"].update(t=8),
            "alternatives",
            "best layout of the search",
        ),
        (lambda r: r["hashes"].update({"job.toml": "00"}), "document", "SHA-256 of job.toml"),
        (lambda r: r["cover"].update(owner="me"), "document", "owner"),
        (lambda r: r.update(name="another"), "document", "name"),
    ],
)
def test_nothing_that_changed_is_left_out(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]], edit: Edit, kind: str, what: str
) -> None:
    new = reviewed(JOB)
    edit(new)
    found = changes(tmp_path, reviewed(JOB), new)
    assert found
    assert found[0].kind == kind
    assert found[0].what.startswith(what)


def test_a_rule_that_holds_again_is_mended(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    old = reviewed(JOB)
    rules = [rule for rule in old["rules"] if rule["outcome"] == "holds"]
    rules[0].update(outcome="broken", severity="note")
    rules[1].update(outcome="broken", severity="error")
    found = changes(tmp_path, old, reviewed(JOB))
    assert [(c.kind, c.what.split()[1]) for c in found] == [
        ("rule mended", rules[1]["id"]), ("rule mended", rules[0]["id"]),
    ]  # fmt: skip
    worse = changes(tmp_path, reviewed(JOB), old)
    assert [(c.kind, c.what) for c in worse] == [
        ("rule broken", f"error {rules[1]['id']}"), ("rule broken", f"note {rules[0]['id']}"),
    ]  # fmt: skip


def test_what_moved_more_comes_first(tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]) -> None:
    new = reviewed(JOB)
    row(new["inputs"], letter="eta")["value"] *= 1.2
    row(new["inputs"], letter="eta_m")["value"] = 0.6  # by more, but for less
    row(new["inputs"], letter="W_h")["value"] *= 0.01  # nothing lies with the host
    found = changes(tmp_path, reviewed(JOB), new)
    names = [c.what.partition(":")[0] for c in found]
    assert names == ["matmul_efficiency", "memory_efficiency", "host_link"]
    assert "0.8 → 0.6, −25 %" in text(found)
    assert "alone: step +" in text(found)
    assert "alone: no effect" in text(found)


def test_the_outcome_comes_first_then_what_made_it_so(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    job = JOB.replace("tp = 2", "tp = 8").replace("devices = 64", "devices = 32")
    given = "\n[assume]\nmatmul_efficiency = 0.4\nnetwork_efficiency = 0.75\n"
    new = reviewed(job + given)
    row(new["inputs"], letter="C")["kind"] = "measured"
    said = text(changes(tmp_path, reviewed(JOB), new)).splitlines()
    headings = [line for line in said if not line.startswith(" ")]
    assert headings[:3] == ["outcome", "inputs", "layout"]
    assert [h for h in headings if h.startswith(("origin", "the review"))] == headings[-3:-1]
    inputs = said[said.index("inputs") + 1 : said.index("layout")]
    named = [line.split(":")[0].strip() for line in inputs if re.match("  [a-z]", line)]
    assert named == ["devices", "matmul_efficiency", "network_efficiency"]


def test_a_result_is_told_at_its_base_between_best_and_worst(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    new = reviewed(JOB)
    row(new["values"], letter="T_step").update(low=1.0, base=2.0, high=4.0)
    row(new["values"], letter="u").update(low=0.25, base=0.25, high=0.25)
    found = {c.what: c for c in changes(tmp_path, reviewed(JOB), new)}
    assert found["a step"].new == "2 s (1 s to 4 s)"
    assert found["model FLOPs utilization"].new == "25.0 %"


def test_a_rule_that_no_longer_applies_is_not_said_to_hold(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    old, new = reviewed(JOB), reviewed(JOB)
    row(old["rules"], outcome="not applicable").update(outcome="broken")
    [found] = changes(tmp_path, old, new)
    assert found.what.endswith(", no longer judged")


EVIL = "\x1b[31mred\u202e |x| <script> `a` @team\n::error::x [y](z)"


@pytest.mark.parametrize("form", FORMATS)
def test_words_from_a_review_act_nowhere(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]], form: str
) -> None:
    new = reviewed(JOB)
    new["name"] = EVIL
    new["verdict"].update(word=EVIL)
    row(new["rules"], outcome="holds").update(outcome="broken", message=EVIL, severity=EVIL, id=EVIL)
    row(new["inputs"], letter="eta").update(name=EVIL, unit=EVIL, value=0.5)
    made = FORMATS[form](changes(tmp_path, reviewed(JOB), new))
    assert "\x1b" not in made
    assert "\u202e" not in made
    assert not [line for line in made.splitlines() if line.startswith("::")]
    if form == "md":
        assert "<script>" not in made
        assert "@team" not in made
        assert {line.count(" | ") for line in made.splitlines()[2:]} == {5}
    if form == "json":
        assert json.loads(made)["changes"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "expected a review's JSON"),
        (b"\xff\xfe", "expected a review's JSON"),
        (b"[" * 100_000, "expected a review's JSON"),
        (b'{"a":' * 100_000, "expected a review's JSON"),
        (b"[]", "expected a review's JSON"),
        (b"{}", "missing required field `schema`"),
        (b"NaN", "expected a review's JSON"),
        (b" " * (MAX_BYTES + 1), "found more than 5,000,000 bytes"),
    ],
)
def test_a_file_that_is_no_review_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(UserError, match=problem) as refused:
        read_review(tmp_path)
    assert len(str(refused.value)) < 700
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (lambda r: r.update(schema=2), "schema: found 2, expected 1"),
        (lambda r: r.update(schema="1"), "Expected `int`, got `str` - at `[$].schema`"),
        (lambda r: r["inputs"][0].update(value="4096"), "Expected `float`, got `str`"),
        (lambda r: r["inputs"][0].update(value=10**40), "a number beyond 10.30"),
        (lambda r: r["inputs"][0].update(value=-1e300), "a number beyond 10.30"),
        (lambda r: r["verdict"].pop("word"), "missing required field `word`"),
        (lambda r: r.update(name="x" * 5000), "length <= 4000"),
        (lambda r: r.update(rules=[r["rules"][0]] * 6000), "length <= 5000"),
        (lambda r: r["alternatives"][0]["layout"].update(t="8"), "Expected `int`, got `str`"),
    ],
)
def test_every_type_is_checked(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]], edit: Edit, problem: str
) -> None:
    new = reviewed(JOB)
    edit(new)
    with pytest.raises(UserError, match=problem):
        read_review(write(tmp_path / "new", new))


def test_what_a_newer_review_says_besides_is_left_alone(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    new = reviewed(JOB)
    new["more"] = {"of": ["it"]}
    new["inputs"][0]["more"] = 1
    assert changes(tmp_path, reviewed(JOB), new) == ()


def test_a_folder_without_a_review_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="found no such file, expected the review"):
        read_review(tmp_path)
    with pytest.raises(UserError, match="found no such file"):
        read_review(Path("/dev/zero"))
    with pytest.raises(UserError):
        read_review(tmp_path / ("x" * 5000))
    with pytest.raises(UserError):
        read_review(tmp_path / "a\0b")


def test_json_and_markdown_list_the_same_changes(
    tmp_path: Path, reviewed: Callable[[str], dict[str, Any]]
) -> None:
    found = changes(tmp_path, reviewed(JOB), reviewed(JOB.replace("tp = 2", "tp = 4")))
    assert [c["what"] for c in json.loads(as_json(found))["changes"]] == [c.what for c in found]
    assert len(markdown(found).splitlines()) == len(found) + 2
    assert text(found).splitlines()[-1] == f"{len(found)} changes"
