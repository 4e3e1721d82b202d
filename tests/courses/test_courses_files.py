"""What is written for each system is what it was, and every element of it has its place in the format."""

import json
import re
import tomllib
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from looping import each
from quizzes import GOLDEN, bank, goldens, made, parsed, zipped

from workings.courses.export import WRITERS, exported

PLACES = tomllib.loads((GOLDEN / "places.toml").read_text("utf-8"))
SYSTEM = {"moodle.xml": "moodle", "canvas/imsmanifest.xml": "canvas",
          "canvas/assessment_meta.xml": "canvas", "canvas/assessment.xml": "canvas"}  # fmt: skip


def test_each_file_is_what_it_was() -> None:
    found = goldens()
    kept = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
    assert kept - {"places.toml", "text2qti.txt"} == set(found)
    for name, content in found.items():
        assert content == (GOLDEN / name).read_text("utf-8"), name


def names_in(root: ElementTree.Element) -> Iterator[str]:
    """Elements and attributes, without their namespaces."""
    for element in root.iter():
        own = element.tag.rpartition("}")[2]
        yield own
        yield from (f"{own}@{name.rpartition('}')[2]}" for name in element.attrib)


@each("file", SYSTEM)
def test_every_element_has_its_place_in_the_documentation_of_its_format(file: str) -> None:
    known = " ".join(PLACES[SYSTEM[file]].values()).split()
    found = set(names_in(parsed((GOLDEN / file).read_text("utf-8"))))
    assert not found - set(known)


def test_every_element_of_prairielearn_has_its_place_too() -> None:
    known = set(" ".join(PLACES["prairielearn"].values()).split())
    for name, content in made("prairielearn").files.items():
        assert name.rpartition("/")[2] in known or "clientFilesQuestion/" in name
        if name.endswith("question.html"):
            assert isinstance(content, str)
            assert set(re.findall(r"</?(pl-[a-z-]+)|\s([a-z-]+)=", content)) <= {
                (one, "") if one.startswith("pl-") else ("", one) for one in known
            }
        elif name.endswith(("info.json", "infoAssessment.json")):
            assert set(json.loads(content)) <= known


@pytest.mark.parametrize("variants", [0, 3])
def test_canvas_is_given_the_structure_that_text2qti_gives_it(variants: int) -> None:
    lines = (GOLDEN / "text2qti.txt").read_text("utf-8").splitlines()
    theirs = {line for line in lines if not line.startswith("#")}
    ours = set()
    for name, content in zipped(variants).items():
        if name.endswith(".xml"):
            file = "assessment" if name == "own/own.xml" else name.rpartition("/")[2]
            paths = _paths(parsed(content), "")
            ours |= {f"{file} {path}".replace("section/section", "section") for path in paths}
    picture = {"imsmanifest.xml /manifest/resources/resource@href"}
    assert ours - theirs <= picture
    grouped = {line for line in theirs if "selection" in line or "section@title" in line}
    assert theirs - ours == (set() if variants else grouped)


def _paths(element: ElementTree.Element, above: str) -> Iterator[str]:
    path = f"{above}/{element.tag.rpartition('}')[2]}"
    yield path
    yield from (f"{path}@{name.rpartition('}')[2]}" for name in element.attrib)
    for inside in element:
        yield from _paths(inside, path)


def test_the_same_handout_is_the_same_bytes() -> None:
    first, second = (exported(bank(), WRITERS).files for _ in range(2))
    assert first == second


def test_no_parameter_of_prairielearn_has_the_name_of_an_answer() -> None:
    for name, content in made("prairielearn").files.items():
        if name.endswith("variants.json"):
            for variant in json.loads(content):
                assert not set(variant["params"]) & {f"a{n}" for n in range(1, 20)}, name
