"""Moodle XML: a category of the question bank for each answer, its variants in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from xml.etree.ElementTree import Element

from workings.courses.bank import Bank, Posed
from workings.courses.figures import Figure, number
from workings.courses.made import Made
from workings.courses.markup import document, inside
from workings.courses.prompt import Picture, Prompt, words_html
from workings.courses.quiz import Ask
from workings.courses.wording import wording
from workings.units import UNITS, Unit

# The shares in percent that Moodle takes; any other is refused, or moved to the nearest.
PERCENTS = ("100", "90", "83.33333", "80", "75", "70", "66.66667", "60", "50", "40", "33.33333", "30",
            "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10", "5", "0")  # fmt: skip
_PREFIXES = ("", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti")
_UNIT_OPTIONAL, _UNIT_NONE = "0", "3"


def moodle(bank: Bank) -> Made:
    """`NAME.moodle.xml`, which a question bank imports as Moodle XML."""
    root, made = Element("quiz"), Made()
    _category(root, bank.title)
    for index in range(len(bank.quizzes[0].questions)):
        _description(root, bank, index)
        for variants in bank.posed(index):
            if bank.varies:
                _category(root, bank.title, variants[0].ask.title)
            for posed in variants:
                _question(root, posed, made)
    _description(root, bank, len(bank.quizzes[0].questions))
    made.files[f"{bank.name}.moodle.xml"] = document(root)
    return made


def _category(root: Element, *path: str) -> None:
    """What follows goes into this category; a slash in a name is written twice."""
    question = inside(root, "question", type="category")
    names = "/".join(" ".join(name.split()).replace("/", "//") for name in path)
    _text(inside(question, "category"), f"$course$/top/{names}")


def _description(root: Element, bank: Bank, index: int) -> None:
    between = bank.between(index)
    if between.pieces:
        _headed(root, "description", f"{bank.title} – {index + 1}", between)


def _question(root: Element, posed: Posed, made: Made) -> None:
    ask = posed.ask
    name = f"{ask.title} – {posed.variant}" if posed.variant else ask.title
    kind, write = _KINDS[ask.kind]
    question = _headed(root, kind, name, posed.prompt)
    inside(question, "defaultgrade", f"{ask.points:g}")
    inside(question, "penalty", "0.3333333" if ask.kind == "number" else "0")
    inside(question, "hidden", "0")
    if ask.unjudged:
        made.note("Moodle", ask, f"{ask.unjudged}: an essay that a person marks")
    write(question, posed, made)
    if posed.variant:
        _text(inside(inside(question, "tags"), "tag"), f"variant {posed.variant}")
    for hint in posed.prompt.hints:
        _text(inside(question, "hint", format="html"), hint)


def _headed(root: Element, kind: str, name: str, prompt: Prompt) -> Element:
    """A question with its name and its text."""
    question = inside(root, "question", type=kind)
    _text(inside(question, "name"), " ".join(name.split())[:255])
    body = inside(question, "questiontext", format="html")
    _text(body, prompt.html(lambda picture: f"@@PLUGINFILE@@/{picture.name}"))
    for picture in prompt.pictures:
        _file(body, picture)
    return question


def _file(body: Element, picture: Picture) -> None:
    data = b64encode(picture.data).decode()
    inside(body, "file", data, name=picture.name, path="/", encoding="base64")


def _number(question: Element, posed: Posed, made: Made) -> None:
    ask = posed.ask
    made.doubled("Moodle", ask)
    for figure in ask.every:
        answer = _answer(question, number(figure.value), _percent(figure.share, ask, made),
                         _feedback(figure, posed))  # fmt: skip
        inside(answer, "tolerance", number(figure.reach))
    units = tuple(_units(ask.unit))
    if units:
        made.note("Moodle", ask, "the right number with a wrong unit is right there: what is typed is "
                  "compared without its unit, too")  # fmt: skip
        table = inside(question, "units")
        for unit, multiplier in units:
            row = inside(table, "unit")
            inside(row, "multiplier", multiplier)
            inside(row, "unit_name", unit)
    inside(question, "unitgradingtype", "0")
    inside(question, "unitpenalty", "0.1")
    inside(question, "showunits", _UNIT_OPTIONAL if units else _UNIT_NONE)
    inside(question, "unitsleft", "0")


def _feedback(figure: Figure, posed: Posed) -> str:
    return wording(posed.quiz.language)["coarse"] if figure.coarse else figure.words


def _units(unit: Unit | None) -> Iterator[tuple[str, str]]:
    """Units in which an answer may be typed: how many of each are one of the unit asked for."""
    if unit is None or unit.text == "1":
        return
    yield unit.text, "1"
    stem = next((unit.text[len(p):] for p in sorted(_PREFIXES, key=len, reverse=True)
                 if unit.text.startswith(p) and unit.text[len(p):] in ("B", "FLOP")), None)  # fmt: skip
    for prefix in _PREFIXES if stem else ():
        other = UNITS.get(f"{prefix}{stem}")
        if other is not None and other.text != unit.text:
            yield other.text, number(unit.scale / other.scale)


def _choice(question: Element, posed: Posed, made: Made) -> None:
    inside(question, "single", "true")
    inside(question, "shuffleanswers", "false")
    inside(question, "answernumbering", "none")
    inside(question, "showstandardinstruction", "0")
    for option in posed.ask.options:
        percent = _percent(option.share, posed.ask, made)
        _answer(question, option.html, percent, option.hint, "html")


def _truth(question: Element, posed: Posed, _made: Made) -> None:
    for option in posed.ask.options:
        percent = "100" if option.right else "0"
        _answer(question, option.label, percent, option.hint, "moodle_auto_format")


def _essay(question: Element, posed: Posed, _made: Made) -> None:
    inside(question, "responseformat", "editor")
    inside(question, "responserequired", "0")
    inside(question, "responsefieldlines", "10")
    inside(question, "attachments", "0")
    inside(question, "attachmentsrequired", "0")
    _text(inside(question, "graderinfo", format="html"), grader_html(posed.ask))
    _text(inside(question, "responsetemplate", format="html"), "")


_KINDS: Mapping[str, tuple[str, Callable[[Element, Posed, Made], None]]] = {
    "number": ("numerical", _number), "choice": ("multichoice", _choice),
    "truth": ("truefalse", _truth), "text": ("essay", _essay),
}  # fmt: skip


def grader_html(ask: Ask) -> str:
    """What is told to a person who marks an answer."""
    lines = [*ask.told, *(f"{words} ({worth:g})" for words, worth in ask.rubric)]
    rows = "".join(f"<li>{words_html(line)}</li>" for line in lines)
    return f"<ul>{rows}</ul>" if rows else ""


def _answer(question: Element, text: str, percent: str, feedback: str,
            form: str = "moodle_auto_format") -> Element:  # fmt: skip
    answer = inside(question, "answer", fraction=percent, format=form)
    _text(answer, text)
    _text(inside(answer, "feedback", format="html"), words_html(feedback))
    return answer


def _percent(share: float, ask: Ask, made: Made) -> str:
    """The share in percent that Moodle has and is nearest."""
    nearest = min(PERCENTS, key=lambda percent: abs(float(percent) / 100 - share))
    if abs(float(nearest) / 100 - share) > 1e-4:
        made.note("Moodle", ask, f"it has no share of {share:g}, {float(nearest) / 100:g} is the nearest")
    return nearest


def _text(parent: Element, text: str) -> None:
    inside(parent, "text", text)
