"""Jinja, sandboxed: plain values in, undefined names refused, a user's templates before ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from typing import Any

from jinja2 import (
    ChoiceLoader,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from workings.errors import UserError

HERE = Path(__file__).resolve().parent


# What an expression or a file of a template can raise besides Jinja's own errors.
_IN_TEMPLATES = (
    ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError,
)  # fmt: skip


# Formats in which braces and percent signs stand on every line; formats whose words are escaped here.
BRACED = ("latex", "typst")
ESCAPED = ("courses", "figures", "html")
# What neither XML nor HTML can hold, however it is written.
_UNHELD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class TemplateFailedError(UserError):
    """A template that cannot be used, ours or the user's."""


def template_folder() -> Path:
    """Our templates: beside the package in a wheel, at the top of the repository in a checkout."""
    packaged = HERE.parent / "templates"
    return packaged if packaged.is_dir() else HERE.parents[2] / "templates"


@lru_cache(maxsize=8)
def environment(form: str, own: Path | None = None) -> ImmutableSandboxedEnvironment:
    """The environment of a folder of templates, such as `markdown`, `latex` or `figures`.

    A user's file comes before ours of its name; ours is found under `ours/` all the same, so that a
    `blocks` with one macro is enough to change one block.
    """
    if own is not None and not own.is_dir():
        raise TemplateFailedError(f"--templates {own}: no such folder")
    folders = [folder / form for folder in (own, template_folder()) if folder]
    marks: dict[str, str] = {}
    if form in BRACED:
        marks = {
            "block_start_string": "<%", "block_end_string": "%>",
            "variable_start_string": "<<", "variable_end_string": ">>",
            "comment_start_string": "<#", "comment_end_string": "#>",
        }  # fmt: skip
    return ImmutableSandboxedEnvironment(
        loader=ChoiceLoader(
            [
                *(FileSystemLoader(folder) for folder in folders),
                PrefixLoader({"ours": FileSystemLoader(template_folder() / form)}),
            ]
        ),
        undefined=StrictUndefined,
        autoescape=form in ESCAPED,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **marks,
    )


def render(form: str, template: str, values: Mapping[str, Any], own: Path | None = None) -> str:
    """A template with plain values in it. Raises TemplateFailedError in one sentence."""
    prepared = environment(form, own)
    try:
        made = prepared.get_template(template).render(values)
    except (TemplateError, *_IN_TEMPLATES) as error:
        problem = str(error).partition("\n")[0] or type(error).__name__
        raise TemplateFailedError(f"{_place(error, form, template)}: {problem}") from error
    return _UNHELD.sub("\ufffd", made) if form in ESCAPED else made


def source(form: str, name: str, own: Path | None = None) -> str:
    """A file of the templates that nothing is put into, such as a script."""
    prepared = environment(form, own)
    try:
        return prepared.loader.get_source(prepared, name)[0] if prepared.loader else ""
    except (TemplateError, OSError, ValueError) as error:
        raise TemplateFailedError(f"{form}/{name}: {error}") from error


def _place(error: Exception, form: str, template: str) -> str:
    """File and line of the template where it went wrong, as far as Jinja tells."""
    if isinstance(error, TemplateSyntaxError):
        return f"{form}/{error.name or template}:{error.lineno}"
    frames = extract_tb(error.__traceback__)
    inside = [f for f in frames if Path(f.filename).parent.name == form]
    if not inside:
        return f"{form}/{template}"
    return f"{form}/{Path(inside[-1].filename).name}:{inside[-1].lineno}"
