"""Every number of a review as JSON: values in base units, with their units and letters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from workings.contract import SCHEMA
from workings.formula import plain
from workings.planning.accuracy import LIKELY
from workings.planning.decision import Comparison, Decision
from workings.planning.flows import Flow, flows
from workings.planning.ledger import MOMENTS, ledger
from workings.planning.measure import predicted
from workings.planning.search import Option
from workings.planning.waterfall import waterfall
from workings.review.desk import Desk
from workings.review.measure import Worth, checks
from workings.review.numbers import DAY
from workings.review.recommended import recommended
from workings.review.register import Entry
from workings.review.thresholds import Holds
from workings.review.verdict import Verdict

if TYPE_CHECKING:
    from workings.review.build import Review


def as_json(review: Review) -> str:
    """The review as text."""
    return json.dumps(as_dict(review), indent=1, ensure_ascii=False) + "\n"


def as_dict(review: Review) -> dict[str, Any]:
    """The review as data."""
    desk = review.desk
    return {
        "schema": SCHEMA,
        "name": desk.job.name,
        "cover": {k: getattr(desk.job.cover, k) for k in ("decision", "owner", "version", "date")},
        "hashes": dict(desk.job.hashes),
        "verdict": _verdict(review.answer),
        "recommended": recommended(desk, review.answer, review.found),
        "likely": {n: [float(end) for end in ends] for n in LIKELY
                   if desk.base[n] and (ends := desk.likely(n))},
        "kept": {n: float(desk.outcome.chance(n, limit)) for n, limit in desk.bounds.items()
                 if desk.base[n]},
        "limits": {"memory": [float(desk.job.limit), float(desk.job.limit_if)],
                   "max_days": _float(desk.job.max_time and desk.job.max_time / DAY),
                   "max_cost": _float(desk.job.max_cost),
                   "min_mfu": _float(desk.job.min_mfu)},
        "measured": {n: float(value) for n, value in desk.measured.items()},
        "evidence": {"generation": desk.device[0], "precision": desk.device[1],
                     "step_times": len(desk.runs), "peaks": len(desk.peaks)},
        "published": {"source": desk.job.published.source,
                      "counts": [float(share) for share in desk.job.published.counts],
                      **{n: float(value) for n, value in desk.job.published.values.items()}},
        "inputs": [_input(desk, name) for name in desk.job.figures],
        "register": [_entry(entry) for entry in review.register],
        "values": [_value(desk, s.letter) for s in desk.plan.statements],
        "memory": _memory(desk),
        "communication": [_flow(f) for f in flows(desk.base)],
        "step": [{"part": s.name, "letters": list(s.letters), "seconds": float(s.seconds)}
                 for s in waterfall(desk.base)],
        "measure": [_check(desk, one) for one in checks(desk)],
        "notes": [{"remark": n.remark, "file": n.file, "key": n.key, "text": n.text}
                  for n in desk.job.noted],
        "rules": [{"id": f.rule.id, "severity": f.rule.severity, "outcome": f.outcome,
                   "message": f.message} for f in review.findings],
        "alternatives": [_option(o) for o in review.found.result.best] if review.found else [],
        "proposed": _proposed(review),
        "decision": _decision(review.walked, review.compared),
    }  # fmt: skip


def _verdict(answer: Verdict) -> dict[str, Any]:
    return {
        "word": answer.word, "about": list(answer.about), "reason": answer.reason,
        "conditions": list(answer.conditions),
        "constraints": [{"name": c.name, "kind": c.kind, "used": float(c.used),
                         "share": _float(c.share), "words": c.words} for c in answer.constraints],
    }  # fmt: skip


def _input(desk: Desk, name: str) -> dict[str, Any]:
    figure = desk.job.figures[name]
    return {
        "letter": name, "name": figure.concept.name, "meaning": figure.concept.meaning,
        "value": float(figure.value), "unit": str(figure.dimension), "kind": figure.kind,
        "source": figure.source, "low": _float(figure.low), "high": _float(figure.high),
    }  # fmt: skip


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id, "letter": entry.figure.letter,
        "memory": _float(entry.memory.value if entry.memory else None),
        "step_time": _float(entry.time.value if entry.time else None),
        "marks": sorted({m for e in (entry.memory, entry.time) if e for m in e.marks}),
        "holds": _holds(entry.holds), "otherwise": _otherwise(entry),
    }  # fmt: skip


def _otherwise(entry: Entry) -> dict[str, Any] | None:
    """The value without what the job gives, and by which part results would then be more."""
    if entry.otherwise is None:
        return None
    more = {letter: float(part) for letter, part in entry.otherwise.more.items()}
    return {"value": float(entry.otherwise.value), "more": more}


def _value(desk: Desk, name: str) -> dict[str, Any]:
    statement = desk.plan.named(name)
    return {
        "letter": name, "meaning": statement.meaning, "unit": str(statement.unit),
        "formula": plain(statement.formula), "derivation": statement.entry,
        "low": float(desk.low[name]), "base": float(desk.base[name]), "high": float(desk.high[name]),
    }  # fmt: skip


def _memory(desk: Desk) -> dict[str, Any]:
    found = ledger(desk.base)
    return {
        "stage": found.stage,
        "accounts": [{"name": a.name, "bytes": float(a.bytes), "assumed": a.assumed,
                      "moments": [MOMENTS[m] for m in a.moments]} for a in found.accounts],
        "totals": dict(zip(MOMENTS, map(float, found.totals), strict=True)),
    }  # fmt: skip


def _flow(f: Flow) -> dict[str, Any]:
    return {
        "axis": f.axis, "ranks": f.size, "what": f.what, "bytes": float(f.bytes), "times": float(f.count),
        "link": f.link, "bandwidth": float(f.bandwidth), "starts": float(f.starts),
        "seconds": float(f.seconds), "exposed": float(f.exposed),
    }  # fmt: skip


def _check(desk: Desk, one: Worth) -> dict[str, Any]:
    """A check, and up to or from which value the review still says what it says."""
    return {
        "name": one.check.name,
        "run": one.check.command,
        "moves": one.result,
        "effect": round(one.effect, 6),
        "predicted": float(predicted(one.check, desk.base)),
        "holds": _holds(one.holds),
    }


def _holds(found: Sequence[Holds]) -> list[dict[str, Any]]:
    """Up to or from which values the answer is a word, or a better one."""
    return [{"word": h.word, "side": "<=" if h.at_most else ">=", "value": float(h.value)} for h in found]


def _proposed(review: Review) -> dict[str, Any] | None:
    """The parts of the proposed layout's step, where there is one."""
    if review.found is None or review.found.option is None or review.found.proposed is None:
        return None
    best = review.found.proposed
    return {
        "layout": dict(review.found.option.layout),
        "step": [{"part": s.name, "seconds": float(s.seconds)} for s in waterfall(best)],
        "values": {n: float(best[n]) for n in LIKELY},
    }


def _option(option: Option) -> dict[str, Any]:
    values = {name: float(value) for name, value in sorted(option.values.items())}
    return {"layout": dict(option.layout), "values": values, "tied": option.tied}


def _decision(walked: Decision | None, compared: Comparison | None) -> dict[str, Any] | None:
    """The tree, by the letters of the model, and the layouts it is held against."""
    if walked is None:
        return None
    steps = [
        {"question": s.question, "formula": s.formula, "value": float(s.value), "limit": _float(s.limit),
         "answer": s.answer, "chosen": {n: float(v) for n, v in s.chosen.items()},
         "tried": [{"letter": t.letter, "choice": float(t.choice), "value": float(t.value),
                    "enough": t.enough} for t in s.tried]}
        for s in walked.steps
    ]  # fmt: skip
    return {
        "steps": steps, "fits": walked.fits, "layout": {n: float(v) for n, v in walked.layout.items()},
        "values": {n: float(walked.values[n]) for n in ("M", "T_step", "u")},
        "ratio": _float(compared.ratio if compared else None),
    }  # fmt: skip


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
