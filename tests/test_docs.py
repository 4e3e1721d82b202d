"""The tables of docs/ are complete: keys, defaults, directives and options are those of the program."""

import inspect
import re
from pathlib import Path

import msgspec
import pytest
from auditing import DIRECTIVES as OWN
from documents import FRONT, build_text
from looping import each
from pages import PAGES, ROOT

from workings import catalogue
from workings.check.claimed.schema import KINDS, Claim, ClaimsFile
from workings.derivation import derivation
from workings.document.front import Front
from workings.document.read import HOLDERS, LEAVES
from workings.grade.file import Answer, KeyFile, Part, Reading
from workings.planning.assumed import ASSUMPTIONS
from workings.planning.inputs import clusters, launches, names, results, reviews, tiers
from workings.planning.inputs.assumptions import ASSUMABLE
from workings.planning.inputs.jobs import read_job
from workings.scenario.hf_families import FAMILIES
from workings.scenario.inputs import SECTIONS
from workings.units import ONE, parse_quantity, parse_unit
from workings.vocabulary import concepts, serving, serving_time
from workings.vocabulary.concept import Concept

NAMES = "| name for `--set` | meaning | unit | chapters |"  # of serving
DOCS = {path.stem: path.read_text(encoding="utf-8") for path in PAGES if path.parent == ROOT / "docs"}


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table with this heading."""
    assert page.count(heading) == 1, heading
    table = page.partition(heading)[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def listed(page: str, heading: str) -> dict[str, str]:
    """Key to the last cell of its row: the default, where the table has one."""
    cells = rows(page, heading)
    return {key: row[-1] for row in cells for key in re.findall(r"`\[?\[?([a-z0-9_]+)\]?\]?`", row[0])}


@each("page, least", [("formulas", 14), ("serving", 10)])
def test_every_formula_of_the_table_is_there(page: str, least: int) -> None:
    cells = [row[1] for row in rows(DOCS[page], "| question | formula |")]
    ids = [found for cell in cells for found in re.findall(r"`([^`]+)`", cell)]
    assert len(ids) >= least
    for name in ids:
        assert catalogue.get(name).id == name


def test_every_formula_of_serving_that_its_page_names_is_there() -> None:
    named = re.findall(r"`((?:[a-z]+-)+[a-z]+)`", DOCS["serving"])
    assert len(named) >= 20
    for name in named:
        assert catalogue.get(name).topic == "serving"


def test_every_key_of_a_scenario_is_listed_with_its_default() -> None:
    found: dict[str, dict[str, str]] = {"": {}}
    section = ""
    for first, keys, _, default in rows(DOCS["keys"], "| section | key | meaning | default |"):
        section = first.strip("`[]") or section
        for key in re.findall(r"`([a-z0-9_]+)`", keys):
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
    widths = set(launches.WIDTHS) - {"dispatch_width"}  # it follows another
    assert compared >= {"tp", "pp", "virtual_stages", "flash_attention", "prefetched_units",
                        "offload_optimizer", "link_latency", *widths}  # fmt: skip
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
        ("measured", (*results.SETTLING, "of", "model", "source")),
        ("published", (*results.RESULTS, "counts", "source", "why")),
    ):
        assert set(re.findall(r"`([a-z_]+)`", found[table])) == set(keys), table


def test_every_name_of_serving_is_listed_with_meaning_unit_and_chapters() -> None:
    """Those that only serving's vocabulary has, and those of its formulas that no scenario gives."""
    modules = (serving, serving_time)
    own = {c for module in modules for c in vars(module).values() if isinstance(c, Concept)}
    taken = {c for what in catalogue.every("serving") for c in what.letters.values()}
    expected = {c.name: c for c in own | {c for c in taken if c.supplied is None}}
    found = {row[0].strip("`"): row[1:] for row in rows(DOCS["keys"], NAMES)}
    assert found.keys() == expected.keys()
    for name, (meaning, unit, chapters) in found.items():
        concept = expected[name]
        assert meaning == concept.meaning, name
        said = parse_unit(unit.strip("`")).dimension if unit != "—" else ONE
        assert said == concept.dimension, name
        taking = {what.topic for what in catalogue.every() if concept in what.letters.values()}
        assert set(chapters.split(", ")) == taking, name


def test_what_a_training_run_gives_of_them_is_said() -> None:
    names = {row[0].strip("`") for row in rows(DOCS["keys"], NAMES)}
    given = {c.name: c.supplied for c in concepts() if c.name in names and c.supplied}
    said = dict(re.findall(r"`(\w+)` is its `(\w+)`", DOCS["keys"]))
    assert {name: f"training.{key}" for name, key in said.items()} == given


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


def test_every_key_of_a_claims_file_is_listed_with_its_kind() -> None:
    page = DOCS["claims-file"]
    for head, struct in (("key of the file", ClaimsFile), ("key of every claim", Claim)):
        keys = {row[0].strip("`") for row in rows(page, f"| {head} | meaning | default |")}
        assert keys - {"kind"} == set(struct.__struct_encode_fields__)
    kinds = {row[0].strip("`"): row[1] for row in rows(page, "| kind | keys | is right if |")}
    assert kinds.keys() == KINDS.keys()
    for name, kind in KINDS.items():
        own = set(kind.__struct_encode_fields__) - set(Claim.__struct_encode_fields__)
        assert set(re.findall(r"`([a-z]+)`", kinds[name])) == own, name


def test_every_part_of_a_derivation_is_explained() -> None:
    explained = set(re.findall(r"\*\*([a-z_]+)\*\*", DOCS["derivations"]))
    assert explained == set(inspect.signature(derivation).parameters) - {"id"}


# --- directives -------------------------------------------------------------------------------

DIRECTIVES = rows(DOCS["directives"], "| directive | prints |")


def test_every_directive_and_no_other_is_documented() -> None:
    documented = {name for row in DIRECTIVES for name in re.findall(r"`\{([a-z]+)\}", row[0])}
    assert documented == {*LEAVES, *HOLDERS}


def test_every_directive_that_audits_ourselves_stands_in_contributing() -> None:
    table = rows((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "| directive | prints |")
    assert {name for row in table for name in re.findall(r"`\{([a-z]+)\}", row[0])} == {*OWN}


def test_a_documented_option_is_one(tmp_path: Path) -> None:
    options = [(re.findall(r"`\{([a-z]+)\}", row[0])[0], re.findall(r"`:([a-z]+):", row[1]))
               for row in DIRECTIVES]  # fmt: skip
    assert sum(len(found) for _, found in options) >= 10
    for name, found in options:
        for option in found:
            known = f"```{{{name}}} model-state\n:{option}: 3\n:nope: x\n```\n"
            with pytest.raises(ValueError, match=r"found :nope:, expected .*") as caught:
                build_text(tmp_path, known, FRONT)
            assert f":{option}:" in str(caught.value).partition("expected")[2], (name, option)
