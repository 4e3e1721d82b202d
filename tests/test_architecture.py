"""Imports point one way, and heavy libraries stay in their rooms."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from looping import each

import workings

ROOT = Path(workings.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# Each room may import from those before it, and from itself. A new room needs its place here.
ROOMS = (
    "errors", "contract", "system", "findings", "units", "formula", "simulate", "vocabulary", "proof",
    "derivation", "derivations", "catalogue", "scenario", "values", "verification", "analysis",
    "planning", "reading", "marks", "comparing", "field", "claims", "check", "grade",
    "document", "live", "render", "courses", "handout", "cohort", "review", "results", "site", "api",
    "measure", "cli", "__init__",
)  # fmt: skip

# Where each library may be imported; deep inside a function or not.
LIBRARIES = {
    "sympy": ("formula/sympy_reading.py", "proof/"),
    "numpy": ("planning/",),
    "mpmath": ("formula/interval.py",),
    "jinja2": ("render/",),
    "typst": ("render/",),
    "markdown_it": ("document/", "reading/"),
    "mdit_py_plugins": ("document/", "reading/"),
    "click": ("cli/",),
    "tomli_w": ("grade/",),
    "torch": ("measure/node.py",),
}


@cache
def imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """The full name of everything a file imports, and whether at its top level."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = ["workings", *path.relative_to(ROOT).parts[:-1]]
    only_types = {id(part) for node in tree.body if _for_types(node) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in only_types:
            continue  # names for annotations; nothing is imported when the program runs
        top = node in tree.body
        if isinstance(node, ast.Import):
            yield from ((alias.name, top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module, top
            yield from ((f"{module}.{alias.name}", top) for alias in node.names)


def _for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


PRESENT = {room_of(path) for path in FILES}


def rooms_used(path: Path) -> set[str]:
    names = [name.split(".") for name, _ in imports(path)]
    known = {n[1] for n in names if n[0] == "workings" and len(n) > 1}
    return known & (PRESENT | set(ROOMS))


def test_every_module_has_its_place_in_the_order() -> None:
    assert {room_of(path) for path in FILES} == set(ROOMS)


@each("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    place = ROOMS.index(room_of(path))
    later = {room for room in rooms_used(path) if ROOMS.index(room) > place}
    assert not later, f"{path.relative_to(ROOT)} imports {', '.join(sorted(later))}"


def test_the_order_is_checked_at_all() -> None:
    assert rooms_used(ROOT / "derivation/entry.py") >= {"formula", "proof", "units"}
    assert rooms_used(ROOT / "catalogue/__init__.py") >= {"derivation"}
    assert rooms_used(ROOT / "cli" / "values.py") >= {"catalogue", "values"}  # imported inside functions


def test_simulations_import_nothing_of_workings() -> None:
    for path in FILES:
        if room_of(path) == "simulate":
            assert rooms_used(path) <= {"simulate"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_stays_in_its_room(library: str) -> None:
    users = {
        str(path.relative_to(ROOT)) for path in FILES
        if any(name.split(".")[0] == library for name, _ in imports(path))
    }  # fmt: skip
    assert users, f"{library} is used nowhere: is it still a dependency?"
    strangers = {u for u in users if not u.startswith(LIBRARIES[library])}
    assert not strangers


def test_what_loads_sympy_is_loaded_only_when_asked() -> None:
    loaders = {"workings.formula.sympy_reading", "workings.proof.algebra",
               "workings.proof.closed_form", "workings.proof.polynomial", "workings.proof.quadratic",
               "workings.proof.quotients", "sympy"}  # fmt: skip
    at_once = {
        str(path.relative_to(ROOT)) for path in FILES
        if any(top and name in loaders for name, top in imports(path))
    }  # fmt: skip
    assert at_once == {
        "formula/sympy_reading.py", "proof/algebra.py", "proof/closed_form.py", "proof/polynomial.py",
        "proof/quadratic.py", "proof/quotients.py", "verification/record.py",
    }  # fmt: skip


SHOWING = """
import sys
import workings.catalogue
from workings.formula import latex, plain
from workings.scenario import load_scenario
from workings.values.worked import work
what = workings.catalogue.get("fsdp-memory")
found = work(what, load_scenario("xxl-220b"), {"N": "156"})
assert str(found.shown) == "94.88 GB", found.shown
plain(found.substituted), latex(found.symbolic)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_showing_and_evaluating_start_without_sympy() -> None:
    ran = subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
        [sys.executable, "-c", SHOWING], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT.parent)},
    )  # fmt: skip
    loaded = set(ran.stdout.split())
    assert "workings" in loaded
    assert not loaded & {"sympy", "mpmath", "jinja2", "markdown_it", "click"}


def test_one_derivation_is_found_without_importing_the_others() -> None:
    code = (
        "import sys; from workings import catalogue; catalogue.get('ring-all-reduce');"
        "print(*[n for n in sys.modules if n.startswith('workings.derivations.')])"
    )
    ran = subprocess.run(  # noqa: S603 - our own lines, in a fresh interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT.parent)},
    )  # fmt: skip
    assert set(ran.stdout.split()) == {
        "workings.derivations.collectives",
        "workings.derivations.collectives._letters",
        "workings.derivations.collectives._sources",
        "workings.derivations.collectives.ring",
        "workings.derivations.sources",
    }
