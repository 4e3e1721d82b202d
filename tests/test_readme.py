"""README, CONTRIBUTING and docs/ are true: what they show happens, and their tables are complete."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
import pytest
from documents import FRONT, build_text, run
from looping import each
from pages import PAGES, ROOT, blocks, followed

from workings import catalogue
from workings.check.keys.file import Answer, KeyFile, Part, Reading
from workings.cli import main
from workings.document.front import Front
from workings.document.read import LEAVES, NOTES
from workings.planning import accuracy
from workings.planning.assumed import ASSUMPTIONS
from workings.planning.inputs import clusters, launches, names, results, reviews, tiers
from workings.planning.inputs.assumptions import ASSUMABLE
from workings.planning.inputs.jobs import read_job
from workings.scenario.hf_families import FAMILIES
from workings.scenario.inputs import SECTIONS
from workings.units import parse_quantity

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = {path.stem: path.read_text(encoding="utf-8") for path in PAGES if path.parent == ROOT / "docs"}
EVERY = {path: path.read_text(encoding="utf-8") for path in PAGES}


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table with this heading."""
    assert page.count(heading) == 1, heading
    table = page.partition(heading)[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def listed(page: str, heading: str) -> dict[str, str]:
    """Key to the last cell of its row: the default, where the table has one."""
    cells = rows(page, heading)
    return {key: row[-1] for row in cells for key in re.findall(r"`\[?\[?([a-z_]+)\]?\]?`", row[0])}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path) -> None:
    assert followed(EVERY[page], tmp_path) == EVERY[page]


SAVED = 'Save this as `a.toml`:\n\n```toml\nname = "x"\n```\n'
PRINTED = "```markdown\n{math}`N`\n```\n\n<!-- printed -->\n"


@each(
    "page",
    [
        "```console\n$ workings list no-such-topic\n```\n",  # fails, and nothing says so
        "```console\n$ workings presets\n$ echo $?\n0\n```\n",
        '```toml\nname = "x"\n```\n',  # nothing says what to do with it
        SAVED,  # saved, and used by nothing
        "- here\n\n  ```console\n  $ workings list\n  ```\n",
        "```python\n>>> 1 + 1\n3\n\n```\n",
    ],
)
def test_a_block_that_shows_nothing_is_refused(
    page: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(AssertionError):
        followed(page, tmp_path_factory.mktemp("page"))


@each(
    "page, now",
    [
        (
            "```console\n$ workings list memory | head -n 1\nmine\n```\n",
            "```console\n$ workings list memory | head -n 1\nmemory\n```\n",
        ),
        (
            "```console\n$ workings show no-such-id | wc -l\n7\n```\n",
            "```console\n$ workings show no-such-id | wc -l\n1\n```\n",
        ),
        (
            f"{PRINTED}N\n<!-- end -->\n",
            f"{PRINTED}$`N`$\n<!-- end -->\n",
        ),
        (
            f"{SAVED}\n```console\n$ cat a.toml\nname\n```\n",
            f'{SAVED}\n```console\n$ cat a.toml\nname = "x"\n```\n',
        ),
    ],
)
def test_what_has_changed_is_seen(page: str, now: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert followed(page, tmp_path_factory.mktemp("page")) == now


# --- README -----------------------------------------------------------------------------------


def test_the_readme_is_short_and_has_an_example_for_each_reader() -> None:
    assert len(README.encode()) <= 8_000
    for reader, command in (("instructor", "report"), ("student", "check"), ("engineer", "review")):
        part = re.split(r"^## ", README.partition(f"## For an {reader}")[2] or
                        README.partition(f"## For a {reader}")[2], flags=re.MULTILINE)[0]  # fmt: skip
        assert re.search(rf"^\$ workings {command} ", part, re.MULTILINE), reader


def test_every_guide_is_listed() -> None:
    for name in DOCS:
        assert name == "README" or f"({name}.md)" in DOCS["README"], name
        assert name == "README" or f"(docs/{name}.md)" in README, name


def test_the_readmes_derivation_is_the_reports(report: Mapping[str, str]) -> None:
    [derivation] = [block.text for block in blocks(README) if block.language == "math"]
    assert derivation in report["report.md"]


def test_counts_on_pages_are_those_of_what_they_count() -> None:
    assert 450 <= run("list").stdout.count("\n  ") <= 550  # “about 500”
    [(runs, error)] = re.findall(
        r"On (\d+) published step times [^.]*within ([\d.]+) %", " ".join(DOCS["reviews"].split())
    )
    assert int(runs) == len(accuracy.step_times())
    assert float(error) == float(100 * accuracy.model_error())


def test_what_the_checker_is_said_to_find_is_what_it_was_measured_to_find() -> None:
    measured = (ROOT / "reports/check-benchmark/measured.toml").read_text(encoding="utf-8")
    rows = [row for row in tomllib.loads(measured)["training"]["rows"] if row[2] == "by default"]
    wrong, found, accused, right = (sum(int(row[n]) for row in rows) for n in (3, 4, 6, 7))
    said = " ".join(DOCS["checking"].split())
    assert f"whose {wrong} mistakes people had labelled, it found {found}, and all" in said
    assert f"all of its {accused} accusations were right" in said
    assert accused == right


# --- links and names --------------------------------------------------------------------------


def test_links_to_files_of_the_repository_lead_somewhere() -> None:
    for page, text in EVERY.items():
        for address in re.findall(r"\]\(([^)#]+)\)", text):
            assert address.startswith("https://") or (page.parent / address).is_file(), (page, address)


def test_commands_that_are_only_mentioned_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    helps = {name: run(name, "--help").output for name in main.list_commands(click.Context(main))}
    for text in EVERY.values():
        for target in re.findall(r"\bmake ([a-z]+)\b(?=`|\n|,)", text):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for command in re.findall(r"`workings ([a-z]+)", text):
            assert command in helps, command
        for option in re.findall(r"`(--[a-z-]+)", text):
            assert any(option in shown for shown in helps.values()), option


def test_every_formula_of_the_table_is_there() -> None:
    cells = [row[1] for row in rows(DOCS["formulas"], "| question | formula |")]
    ids = [found for cell in cells for found in re.findall(r"`([^`]+)`", cell)]
    assert len(ids) >= 14
    for name in ids:
        assert catalogue.get(name).id == name


def test_the_versions_are_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", cited, re.MULTILINE) == [project["version"]]
    assert re.findall(r"^license: (.*)$", cited, re.MULTILINE) == [project["license"]]
    assert re.findall(r"^## ([0-9.]+)", changes, re.MULTILINE)[0] == project["version"]


# --- tables of keys ---------------------------------------------------------------------------


def test_every_key_of_a_scenario_is_listed_with_its_default() -> None:
    found: dict[str, dict[str, str]] = {"": {}}
    section = ""
    for first, keys, _, default in rows(DOCS["keys"], "| section | key | meaning | default |"):
        section = first.strip("`[]") or section
        for key in re.findall(r"`([a-z_]+)`", keys):
            found.setdefault(section, {})[key] = default
    assert found.pop("").keys() == {"name"}
    assert found.keys() == SECTIONS.keys()
    for name, struct in SECTIONS.items():
        assert found[name].keys() - {"preset", "hf"} == set(struct.__struct_fields__)
        for field in msgspec.structs.fields(struct):
            default = found[name][field.name]
            assert (default == "required") == field.required, field.name
            if re.fullmatch("`[0-9].*`", default):
                assert default == f"`{field.default}`", field.name


FROM = {"file", "preset", "hardware", "megatron", "torchtitan", "framework"}  # name what is read there
CLUSTER = listed(DOCS["keys"], "| key of `[cluster]` | meaning | default |")
LAUNCH = listed(DOCS["keys"], "| key of `[launch]` | meaning | default |")


def test_every_key_of_a_job_is_listed() -> None:
    of_a_device = set(SECTIONS["hardware"].__struct_fields__)
    assert set(clusters.CLUSTER_KEYS) - of_a_device <= CLUSTER.keys()
    assert CLUSTER.keys() - FROM <= set(clusters.CLUSTER_KEYS)
    assert LAUNCH.keys() - FROM == set(launches.LAUNCH_KEYS)
    assert listed(DOCS["keys"], "| key of a tier | meaning |").keys() == set(tiers._KEYS)


def test_the_defaults_of_a_job_are_those_it_gets(tmp_path: Path) -> None:
    short = tmp_path / "job.toml"
    short.write_text(
        '[model]\npreset = "llama3-8b"\n[cluster]\ncompute = "1 TFLOP/s"\nmemory = "80 GB"\n'
        'memory_bandwidth = "1 TB/s"\nlink_one_way = "1 GB/s"\n[launch]\ndp = 8\nbatch = 8\n'
        "sequence_length = 8192\n"
    )
    figures = read_job(short).figures
    letters = {names.key_of(letter): letter for letter in figures}
    compared = set()
    for key, default in {**LAUNCH, **CLUSTER}.items():
        if re.fullmatch("`[0-9].*`", default) and key in letters:
            value = parse_quantity(default.strip("`")).value
            assert figures[letters[key]].value == value, key
            compared.add(key)
    assert compared >= {"tp", "pp", "virtual_stages", "flash_attention", "prefetched_units", "price",
                        "offload_optimizer", "link_latency", *launches.WIDTHS}  # fmt: skip
    assert LAUNCH["zero"] == "`1`"
    assert [figures[z].value for z in ("z_1", "z_2", "z_3", "z_c", "z_f", "o_d")] == [1, 0, 0, 0, 0, 1]


def test_every_assumption_is_listed_with_its_value_and_range() -> None:
    found = {
        row[0].strip("`"): row[2:]
        for row in rows(DOCS["keys"], "| key of `[assume]` | meaning | value | range |")
    }
    assert found.keys() == ASSUMPTIONS.keys()
    assert found.keys() <= ASSUMABLE.keys()
    for name, (value, between) in found.items():
        what = ASSUMPTIONS[name]
        assert value == f"`{what.value}`", name
        fixed = what.low == what.high == what.value
        assert between == ("" if fixed else f"`{what.low}` to `{what.high}`"), name


def test_every_table_of_a_job_is_listed_with_its_own_keys() -> None:
    found = {row[0].strip("`[]"): row[1] for row in rows(DOCS["keys"], "| table | what it says |")}
    assert found.keys() == {"model", "cluster", "cluster.tier", "launch", "assume", "measured",
                            "published", "review"}  # fmt: skip
    for table, keys in (
        ("review", (*reviews._TEXTS, *reviews._KEYS)),
        ("measured", (*results.SETTLING, "of", "source")),
        ("published", (*results.RESULTS, "counts", "source", "why")),
    ):
        assert set(re.findall(r"`([a-z_]+)`", found[table])) == set(keys), table


def test_every_family_of_a_hugging_face_configuration_is_listed() -> None:
    [said] = re.findall(r"by their `model_type`: (.*?)\. Any other", " ".join(DOCS["keys"].split()))
    assert set(re.findall(r"`([^`]+)`", said)) == set(FAMILIES)


def test_every_key_of_front_matter_and_of_an_answer_key_is_named() -> None:
    fields = listed(DOCS["instructors"], "| key | meaning |")
    assert fields.keys() - {"page", "section"} == set(Front.__struct_fields__)
    part = DOCS["checking"].partition("## Grade hand-ins")[2]
    for struct in (KeyFile, Part, Answer, Reading):
        for field in struct.__struct_fields__:
            assert re.search(rf"[`\[.]{field}\b|^{field} = ", part, re.MULTILINE), field


# --- directives -------------------------------------------------------------------------------

DIRECTIVES = rows(DOCS["directives"], "| directive | prints |")


def test_every_directive_and_no_other_is_documented() -> None:
    documented = {name for row in DIRECTIVES for name in re.findall(r"`\{([a-z]+)\}", row[0])}
    assert documented == {*LEAVES, *NOTES, "question", "solution"}


def test_a_documented_option_is_one(tmp_path: Path) -> None:
    options = [(re.findall(r"`\{([a-z]+)\}", row[0])[0], re.findall(r"`:([a-z]+):", row[1]))
               for row in DIRECTIVES]  # fmt: skip
    assert sum(len(found) for _, found in options) >= 15
    for name, found in options:
        for option in found:
            known = f"```{{{name}}} model-state\n:{option}: 3\n:nope: x\n```\n"
            with pytest.raises(ValueError, match=r"found :nope:, expected .*") as caught:
                build_text(tmp_path, known, FRONT)
            assert f":{option}:" in str(caught.value).partition("expected")[2], (name, option)
