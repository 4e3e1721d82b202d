"""The command line: what each command prints, its exit codes, and one sentence where it cannot."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from click import Context
from documents import FIGURE, FRONT, run, source_in
from looping import each

import workings
from workings import catalogue
from workings.cli import main
from workings.derivation import Derivation
from workings.verification import verified

SRC = Path(workings.__file__).parents[1]
AT = ("--at", "xxl-220b")


def output(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


# --- what commands print ----------------------------------------------------------------------


def test_list_names_every_derivation_under_its_topic() -> None:
    lines = output("list").splitlines()
    ids = [line.split()[0] for line in lines if line.startswith("    ")]
    assert ids == [what.id for what in catalogue.every()]
    assert "  Rings" in lines
    assert tuple(line for line in lines if not line.startswith(" ")) == tuple(
        name.replace("_", " ") for name in catalogue.topics()
    )


def test_list_of_a_topic_is_that_part_of_the_list() -> None:
    whole, part = output("list"), output("list", "collectives")
    assert part.splitlines()[0] == "collectives"
    assert "ring-all-reduce" in part
    assert "fsdp-memory" not in part
    assert {line.split()[0] for line in part.splitlines()} <= set(whole.split())


def test_show_prints_every_line_reason_letter_and_source() -> None:
    what, shown = catalogue.get("fsdp-fits"), output("show", "fsdp-fits")
    assert shown.startswith(
        "fsdp-fits: FSDP devices from which a device has room for its share of a feed-forward stack\n"
    )
    assert shown.count("<=>") == 3
    for line in what.lines:
        assert line.reason.replace("`", "") in shown
    for letter, concept in what.letters.items():
        assert re.search(rf"^  {letter} +{re.escape(concept.meaning)}", shown, re.MULTILINE)
    assert "  Holds where M_max > A/2.\n" in shown
    assert what.source.url in shown
    assert "`" not in shown
    assert all(len(line) <= 120 for line in shown.splitlines())


@each("id_", sorted(catalogue.ids()))
def test_every_derivation_can_be_shown_in_every_form(id_: str) -> None:
    assert output("show", id_).startswith(f"{id_}: ")
    markdown, tex = output("show", id_, "--format", "md"), output("show", id_, "--format", "tex")
    steps = len(catalogue.get(id_).lines)
    assert f'<a id="eq-{id_}"></a>**(1)** **' in markdown
    assert markdown.count(" \\\\\n") == steps - 1
    assert tex.partition("\\makeatother")[2].count("\\workingsstep{") == steps
    assert "\\begin{document}" not in tex


def test_value_shows_letters_numbers_result_and_where_they_come_from() -> None:
    shown = output("value", "fsdp-memory", *AT, "--set", "N_fsdp=156")
    lines = shown.splitlines()
    assert lines[0] == "M = (S + A/2)/N + A/2"
    assert lines[1].startswith("  ≈ (3,517.58 GB + 143.747 GB/2)/156")
    assert lines[2] == "  ≈ 94.883 GB"
    assert lines[5] == "    N = 156  devices that share one copy (FSDP)"
    assert lines[-1].startswith("  Leaves out: The gathered weights")  # what it assumes stands below


def test_value_as_json_is_exact() -> None:
    found = json.loads(output("value", "fsdp-memory", *AT, "--set", "N=156", "--json"))
    state, saved = Fraction(16 * 219_848_638_464), Fraction(2 * 8192 * 126 * (16_384 + 53_248))
    exact = (state + saved / 2) / 156 + saved / 2
    assert Fraction(found["exact"]) == exact
    assert found["value"] == pytest.approx(float(exact), rel=1e-15)
    assert (found["unit"], found["shown"]) == ("byte", "94.883 GB")
    assert Fraction(found["inputs"]["S"]["exact"]) == state


def test_value_as_json_survives_what_no_float_holds() -> None:
    found = json.loads(output("value", "ffn-parameters", *AT, "--set", "L=1e400", "--json"))
    assert found["value"] is None
    assert Fraction(found["exact"]) == 2 * 16_384 * 53_248 * 10**400


def test_value_follows_digits_and_settings_in_any_order() -> None:
    first = output("value", "fsdp-memory", *AT, "--set", "N=156", "--set", "a=4 byte")
    second = output("value", "fsdp-memory", *AT, "--set", "a=4 byte", "--set", "N=156")
    assert first == second
    assert output("value", "fsdp-memory", *AT, "--digits", "2").splitlines()[2] == "  ≈ 300 GB"


def test_a_condition_shows_its_boundary() -> None:
    assert output("value", "fsdp-fits", *AT).splitlines()[0] == "N > (S + A/2)/(M_max - A/2)"


def test_solve_checks_both_sides() -> None:
    shown = output("solve", "fsdp-memory", "< 95 GB", "--for", "N", *AT)
    assert shown.splitlines() == [
        "N = 156",
        "  M at N = 155: 95.0313 GB  < 95 GB? no",
        "  M at N = 156: 94.8829 GB  < 95 GB? yes",
    ]


def test_solve_as_json_is_exact() -> None:
    found = json.loads(output("solve", "fsdp-memory", "< 95 GB", "--for", "N", *AT, "--json"))
    assert (found["at"], found["limit"], found["relation"]) == ("156", "95000000000", "<")
    assert Fraction(found["value_at"]) < 95 * 10**9 <= Fraction(found["value_before"])


def test_solve_says_why_there_is_no_solution() -> None:
    shown = output("solve", "fsdp-memory", "< 70 GB", "--for", "N_fsdp", *AT)
    assert shown == "none: A/2 stays whatever N is\n"


def test_solve_for_a_letter_that_does_not_count_gives_a_range() -> None:
    shown = output("solve", "compute-bound-batch-max", "< 30000", "--for", "C", *AT)
    assert shown == "C < 675 TFLOP/s\n"
    arguments = ("solve", "fsdp-memory", "<= 95 GB", "--for", "w_p", *AT, "--set", "N=156", "--json")
    [[low, high]] = json.loads(output(*arguments))["ranges"]
    assert (low, Fraction(high) > 4) == ("0", True)  # 4 bytes fit, as 94.88 GB is below 95 GB


def test_help_names_every_command_and_option() -> None:
    commands = ("list", "show", "presets", "value", "solve", "simplify", "verify", "report")
    shown = output("--help")
    assert "large-model training and serving" in shown
    for command in commands:
        assert re.search(rf"^  {command} ", shown, re.MULTILINE)
        assert output(command, "-h") == output(command, "--help")


def test_version_is_the_installed_one() -> None:
    try:
        installed = version("workings")
    except PackageNotFoundError:
        pytest.skip("run from the source tree, not installed")
    assert output("--version") == f"main, version {installed}\n"


# --- what commands refuse ---------------------------------------------------------------------

NINES = "9" * 99
REFUSED = [
    ("list nosuch", "no topic 'nosuch', expected one of parameters, compute"),
    ("list ../memory", "no topic '../memory'"),
    ("show nosuch", "no derivation 'nosuch', see `workings list`"),
    ("show ring-all-reduc", "did you mean ring-all-reduce"),
    ("show ../../etc/passwd", "no derivation '../../etc/passwd'"),
    ("show fsdp-memory --format md --templates nowhere", "--templates nowhere: no such folder"),
    ("value nosuch", "no derivation 'nosuch'"),
    ("value model-state", "model-state needs L (blocks (layers)), D (model width), F"),
    ("value model-state --at nosuch", "no scenario preset 'nosuch', expected one of deepseek-v3-2048"),
    ("value model-state --at nosuch.toml", "'nosuch.toml': no such file"),
    ("value model-state --at bad.toml", "bad.toml: not valid TOML"),
    ("value model-state --at binary.toml", "binary.toml: not valid TOML"),
    ("value model-state --at unknown.toml", "unknown.toml: model.d_modle: found an unknown key"),
    ("value model-state --at folder", "no scenario preset 'folder'"),
    (f"value model-state --at {'x' * 5000}.toml", "no such file"),
    ("value model-state --at xxl-220b --set Z=1", "--set Z: model-state knows no such name"),
    ("value model-state --at xxl-220b --set L=", "--set L: found ''"),
    ("value model-state --at xxl-220b --set =1", "knows no such name"),
    ("value model-state --at xxl-220b --set L=-1", "found '-1', expected a whole number from 1"),
    ("value model-state --at xxl-220b --set L=1.5", "found '1.5', expected a whole number"),
    ("value model-state --at xxl-220b --set L=3GB", "expected a plain number"),
    ("value model-state --at xxl-220b --set w_p=4", "found '4', expected a quantity in byte"),
    ("value model-state --at xxl-220b --set w_p=4s", "found '4s', expected a quantity in byte"),
    ("value model-state --at xxl-220b --set w_p=4furlong", "found 'furlong', expected a unit such as GB"),
    (f"value model-state --at xxl-220b --set L={NINES}", "is longer than 80 digits"),
    ("value model-state --at xxl-220b --set L=1e999", "is longer than 80 digits or 10^400"),
    (
        "value fsdp-memory --at xxl-220b --set L=3",
        "does not apply: it needs L to be divisible by 2 (here L = 3; set blocks",
    ),
    ("value fsdp-fits --at xxl-220b --set memory=1GB", "does not apply: it needs M_max > A/2"),
    (
        "value compute-bound-batch-max --at xxl-220b --set X=1 --set Y=64",
        "compute-bound-batch-max does not apply: it needs F > a*Y*C/(2[FLOP]*W*M_Y)",
    ),
    (
        "value checkpoint-memory --at xxl-220b --set k=5",
        "does not apply: it needs L to be divisible by k",
    ),
    ("value fsdp-memory --at xxl-220b --set model-state=3", "expected a quantity in byte"),
    ("solve nosuch --for N", "no derivation 'nosuch'"),
    ("solve fsdp-memory --for Q", "Q is not a letter here, expected one of N"),
    ("solve fsdp-memory <95GB --for Q --at xxl-220b", "--for Q: fsdp-memory does not depend on it"),
    ("solve fsdp-memory <95GB --for N", "activation_width, or give a scenario with --at"),
    ("solve fsdp-memory 95GB --for N --at xxl-220b", "found '95GB', expected one such as '< 95 GB'"),
    ("solve fsdp-memory <95 --for N --at xxl-220b", "found '95', expected a quantity in byte"),
    ("solve fsdp-memory <95s --for N --at xxl-220b", "found '95s', expected a quantity in byte"),
    ("solve fsdp-memory =95GB --for N --at xxl-220b", "expected one such as '< 95 GB'"),
    ("solve fsdp-memory <GB --for N --at xxl-220b", "found 'GB', expected a number with its unit"),
    ("solve fsdp-memory <95GB<96GB --for N --at xxl-220b", "found 'GB<96GB', expected a unit such as"),
    ("solve fsdp-fits --for N", "fsdp-fits is a condition, already solved for N"),
    ("solve devices-for-state --for M_max", "SymPy cannot solve it for M_max"),
    ("simplify nosuch", "no derivation 'nosuch'"),
    ("verify nosuch", "no derivation 'nosuch'"),
    ("report nosuch", "no report 'nosuch', expected a Markdown file (there is no reports/ here)"),
    ("report folder", "no report 'folder', expected a Markdown file"),
    (f"report {'x' * 5000}", "no report 'xxx"),
    ("report bad.toml", "bad.toml:1: found no front matter"),
    ("report page.md --format doc", "--format: found 'doc', expected md, tex"),
    ("report page.md --format ,", "--format: found nothing, expected md, tex"),
    ("report page.md -o page.md", "cannot write page.md/report.md: "),
    ("report page.md -o page.md/deeper", "cannot write page.md/deeper/report.md: "),
    ("report page.md --templates nowhere", "--templates nowhere: no such folder"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few bad files, which commands run in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.toml").write_text("x =\n")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "unknown.toml").write_text("[model]\nd_modle = 3\n")
    source_in(tmp_path, "hello\n")
    return tmp_path


@pytest.mark.parametrize(("line", "problem"), REFUSED, ids=lambda text: text[:60])
def test_what_cannot_be_done_is_said_in_one_sentence(here: Path, line: str, problem: str) -> None:
    before = sorted(here.rglob("*"))
    result = run(*line.split(" "))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("workings: ")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 400
    assert sorted(here.rglob("*")) == before  # nothing was written


USAGE = [
    ("value model-state --digits 0", "0 is not in the range"),
    ("value model-state --digits 31", "31 is not in the range"),
    ("value model-state --set L", "--set L: expected NAME=VALUE, such as N_fsdp=156"),
    ("solve fsdp-memory", "Missing option '--for'"),
    ("show", "Missing argument 'ID'"),
    ("show fsdp-memory --format pdf", "'pdf' is not one of 'text', 'md', 'tex', 'html'"),
    ("report page.md --as quiz", "'quiz' is not one of 'sheet', 'form', 'solutions'"),
    ("report", "found no reports/*/source.md here, expected a NAME or PATH"),
    ("report --check", "found no reports/*/source.md here"),
    ("report page.md page.md -o folder", "2 reports called 'page', expected names that differ"),
    ("nosuch", "No such command 'nosuch'"),
    ("--nosuch", "No such option"),
]


@pytest.mark.parametrize(("line", "problem"), USAGE, ids=lambda text: text[:60])
def test_a_command_used_wrongly_shows_how_it_is_used(here: Path, line: str, problem: str) -> None:
    before = sorted(here.rglob("*"))
    result = run(*line.split(" "))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: ")
    assert problem in result.stderr
    assert sorted(here.rglob("*")) == before


# --- reports ----------------------------------------------------------------------------------


def test_a_report_is_written_whole_and_named(here: Path) -> None:
    source_in(here, FIGURE)
    assert output("report", "page.md", "-o", "out").splitlines() == [
        "out/report.md", "out/report.tex", "out/memory.svg"
    ]  # fmt: skip
    assert sorted(p.name for p in (here / "out").iterdir()) == [
        "memory.svg", "report.md", "report.tex"
    ]  # fmt: skip
    assert output("report", "page.md", "--as", "sheet", "--format", "tex") == "sheet.tex\n"


def test_a_report_is_found_by_its_name(here: Path) -> None:
    folder = here / "reports" / "mine"
    folder.mkdir(parents=True)
    source_in(folder, "x\n", name="source.md")
    written = ["reports/mine/report.md", "reports/mine/report.tex"]
    assert output("report", "mine").splitlines() == written
    assert output("report").splitlines() == written
    assert output("report", "reports/mine").splitlines() == written
    assert "or one of mine" in run("report", "other").stderr


def test_several_reports_get_folders_of_their_own_in_one(here: Path) -> None:
    for name in ("one", "two"):
        (here / "reports" / name).mkdir(parents=True)
        source_in(here / "reports" / name, f"{name}\n", name="source.md")
    source_in(here, "x\n")
    assert output("report", "-o", "out", "--format", "md").splitlines() == [
        "out/one/report.md", "out/two/report.md"
    ]  # fmt: skip
    made = output("report", "one", "page.md", "-o", "out", "--format", "tex")
    assert made.splitlines() == ["out/one/report.tex", "out/page/report.tex"]
    assert (here / "out" / "two" / "report.md").read_text(encoding="utf-8").endswith("two\n")


@pytest.mark.slow
def test_many_reports_are_built_by_several_processes_and_an_error_in_one_is_told(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    for name in "abcde":
        (here / "reports" / name).mkdir(parents=True)
        source_in(here / "reports" / name, f"{name}: {{value}}`model-state`\n", name="source.md")
    assert output("report", "--format", "md").splitlines() == [
        f"reports/{name}/report.md" for name in "abcde"
    ]  # fmt: skip
    for name in "abcde":
        text = (here / "reports" / name / "report.md").read_text(encoding="utf-8")
        assert text.endswith(f"{name}: 3,518 GB\n")
    source_in(here / "reports" / "c", "{value}`nope`\n", name="source.md")
    result = run("report", "--format", "md")
    assert result.exit_code == 2
    assert result.stderr.startswith("workings: source.md:5: {value}`nope`: ")


def test_provenance_is_an_option_of_report(here: Path) -> None:
    source_in(here, "```{chain} fsdp-fits\n```\n")
    lines = {}
    for how in ("full", "short", "none"):
        output("report", "page.md", "-o", "out", "--provenance", how)
        lines[how] = (
            (here / "out" / "report.md")
            .read_text(encoding="utf-8")
            .replace("<sub>where ", "")
            .count("<sub>")
        )
    assert lines["full"] > lines["short"] == 1
    assert lines["none"] == 0
    refused = run("report", "page.md", "--provenance", "long")
    assert refused.exit_code == 2
    assert "'long' is not one of 'full', 'short', 'none'" in refused.stderr


def test_check_finds_a_changed_byte_and_a_missing_file_and_writes_nothing(here: Path) -> None:
    source_in(here, FIGURE)
    output("report", "page.md", "-o", "out")
    assert run("report", "page.md", "-o", "out", "--check").exit_code == 0
    for name in ("report.md", "report.tex", "memory.svg"):
        path = here / "out" / name
        good = path.read_bytes()
        for bad in (good + b" ", good[:-1], b"\xff" + good[1:]):
            path.write_bytes(bad)
            result = run("report", "page.md", "-o", "out", "--check")
            assert result.exit_code == 1
            assert result.stdout == ""
            again = "run `workings report page.md`"
            assert result.stderr == f"out/{name}: differs from its source, {again}\n"
            assert path.read_bytes() == bad
        path.unlink()
        result = run("report", "page.md", "-o", "out", "--check")
        assert (result.exit_code, f"out/{name}: missing" in result.stderr) == (1, True)
        assert not path.exists()
        path.write_bytes(good)


def test_check_without_a_folder_makes_none(here: Path) -> None:
    result = run("report", "page.md", "-o", "new", "--check")
    assert result.exit_code == 1
    assert not (here / "new").exists()


def test_one_bad_source_among_several_is_named_and_not_half_written(here: Path) -> None:
    source_in(here, "good\n", name="good.md")
    source_in(here, "{value}`nope`\n", name="bad.md")
    for name in ("good", "bad"):
        (here / "reports" / name).mkdir(parents=True)
        (here / f"{name}.md").rename(here / "reports" / name / "source.md")
    result = run("report")
    assert result.exit_code == 2
    assert "source.md:5: {value}`nope`" in result.stderr
    assert [p.name for p in (here / "reports" / "bad").iterdir()] == ["source.md"]


# --- verify -----------------------------------------------------------------------------------


def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, id_: str, old: str, new: str) -> None:
    """The catalogue with one chain changed, and another file for what verify finds."""
    real = catalogue.get(id_)
    assert old in real.chain
    changed = real.with_chain(real.chain.replace(old, new, 1))

    def get(name: str) -> Derivation:
        return changed if name == id_ else real

    monkeypatch.setattr(catalogue, "get", get)
    monkeypatch.setattr(
        verified, "save", lambda entries, kept: (tmp_path / "saved").write_text(str(sorted(entries)))
    )


@pytest.mark.slow
def test_verify_exits_1_and_names_derivation_and_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken(monkeypatch, tmp_path, "ring-all-reduce", "= 2*(N - 1)*(S/N)", "= 2*(N + 1)*(S/N)")
    result = run("verify", "ring-all-reduce", "--dry-run")
    assert result.exit_code == 1
    assert re.search(r"^ring-all-reduce +refuted +4", result.stdout, re.MULTILINE)
    sentences = result.stderr.splitlines()
    assert sentences[0].startswith("refuted: ring-all-reduce, line 3: ")
    assert all(s.startswith("refuted: ring-all-reduce, line ") for s in sentences)
    assert not (tmp_path / "saved").exists()  # --dry-run


@pytest.mark.slow
def test_verify_finds_a_wrong_first_line_by_counting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = catalogue.get("ring-all-reduce")
    wrong = real.with_chain(real.chain.replace("N - 1", "N"))
    monkeypatch.setattr(catalogue, "get", lambda _: wrong)
    result = run("verify", "ring-all-reduce", "--dry-run")
    assert result.exit_code == 1
    assert "refuted: ring-all-reduce, line 1 (by its oracle): formula " in result.stderr
    assert "counted " in result.stderr


@pytest.mark.slow
def test_verify_of_a_good_chain_says_so_and_keeps_what_it_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken(monkeypatch, tmp_path, "matmul-flops", " -- ", " -- ")
    result = run("verify", "matmul-flops")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert re.search(r"^matmul-flops +proved +\d+  agrees at \d+ points$", result.stdout, re.M)
    assert (tmp_path / "saved").read_text() == "['matmul-flops']"


@pytest.mark.slow
def test_a_report_may_verify_what_it_uses_first(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    kept: dict[str, object] = {}
    monkeypatch.setattr(verified, "save", lambda entries, _: kept.update(entries))
    real = verified.fresh
    monkeypatch.setattr(verified, "fresh", lambda what: None if "ffn" in what.id else real(what))
    source_in(here, "```{chain} ffn-forward-flops\n```\n\n```{chain} ring-all-reduce\n```\n")
    assert output("report", "page.md", "--verify", "-o", "out").startswith("out/report.md")
    others = {what for what in ("matmul-flops", "ring-all-reduce") if real(catalogue.get(what)) is None}
    assert set(kept) == {"ffn-forward-flops"} | others  # only what is not proved as it stands


@pytest.mark.slow
def test_simplify_and_solve_ask_sympy() -> None:
    assert output("simplify", "ring-all-reduce") == "V = 2*S*(N - 1)/N\n"
    assert output("solve", "model-state", "--for", "P") == "P = S/(w_p + w_g + 2*w_o)\n"


# --- as a program -----------------------------------------------------------------------------

PROGRAM = "import sys; from workings.cli import main; main(prog_name='workings')"
REPORT_MODULES = (
    "import atexit, sys; atexit.register(lambda: print('MODULES', *sorted("
    "{m.partition('.')[0] for m in sys.modules}), file=sys.stderr)); "
)


def program(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - this Python and our own lines
        [sys.executable, "-c", before + PROGRAM, *arguments], capture_output=True, text=True,
        check=False, env={"PYTHONPATH": str(SRC), "PYTHONUTF8": "1"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (("--help",), {"sympy", "mpmath", "jinja2", "markdown_it", "msgspec"}),
        (("list",), {"sympy", "jinja2", "markdown_it"}),
        (("show", "fsdp-memory"), {"sympy", "mpmath", "jinja2", "markdown_it"}),
        (("value", "fsdp-memory", *AT), {"sympy", "mpmath", "jinja2", "markdown_it"}),
        (("value", "nosuch"), {"sympy", "jinja2", "markdown_it"}),
        (("show", "fsdp-memory", "--format", "md"), {"sympy"}),
    ],
)
def test_a_command_loads_only_what_it_needs(arguments: tuple[str, ...], absent: set[str]) -> None:
    ran = program(*arguments, before=REPORT_MODULES)
    loaded = set(ran.stderr.rpartition("MODULES ")[2].split())
    assert "click" in loaded
    assert not loaded & absent


def test_the_program_itself_keeps_exit_codes_and_streams() -> None:
    good = program("value", "ring-all-gather", "--set", "N=4", "--set", "S=8 GB")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines()[0] == "V_AG = (N - 1)/N*S"
    bad = program("value", "ring-all-gather", "--set", "N=4")
    assert (bad.returncode, bad.stdout) == (2, "")
    needs, _, command = bad.stderr.partition("; for example: ")
    assert needs == "workings: ring-all-gather needs S (bytes of the whole message): set message"
    assert command == "workings value ring-all-gather --at gpt3-512 --set group=8 --set 'message=1 GB'\n"


def test_a_hostile_source_ends_in_a_sentence_not_a_traceback(tmp_path: Path) -> None:
    path = source_in(tmp_path, "*" * 50_000 + "x" + "*" * 50_000, FRONT)
    ran = program("report", str(path), "-o", str(tmp_path / "out"))
    assert ran.returncode == 2
    assert ran.stderr == "workings: page.md:5: emphasis or links nested deeper than 20\n"
    assert not (tmp_path / "out").exists()


def test_the_list_of_commands_imports_none_of_them_and_names_each() -> None:
    loaded = "print([name for name in sys.modules if '.cli.' in name])"
    ran = program("--help", before=f"import atexit, sys; atexit.register(lambda: {loaded}); ")
    assert ran.stdout.splitlines()[-1] == "[]"
    listed = re.findall(r"^  (\w+) +\S.*\.$", ran.stdout.partition("Commands:\n")[2], re.MULTILINE)
    assert listed == sorted(main.list_commands(Context(main)))
    for name in listed:
        command = main.get_command(Context(main), name)
        assert command is not None, name
        assert command.help, name


def test_a_value_takes_nothing_along_that_only_proofs_and_files_need() -> None:
    ran = program("value", "fsdp-memory", *AT, "--set", "N=156", before=REPORT_MODULES)
    loaded = set(ran.stderr.rpartition("MODULES ")[2].split())
    assert not loaded & {"json", "hashlib", "random", "tempfile", "shutil", "numpy"}
