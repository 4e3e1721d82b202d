"""Reports: a source.md and what is generated from it, written or compared byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from workings.derivation import Derivation
from workings.document.blocks import Bars, Document, Gantt, Image, Lines, Strips, walk
from workings.document.front import PROVENANCE
from workings.document.read import read_document
from workings.errors import UserError
from workings.live.program import unmoved
from workings.render.answer_form import FORM, form_of
from workings.render.environment import render
from workings.render.forms import FORMS
from workings.render.keys import key_text
from workings.render.pages import in_pages
from workings.render.press import TYPST, Press
from workings.render.typst import quoted
from workings.render.unprintable import UnprintableError, located
from workings.render.view import figure_values, view
from workings.scenario import ScenarioError
from workings.system.files import write_atomically

Made: TypeAlias = dict[str, Any]  # by name: text, or bytes where a press makes them
Files: TypeAlias = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True)
class Options:
    """How a report is made."""

    formats: tuple[str, ...] = ("md", "tex")
    sheet: bool = False
    key: bool = False
    form: bool = False
    fragment: bool = False
    templates: Path | None = None
    notation: str | None = None
    provenance: str | None = None
    directives: Path | None = None
    settings: tuple[tuple[str, str], ...] = ()
    press: Press = TYPST


def parse_formats(text: str) -> tuple[str, ...]:
    """`md,tex` as formats. Raises UserError for others."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in found:
        if name not in FORMS:
            raise UserError(f"--format: found {name!r}, expected {', '.join(FORMS)}")
    if not found:
        raise UserError(f"--format: found nothing, expected {', '.join(FORMS)}")
    return found


def parse_provenance(text: str | None) -> str | None:
    """How much is said of what guards a formula. Raises UserError for another word."""
    if text is not None and text not in PROVENANCE:
        raise UserError(f"provenance: found {text[:40]!r}, expected one of {', '.join(PROVENANCE)}")
    return text


def find(name: str) -> Path:
    """A report's source: a path to a Markdown file, or a name under reports/."""
    for path in (Path(name), Path(name) / "source.md", Path("reports") / name / "source.md"):
        try:
            if path.is_file():
                return path
        except OSError:  # such as a name longer than the system allows
            break
    known = ", ".join(path.parent.name for path in every())
    named = f" or one of {known}" if known else " (there is no reports/ here)"
    raise UserError(f"no report {name[:100]!r}, expected a Markdown file{named}")


def every() -> list[Path]:
    """Every source under reports/."""
    return sorted(Path("reports").glob("*/source.md"))


def used(source: Path, directives: Path | None = None) -> tuple[Derivation, ...]:
    """The derivations a report prints, those that they use before them."""
    ordered: dict[str, Derivation] = {}

    def visit(what: Derivation) -> None:
        for use in what.uses.values():
            visit(use.derivation)
        ordered.setdefault(what.id, what)

    for what in read_document(source, directives=directives)[1]:
        visit(what)
    return tuple(ordered.values())


@dataclass(frozen=True, slots=True)
class Built:
    """The files of a report, and sentences on its source that its author may want to read."""

    files: Made
    remarks: tuple[str, ...]


def build(source: Path, options: Options, folder: Path | None = None) -> Made:
    """File name to content of everything a source gives; a key finds its scenario from its folder."""
    return built(source, options, folder).files


def built(source: Path, options: Options, folder: Path | None = None) -> Built:
    """The same with remarks on the source."""
    document = _document(source, options)
    return Built(_files(document, source, options, folder), document.remarks)


def _files(document: Document, source: Path, options: Options, folder: Path | None) -> Made:
    if options.form:
        return {FORM: form_of(document, source)}
    if options.key:
        return {"key.toml": key_text(document, source, folder or source.parent)}
    name = "sheet" if options.sheet else "report"
    try:
        return printed(document, name, options)
    except UnprintableError as error:
        raise located(error, source) from error


def _document(source: Path, options: Options) -> Document:
    """The document at other values of its scenario. Raises ScenarioError for one that changes nothing.

    What is wrong with the solutions is refused for the sheet too.
    """
    settings = dict(options.settings)
    if options.sheet:
        _read(source, replace(options, sheet=False), settings)
    document = _read(source, options, settings)
    keys = dict(zip(settings, document.desk.over if document.desk else (), strict=True))
    still = unmoved(document, keys.values())
    for name, key in keys.items():
        rest = {other: text for other, text in settings.items() if other != name}
        if key in still and _words(document) == _words(_read(source, options, rest)):
            raise ScenarioError(f"--set {name}: it changes nothing on the page of {source}")
    return document


def _words(document: Document) -> Made:
    """What a page says, without how it could be worked out again."""
    return printed(document, "page", Options(formats=("md",)))


def _read(source: Path, options: Options, settings: Mapping[str, str]) -> Document:
    return read_document(
        source,
        sheet=options.sheet,
        notation=options.notation,
        provenance=options.provenance,
        directives=options.directives,
        settings=settings,
    )[0]


def printed(document: Document, name: str, options: Options) -> Made:
    """File name to content of a document in its formats, and of the figures beside it."""
    made: Made = {}
    for extension in options.formats:
        form = FORMS[extension]
        source = options.press.source if form.bound else extension
        write = partial(_written, extension=source, options=options)
        if form.pages and document.sections:
            pages = in_pages(document, name, write, extension)
            made |= {f"{page}.{extension}": text for page, text in pages.items()}
        else:
            text = write(document)
            made[f"{name}.{extension}"] = options.press.bound(text) if form.bound else text
    if any(FORMS[extension].files for extension in options.formats):
        made |= {one.file: one.data for one in walk(document.blocks) if isinstance(one, Image)}
    if any(FORMS[extension].beside for extension in options.formats):
        for figure in walk(document.blocks):
            if isinstance(figure, Bars | Gantt | Strips | Lines):
                template, values = figure_values(figure)
                made[f"{figure.label}.svg"] = render("figures", template, values, options.templates)
    return made


def _written(document: Document, extension: str, options: Options) -> str:
    form = FORMS[extension]
    values = view(document, form, sheet=options.sheet, templates=options.templates)
    values["fragment"] = options.fragment
    if form.folder == "typst":
        values["fonts"] = [quoted(name) for name in options.press.families()]
    made = render(form.folder, form.template, values, options.templates)
    return form.finish(document, made) if form.finish else made


def write(made: Files, folder: Path, source: Path) -> list[Path]:
    """Write every file whole, after all of them have been made; never over their source."""
    for name in made:
        if (folder / name).resolve() == source.resolve():
            raise UserError(
                f"{source}: {name} would be written over its own source, expected -o with another "
                "folder or a source of another name"
            )
    return write_all(made, folder)


def write_all(made: Files, folder: Path) -> list[Path]:
    """Write every file whole into a folder."""
    paths = []
    for name, content in made.items():
        write_atomically(folder / name, content)
        paths.append(folder / name)
    return paths


def differences(made: Files, folder: Path, source: Path, directives: Path | None = None) -> list[str]:
    """One sentence for each file that is missing or differs from what its source gives."""
    option = f" --directives {directives}" if directives else ""
    return differing(made, folder, f"its source, run `workings report {source}{option}`")


def differing(made: Files, folder: Path, origin: str) -> list[str]:
    """One sentence for each file that is missing or differs; `origin` says from what, and what to run."""
    found = []
    for name, content in made.items():
        path = folder / name
        if not path.is_file():
            found.append(f"{path}: missing, {origin.partition(', ')[2]}")
        elif path.read_bytes() != (content if isinstance(content, bytes) else content.encode("utf-8")):
            found.append(f"{path}: differs from {origin}")
    return found
