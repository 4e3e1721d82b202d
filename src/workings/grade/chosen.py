"""Which of several things a hand-in chooses: a label, true or false, the line that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workings.grade.file import Answer, Choice
from workings.grade.judged import NOTHING, Judged
from workings.grade.labels_named import BARE, CHOSEN, NAMED
from workings.grade.own_answer import own_answer
from workings.grade.said import Said, labels_said
from workings.grade.truths import truths_said
from workings.reading.blocks import Block


def judge_choice(answer: Answer, blocks: Sequence[Block], sheet: str) -> Judged:
    """The verdict on what is chosen; where that is in doubt, a person decides."""
    own = own_answer(answer, blocks, sheet)
    if not own:
        return NOTHING
    named = _own_cell(answer, own)
    said = truths_said(own) if answer.kind == "truth" else labels_said(answer, named)
    lead, doubt = _decided(answer, said)
    if lead is None or doubt:
        start, end = (lead.start, lead.end) if lead else (own[0].offsets[0], own[-1].offsets[-1])
        why = doubt or "what is written names none of what there is to choose from"
        return Judged("unsure", 0.0, why, start, end, sure=False)
    return _verdict(answer, lead)


def _own_cell(answer: Answer, own: Sequence[Block]) -> Sequence[Block]:
    """The cell of a row that says a label and nothing else, where only one does; else what there is."""
    labels = [choice.label.casefold() for choice in answer.choices]
    cells = [block for block in own if block.cell and block.text.strip(" .()").casefold() in labels]
    return cells if len(cells) == 1 and all(block.cell for block in own) else own


def _verdict(answer: Answer, lead: Said) -> Judged:
    """One that is chosen is judged; of several, all must be right."""
    of = {choice.label: choice for choice in answer.choices}
    chosen = [of.get(label, Choice(label=label)) for label in sorted(lead.labels)]
    rights = [choice for choice in chosen if choice.right]
    if len(rights) == len(chosen):
        return Judged("right", 1.0, "", lead.start, lead.end)
    if rights and sum(choice.right for choice in answer.choices) > 1:
        return Judged("unsure", 0.0, "right and wrong ones are chosen", lead.start, lead.end, sure=False)
    if len(chosen) > 1:
        return Judged("wrong", 0.0, "more than one is chosen", lead.start, lead.end)
    choice = chosen[0]
    known = bool(choice.share or choice.hint)
    why = "; ".join(words for words in (choice.words, choice.hint) if words) if known else ""
    return Judged("known wrong" if known else "wrong", choice.share, why, lead.start, lead.end)


def _decided(answer: Answer, said: Sequence[Said]) -> tuple[Said | None, str]:
    """What is chosen in the end, and why that is in doubt."""
    chosen = [one for one in said if one.chosen]
    if not chosen:
        return None, ""
    corrected = [one for one in chosen if one.corrects]
    lead = corrected[-1] if corrected else _lead(chosen)
    chosen = chosen[chosen.index(lead) :] if corrected else chosen
    if ends := [one for one in chosen if one.concludes]:
        chosen = chosen[chosen.index(ends[-1]) :]
        lead = chosen[0]
    elif lead.level == CHOSEN:
        alike = (one for one in chosen if (one.sentence, one.level) == (lead.sentence, CHOSEN))
        lead = replace(lead, labels=frozenset(label for one in alike for label in one.labels))
    return lead, _doubt(answer, lead, [one for one in chosen if one.labels - lead.labels], said)


def _lead(chosen: Sequence[Said]) -> Said:
    """What comes first, unless it is only named in passing and another one is chosen in words."""
    surest = next((one for one in chosen if one.level == CHOSEN), chosen[0])
    return chosen[0] if chosen[0].level > NAMED else surest


def _doubt(answer: Answer, lead: Said, others: Sequence[Said], said: Sequence[Said]) -> str:
    """Why a person decides what is chosen; else nothing."""
    if len(lead.labels) > 1 and (lead.doubted or answer.kind == "truth"):
        return "more than one is named and none is chosen"
    if len(lead.labels) == len(answer.choices) > 2:
        return "all are named and none is chosen"
    loose = answer.kind == "choice" and lead.level == NAMED
    if loose and others:
        return "another one is named as well"
    bare = any(one.level == BARE and one.start > lead.start for one in others)
    if bare or any(one.level == CHOSEN or one.doubted for one in others):
        return "another one is chosen as well"
    later = (one for one in said if not one.chosen and one.start > lead.start and one.level == CHOSEN)
    return "the same one is turned down" if any(one.labels & lead.labels for one in later) else ""
