"""The simulations stand alone: they import no formula, and they never round."""

import ast
import sys
from pathlib import Path

from looping import each

from workings import simulate

MODULES = sorted(Path(str(simulate.__file__)).parent.glob("*.py"))


@each("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_only_the_standard_library_and_its_siblings(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level <= 1
            names = [] if node.level else [str(node.module)]
        else:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.split(".")[0] in sys.stdlib_module_names


@each("path", MODULES, ids=lambda path: path.stem)
def test_a_module_has_no_float(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        assert not (isinstance(node, ast.Name) and node.id == "float")
