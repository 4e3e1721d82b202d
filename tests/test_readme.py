"""README and CONTRIBUTING are true: what they show is what happens."""

import doctest
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import audits
import msgspec
import pytest
from auditing import DIRECTIVES
from documents import Options, run

import workings
from workings import catalogue
from workings.derivation import Derivation
from workings.document.read import LEAVES, NOTES
from workings.planning import accuracy
from workings.render.reports import build
from workings.scenario.inputs import SECTIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, inner fences included."""
    pattern = rf"^(`{{3,}}){language}\n(.*?)^\1$"
    return [body for _, body in re.findall(pattern, text, re.MULTILINE | re.DOTALL)]


def transcripts() -> Iterator[tuple[str, str]]:
    """Each `$ workings …` of the README with the output printed below it."""
    for block in blocks(README, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


def test_the_readme_has_transcripts_at_all() -> None:
    assert len(list(transcripts())) >= 8
    assert all(command.startswith("workings ") for command, _ in transcripts())


@pytest.mark.parametrize(("command", "shown"), list(transcripts()), ids=lambda text: text[:50])
def test_a_command_of_the_readme_prints_what_the_readme_shows(command: str, shown: str) -> None:
    result = run(*shlex.split(command)[1:])
    finds_errors = command.startswith("workings check") and " wrong" in shown
    assert result.exit_code == (1 if finds_errors else 0)
    assert result.stdout == shown


def test_the_python_of_the_readme_runs() -> None:
    [block] = blocks(README, "python")
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert len(test.examples) >= 3
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_readme_counts_the_published_runs_as_the_validation_does() -> None:
    [said] = re.findall(r"How far the model is off, on (\d+) published\s+step times", README)
    assert int(said) == len(accuracy.step_times())


def test_the_readmes_job_file_can_be_reviewed(tmp_path: Path) -> None:
    _, block = blocks(README, "toml")
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "vocab_size": 128256,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "tie_word_embeddings": False,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "job.toml").write_text(block, encoding="utf-8")
    out = tmp_path / "review"
    ran = run("review", str(tmp_path / "job.toml"), "-o", str(out))
    assert ran.exit_code == 0, ran.stderr
    assert ran.stdout.splitlines()[-1].startswith(("GO", "NO-GO"))
    assert {"review.md", "review.tex", "review.json"} <= {path.name for path in out.iterdir()}


def test_the_readmes_own_scenario_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block, _ = blocks(README, "toml")
    (tmp_path / "mine.toml").write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    [command] = re.findall(r"`workings (value [^`]*mine\.toml)`", README)
    shown = run(*shlex.split(command)).stdout
    parameters = 2 * 64 * 16_384 * 53_248
    assert f"P = {parameters:,}" in shown
    assert workings.load_scenario("mine.toml").name == "half the blocks, on H100s"


def test_the_readmes_own_document_is_built_in_both_formats(tmp_path: Path) -> None:
    [block] = blocks(README, "markdown")
    (tmp_path / "quiz.md").write_text(block, encoding="utf-8")
    made = build(tmp_path / "quiz.md", Options())
    assert set(made) == {"report.md", "report.tex"}
    sentence = "takes 3,518 GB, so 44 devices of 80 GB hold it."
    assert f"$`S`$ {sentence}" in made["report.md"]
    assert f"$S$ {sentence.replace(' GB', '~GB', 1)}" in made["report.tex"]
    sheet = build(tmp_path / "quiz.md", Options(sheet=True))
    assert "How many devices" in sheet["sheet.md"]
    assert "44" not in sheet["sheet.md"]


def test_the_readmes_page_is_the_reports(report: Mapping[str, str]) -> None:
    page = README.partition("## What a page looks like")[2].partition("\n## ")[0]
    derivation, numbers = blocks(page, "math")
    assert derivation in report["report.md"]
    shown = re.sub(r" *(\\\\)?\n *&?", " ", report["report.md"])
    for number in re.findall(r"[0-9][0-9{},.]*[0-9]", numbers):
        assert number in shown
    rows = [row.replace("$`N`$", "N") for row in report["report.md"].splitlines()]
    for row in re.findall(r"^\|.*\|$", page, re.MULTILINE):
        assert row in rows or set(row) <= set("|:-")


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    for text in (README, CONTRIBUTING):
        for address in re.findall(r"\]\(([^)#]+)\)", text):
            assert address.startswith("https://") or (ROOT / address).is_file(), address


def test_commands_that_are_only_mentioned_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for text in (README, CONTRIBUTING):
        for target in re.findall(r"\bmake ([a-z]+)\b(?=`|\n|,)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for command in re.findall(r"`workings ([a-z]+)", text):
            assert run(command, "--help").exit_code == 0
        for option in re.findall(r"`(--[a-z-]+)", text):
            helps = "".join(
                run(c, "--help").output
                for c in (
                    "report",
                    "value",
                    "solve",
                    "show",
                    "check",
                    "review",
                    "plan",
                    "lint",
                    "sweep",
                    "calibrate",
                    "diff",
                )
            )
            assert option in helps, option


def rows(heading: str) -> list[list[str]]:
    """The cells of the README's table with this heading."""
    table = README.partition(heading)[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def test_every_key_of_a_scenario_is_listed_with_its_default() -> None:
    listed: dict[str, dict[str, str]] = {"": {}}
    section = ""
    for first, keys, _, default in rows("| section | key | meaning | default |"):
        section = first.strip("`[]") or section
        for key in re.findall(r"`([a-z_]+)`", keys):
            listed.setdefault(section, {})[key] = default
    assert listed.pop("").keys() == {"name"}
    assert listed.keys() == SECTIONS.keys()
    for name, struct in SECTIONS.items():
        assert listed[name].keys() - {"preset", "hf"} == set(struct.__struct_fields__)
        for field in msgspec.structs.fields(struct):
            default = listed[name][field.name]
            assert (default == "required") == field.required, field.name
            if re.fullmatch("`[0-9].*`", default):
                assert default == f"`{field.default}`", field.name


def test_every_formula_of_the_table_is_there() -> None:
    ids = [found for row in rows("| question | formula |") for found in re.findall(r"`([^`]+)`", row[1])]
    assert len(ids) >= 14
    for name in ids:
        assert catalogue.get(name).id == name


# --- CONTRIBUTING -----------------------------------------------------------------------------


def test_the_contributed_derivation_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    [block] = blocks(CONTRIBUTING, "python")
    module: dict[str, object] = {"__name__": "workings.derivations.memory.batch_tokens"}
    exec(compile(block, "CONTRIBUTING.md", "exec"), module)  # noqa: S102 - our own documentation
    [what] = [value for value in module.values() if isinstance(value, Derivation)]
    assert what.id == "batch-tokens"
    monkeypatch.setattr(catalogue, "get", lambda _: what)
    found = workings.verify("batch-tokens")
    assert found.word == "proved"
    assert [step.verdict.word for step in found.steps] == ["proved"]
    assert found.oracle.word == "proved"
    assert not list(found.refutations())


def test_every_directive_and_no_other_is_documented() -> None:
    _, ours, own = CONTRIBUTING.split("| directive | prints |\n")
    named = [set(re.findall(r"`\{([a-z]+)\}", one.partition("\n\n")[0])) for one in (ours, own)]
    assert named == [{*LEAVES, *NOTES, "question", "solution"}, {*DIRECTIVES}]


OPTIONS = re.findall(
    r"^\| `\{([a-z]+)\}[^|]*\|([^|]*)\|", CONTRIBUTING.partition("| directive |")[2], re.MULTILINE
)


@pytest.mark.parametrize(("name", "words"), OPTIONS)
def test_a_documented_option_is_one(tmp_path: Path, name: str, words: str) -> None:
    for option in re.findall(r"`:([a-z]+):", words):
        known = f"```{{{name}}} model-state\n:{option}: 3\n:nope: x\n```\n"
        with pytest.raises(ValueError, match=r"found :nope:, expected .*") as caught:
            audits.build_text(tmp_path, known)
        assert f":{option}:" in str(caught.value).partition("expected")[2]


def test_the_answer_key_of_contributing_can_be_used(tmp_path: Path) -> None:
    [block] = [b for b in blocks(CONTRIBUTING, "toml") if "[[part]]" in b]
    (tmp_path / "mine.toml").write_text(block, encoding="utf-8")
    (tmp_path / "hand-in.md").write_text("(a) So 44 devices are needed.\n", encoding="utf-8")
    result = run("check", "--key", str(tmp_path / "mine.toml"), str(tmp_path / "hand-in.md"))
    assert result.exit_code == 0
    assert "2 of 2" in result.stdout
