"""Directives of a report's own: a module that its front matter names, in a folder that a person does.

A source may come from anywhere, so it runs no Python by itself: `directives = "auditing"` asks for the
module of that name, and only `--directives DIR` says where one may be loaded from. The module has a table
`DIRECTIVES`, name to function, as `LEAVES` of `read.py` is one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from workings.document.front import DocumentError, Source
from workings.document.page import Leaf


def own_directives(source: Source, folder: Path | None) -> Mapping[str, Leaf]:
    """The directives of the module that a source asks for. Raises DocumentError."""
    name = source.front.directives
    if name is None:
        return {}

    def fail(problem: str) -> DocumentError:
        return DocumentError(f"{source.path.name}: front matter: directives: {problem}")

    if folder is None:
        raise fail(f"found {name!r}, expected --directives with the folder that it is in too, since "
                   "Python runs only from a folder that the command line names")  # fmt: skip
    places = (folder / name / "__init__.py", folder / f"{name}.py")
    file = next((place.resolve() for place in places if place.is_file()), None)
    if file is None:
        raise fail(f"found {name!r}, expected a Python module of that name in {folder}")
    known = sys.modules.get(name)
    if name in sys.stdlib_module_names or (known and getattr(known, "__file__", None) != str(file)):
        raise fail(f"found {name!r}, the name of another module of Python, expected a name of its own")
    try:
        found = getattr(known or _loaded(name, file), "DIRECTIVES", None)
    except Exception as error:
        raise fail(f"{file.name} of {name!r} fails with {type(error).__name__}: {error}") from error
    if not isinstance(found, Mapping):
        raise fail(f"found no table DIRECTIVES in {name!r}, expected one from name to function")
    return found


def _loaded(name: str, file: Path) -> ModuleType:
    inside = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=inside)
    assert spec is not None  # noqa: S101 - a file that is there, and ends in .py
    assert spec.loader is not None  # noqa: S101 - the same
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
