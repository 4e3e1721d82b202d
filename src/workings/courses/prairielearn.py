"""PrairieLearn: a folder for each question, one of whose variants is drawn by its seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from math import lcm
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from workings.courses.bank import Bank, Posed, asked_for
from workings.courses.figures import Figure
from workings.courses.made import Made
from workings.courses.prompt import Picture, words_html
from workings.courses.quiz import Ask, QuizQuestion
from workings.courses.wording import wording
from workings.render.environment import source
from workings.render.markdown import SPECIAL

_NEAR = Fraction(1, 10**9)  # of a figure asked for exactly: numbers are floats there


def prairielearn(bank: Bank) -> Made:
    """`NAME.prairielearn/questions/NAME/…`, and an assessment that holds them."""
    made = Made()
    folder = f"{bank.name}.prairielearn"
    questions = []
    for index, question in enumerate(bank.quizzes[0].questions):
        id_ = f"{bank.name}/{question.id}"
        files, points = _question(bank, index, made)
        made.files |= {f"{folder}/questions/{id_}/{name}": text for name, text in files.items()}
        questions.append({"id": id_, **points})
    if bank.between(len(questions)).pieces:
        made.note("PrairieLearn", None, "what stands after the last question is left out")
    made.files[f"{folder}/assessments/{bank.name}/infoAssessment.json"] = _json({
        "uuid": _uuid(bank, "assessment"), "type": "Homework", "title": bank.title, "set": "Homework",
        "number": "1", "zones": [{"questions": questions}],
    })  # fmt: skip
    return made


def _question(bank: Bank, index: int, made: Made) -> tuple[dict[str, str | bytes], dict[str, float]]:
    """The files of a question, and its points: those of the machine, and those of a person."""
    first = bank.quizzes[0].questions[index]
    posed = list(bank.posed(index))
    by_person = sum(ask.points for ask in first.asks if ask.kind == "text")
    points = {"autoPoints": first.points - by_person, "manualPoints": by_person}
    variants = [_variant(bank, index, n) for n in range(len(bank.quizzes))]
    info: dict[str, Any] = {
        "uuid": _uuid(bank, first.id), "title": f"{bank.title}: {first.name or first.id}",
        "topic": bank.title, "type": "v3",
    }  # fmt: skip
    if not points["autoPoints"]:
        info["gradingMethod"] = "Manual"
    if not bank.varies:
        info["singleVariant"] = True
    for ask in first.asks:
        _notes(ask, made)
    files: dict[str, str | bytes] = {
        "info.json": _json(info),
        "question.html": _html(first, hinted=bool(variants[0]["params"]["hints"])),
        "server.py": source("courses", "server.py"), "variants.json": _json(variants),
    }  # fmt: skip
    readme = _readme(posed)
    if readme:
        files["README.md"] = readme
    for quiz in bank.quizzes:
        prompt = bank.alone(quiz, index)
        for one in (prompt, *(ask.prompt for ask in quiz.questions[index].asks)):
            files |= {f"clientFilesQuestion/{p.name}": p.data for p in one.pictures}
    return files, {name: worth for name, worth in points.items() if worth} or {"manualPoints": 0.0}


def _notes(ask: Ask, made: Made) -> None:
    if ask.unjudged:
        made.note("PrairieLearn", ask, f"{ask.unjudged}: a text that a person marks")
    elif ask.kind == "text":
        made.note("PrairieLearn", ask, "a person marks it; its rubric stands in README.md")
    made.doubled("PrairieLearn", ask)


def _html(question: QuizQuestion, *, hinted: bool) -> str:
    """The template of a question: what differs between variants is put in by name.

    The parameters of an answer are not called as it is: elements keep their own under that name.
    """
    weights = _weights(question)
    rows = ["<pl-question-panel>{{{params.stem}}}</pl-question-panel>"]
    for number, ask in enumerate(question.asks, 1):
        name = f"a{number}"
        rows.append(f"<pl-question-panel>{{{{{{params.of_{name}.prompt}}}}}}</pl-question-panel>")
        rows.append(_element(ask, name, weights[ask.id]))
    if hinted:
        rows.append("<pl-hidden-hints>\n{{#params.hints}}\n<pl-hint>{{{.}}}</pl-hint>\n{{/params.hints}}\n"
                    "</pl-hidden-hints>")  # fmt: skip
    return "\n".join(rows) + "\n"


def _element(ask: Ask, name: str, weight: int) -> str:
    """What takes the answer."""
    says = f'aria-label="{{{{params.of_{name}.words}}}}"'
    if ask.kind == "number":
        return (f'<pl-number-input answers-name="{name}" {says} suffix="{{{{params.of_{name}.unit}}}}" '
                f'comparison="relabs" rtol="0" atol="{{{{params.of_{name}.reach}}}}" '
                f'allow-fractions="false" show-placeholder="false" weight="{weight}">'
                "</pl-number-input>")  # fmt: skip
    if ask.kind == "text":
        return f'<pl-rich-text-editor file-name="{name}.html" allow-blank="true"></pl-rich-text-editor>'
    return (f'<pl-multiple-choice answers-name="{name}" {says} order="fixed" hide-letter-keys="true" '
            f'weight="{weight}">\n{{{{#params.of_{name}.choices}}}}\n'
            '<pl-answer correct="{{correct}}" score="{{score}}" feedback="{{feedback}}">'
            "{{{html}}}</pl-answer>\n"
            f"{{{{/params.of_{name}.choices}}}}\n</pl-multiple-choice>")  # fmt: skip


def _weights(question: QuizQuestion) -> dict[str, int]:
    """Whole numbers in proportion to the points."""
    worth = {ask.id: Fraction(ask.points).limit_denominator(1000) for ask in question.asks}
    common = lcm(*(one.denominator for one in worth.values()))
    return {name: int(one * common) or 1 for name, one in worth.items()}


def _variant(bank: Bank, index: int, number: int) -> dict[str, Any]:
    """What one variant puts in, what is right in it, and the figures that earn a part or are told of."""
    quiz = bank.quizzes[number]
    question = quiz.questions[index]
    said = bank.alone(quiz, index)
    params: dict[str, Any] = {"stem": said.written(_figure), "hints": [*said.hints]}
    right: dict[str, float] = {}
    readings: dict[str, list[dict[str, Any]]] = {}
    before = None
    for count, ask in enumerate(question.asks, 1):
        name = f"a{count}"
        line = asked_for(ask, quiz.language)
        prompt = line if ask.prompt == before else ask.prompt + line
        params["hints"] += prompt.hints
        before = ask.prompt
        params[f"of_{name}"] = {"prompt": prompt.written(_figure), "words": ask.words} | _params(ask)
        if ask.figures:
            right[name] = float(ask.figures.right.value)
            told = wording(quiz.language)["coarse"]
            readings[name] = [_reading(one, told) for one in ask.every[1:]]
    return {"name": quiz.variant, "params": params, "correct_answers": right, "readings": readings}


def _params(ask: Ask) -> dict[str, Any]:
    """What the element of an answer takes from its variant."""
    if ask.figures and ask.unit:
        right = ask.figures.right
        unit = "" if ask.unit.text == "1" else ask.unit.text
        return {"unit": unit, "reach": repr(float(max(right.reach, abs(right.value) * _NEAR)))}
    return {"choices": list(_choices(ask))} if ask.options else {}


def _choices(ask: Ask) -> Iterator[dict[str, str]]:
    """The choices; there, one alone is called correct, another one that is right earns as much."""
    seen = False
    for option in ask.options:
        correct = option.share == 1 and not seen
        seen = seen or correct
        yield {"correct": str(correct).lower(), "score": f"{option.share:g}",
               "feedback": words_html(option.hint), "html": option.html}  # fmt: skip


def _reading(figure: Figure, coarse: str) -> dict[str, Any]:
    near = max(figure.reach, abs(figure.value) * _NEAR)
    return {"low": float(figure.value - near), "high": float(figure.value + near), "score": figure.share,
            "feedback": words_html(coarse if figure.coarse else figure.words)}  # fmt: skip


def _figure(picture: Picture) -> str:
    alternative = escape(picture.alternative)
    return f'<pl-figure file-name="{picture.name}" alt="{alternative}"></pl-figure>'


def _readme(posed: list[tuple[Posed, ...]]) -> str:
    """What is told to who marks by hand: PrairieLearn shows it to staff alone."""
    rows = []
    for group in posed:
        for one in group:
            lines = [*one.ask.told, *(f"{words} ({worth:g})" for words, worth in one.ask.rubric)]
            if lines:
                title = f"{one.ask.title} – {one.variant}" if one.variant else one.ask.title
                rows += [f"**{_plain(title)}**", "", *(f"- {_plain(line)}" for line in lines), ""]
    return "\n".join(rows)


def _plain(text: str) -> str:
    """Words as Markdown in which nothing is markup."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _uuid(bank: Bank, name: str) -> str:
    """The same for the same question of the same handout."""
    return str(uuid5(NAMESPACE_URL, f"workings:{bank.name}:{bank.title}:{name}"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
