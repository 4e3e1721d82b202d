"""QTI 1.2 in a zip, as Canvas imports it: a group for each answer from which one variant is drawn."""

from __future__ import annotations

from fractions import Fraction
from xml.etree.ElementTree import Element

from workings.courses.bank import Bank, Posed
from workings.courses.figures import Figure, number
from workings.courses.made import Made
from workings.courses.markup import identifier, inside
from workings.courses.package import address, packed, rooted
from workings.courses.prompt import Picture, words_html
from workings.courses.quiz import Ask, Option

_ASI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_LEAST = Fraction(1, 10_000)  # Canvas keeps four decimals
_KINDS = {"number": "numerical_question", "choice": "multiple_choice_question",
          "truth": "true_false_question", "text": "essay_question"}  # fmt: skip


def qti(bank: Bank) -> Made:
    """`NAME.canvas.zip`, which Canvas imports as a QTI package."""
    made = Made()
    own = identifier("assessment", bank.name, bank.title)
    root = rooted("questestinterop", _ASI, "http://www.imsglobal.org/xsd/ims_qtiasiv1p2p1.xsd")
    assessment = inside(root, "assessment", ident=own, title=bank.title)
    _fields(assessment, {"cc_maxattempts": "1"})
    section = inside(assessment, "section", ident="root_section")
    pictures: dict[str, Picture] = {}
    points = 0.0
    many = len(bank.quizzes[0].questions)
    for index in range(many):
        _between(section, bank, index, pictures)
        for variants in bank.posed(index):
            points += variants[0].ask.points
            holder = _group(section, bank, variants) if bank.varies else section
            for posed in variants:
                _item(holder, posed, bank, made)
                pictures |= {one.name: one for one in posed.prompt.pictures}
    _between(section, bank, many, pictures)
    made.files[f"{bank.name}.canvas.zip"] = packed(bank, own, root, points, pictures)
    return made


def _between(section: Element, bank: Bank, index: int, pictures: dict[str, Picture]) -> None:
    """What stands between questions, as text without a question."""
    prompt = bank.between(index)
    if not prompt.pieces:
        return
    item = inside(section, "item", ident=identifier(bank.name, "text", str(index)), title="")
    _fields(inside(item, "itemmetadata"), {
        "question_type": "text_only_question", "points_possible": "0", "original_answer_ids": "",
        "assessment_question_identifierref": identifier(bank.name, "text of", str(index)),
    })  # fmt: skip
    _material(inside(item, "presentation"), prompt.html(address))
    pictures |= {one.name: one for one in prompt.pictures}


def _group(section: Element, bank: Bank, variants: tuple[Posed, ...]) -> Element:
    """The variants of one answer, of which each student is given one."""
    ask = variants[0].ask
    group = inside(section, "section", ident=identifier(bank.name, "group", ask.id), title=ask.title)
    selection = inside(inside(group, "selection_ordering"), "selection")
    inside(selection, "selection_number", "1")
    inside(inside(selection, "selection_extension"), "points_per_item", f"{ask.points:g}")
    return group


def _item(holder: Element, posed: Posed, bank: Bank, made: Made) -> None:
    ask = posed.ask
    own = identifier(bank.name, posed.variant, ask.id)
    kind = _kind(ask, made)
    title = f"{ask.title} – {posed.variant}" if posed.variant else ask.title
    item = inside(holder, "item", ident=own, title=" ".join(title.split())[:255])
    names = [f"{own}_{n}" for n in range(len(ask.options) if _chosen(kind) else kind != "essay_question")]
    _fields(inside(item, "itemmetadata"), {
        "question_type": kind, "points_possible": f"{ask.points:g}",
        "original_answer_ids": ",".join(names), "assessment_question_identifierref": f"{own}_ref",
    })  # fmt: skip
    presentation = inside(item, "presentation")
    _material(presentation, posed.prompt.html(address))
    if posed.prompt.hints:
        made.note("Canvas", ask, "hints are left out, Canvas has none")
    if _chosen(kind):
        _choices(item, presentation, ask, names, made)
    else:
        _typed(item, presentation, ask, kind, made)


def _kind(ask: Ask, made: Made) -> str:
    """What Canvas calls the question; an essay where it would judge wrongly."""
    why = ask.unjudged
    if ask.kind == "number" and ask.figures and abs(ask.figures.right.value) < _LEAST:
        why = "Canvas keeps four decimals, and the figure is smaller"
    if ask.kind == "choice" and sum(one.share == 1 for one in ask.options) > 1:
        why = "Canvas takes one choice as right, and here several are"
    if why:
        made.note("Canvas", ask, f"{why}: an essay that a person marks")
        return _KINDS["text"]
    if ask.kind == "text":
        made.note("Canvas", ask, "a person marks it; Canvas has no place for the rubric in a quiz")
    return _KINDS[ask.kind]


def _chosen(kind: str) -> bool:
    return kind in (_KINDS["choice"], _KINDS["truth"])


def _choices(item: Element, presentation: Element, ask: Ask, names: list[str], made: Made) -> None:
    """What there is to choose from, which is right, and what is told to who chooses another."""
    response = inside(presentation, "response_lid", ident="response1", rcardinality="Single")
    render = inside(response, "render_choice")
    for name, option in zip(names, ask.options, strict=True):
        _material(inside(render, "response_label", ident=name), _shown(option, ask))
    processing = _processing(item)
    hints = [(n, one.hint) for n, one in zip(names, ask.options, strict=True) if one.hint]
    for name, _ in hints:
        condition = _condition(processing, "Yes")
        inside(condition[0], "varequal", name, respident="response1")
        inside(condition, "displayfeedback", feedbacktype="Response", linkrefid=f"{name}_fb")
    for name, option in zip(names, ask.options, strict=True):
        if option.right:
            inside(_scored(processing)[0], "varequal", name, respident="response1")
        elif option.share:
            made.note("Canvas", ask, f"choice {option.label} earns nothing there: no part of the points")
    for name, hint in hints:
        flow = inside(inside(item, "itemfeedback", ident=f"{name}_fb"), "flow_mat")
        _material(flow, words_html(hint))


def _shown(option: Option, ask: Ask) -> str:
    """A choice; Canvas knows true and false by their English words."""
    return option.label.capitalize() if ask.kind == "truth" else option.html


def _typed(item: Element, presentation: Element, ask: Ask, kind: str, made: Made) -> None:
    """A figure, or words."""
    response = inside(presentation, "response_str", ident="response1", rcardinality="Single")
    processing = _processing(item)
    if kind == _KINDS["text"]:
        inside(inside(response, "render_fib"), "response_label", ident="answer1", rshuffle="No")
        inside(_condition(processing, "No")[0], "other")
        return
    inside(inside(response, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
    made.doubled("Canvas", ask)
    for figure in ask.every:
        if figure.share == 1:
            _taken(_scored(processing)[0], figure)
    if ask.untold:
        made.note("Canvas", ask, "known figures that are not right earn nothing there, and nothing is "
                  "told: it knows right figures only")  # fmt: skip


def _taken(variable: Element, figure: Figure) -> None:
    """A figure, and how far beside it is taken for it."""
    either = inside(variable, "or")
    inside(either, "varequal", number(figure.value), respident="response1")
    both = inside(either, "and")
    inside(both, "vargte", number(figure.low), respident="response1")
    inside(both, "varlte", number(figure.high), respident="response1")


def _processing(item: Element) -> Element:
    processing = inside(item, "resprocessing")
    inside(inside(processing, "outcomes"), "decvar", maxvalue="100", minvalue="0", varname="SCORE",
           vartype="Decimal")  # fmt: skip
    return processing


def _condition(processing: Element, goes_on: str) -> Element:
    """A condition, its variable first."""
    condition = inside(processing, "respcondition", continue_=goes_on)
    inside(condition, "conditionvar")
    return condition


def _scored(processing: Element) -> Element:
    """A condition of what earns all points."""
    condition = _condition(processing, "No")
    inside(condition, "setvar", "100", action="Set", varname="SCORE")
    return condition


def _fields(parent: Element, fields: dict[str, str]) -> None:
    metadata = inside(parent, "qtimetadata")
    for label, entry in fields.items():
        field = inside(metadata, "qtimetadatafield")
        inside(field, "fieldlabel", label)
        inside(field, "fieldentry", entry)


def _material(parent: Element, html: str) -> None:
    inside(inside(parent, "material"), "mattext", html, texttype="text/html")
