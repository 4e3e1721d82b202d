"""Scores the checker on the pages of a round, once, and keeps what came out as a record.

    python -m benchmarks.rounds.score N           prints, and writes tests/check/rounds/N/record.json
    python -m benchmarks.rounds.score N --again   prints only: a training score by then

An accusation is whatever is printed by default as wrong. It is right where it covers a step labelled
wrong, and neither where that only repeats an earlier mistake (`carried`; not told apart before round 11);
on a page whose labels are complete every other one is false. What a page and its twin share counts
once, on the right page. Steps labelled right are broken on purpose, one number each, table cells apart.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workings.check import check_text
from workings.check.verdicts import FLAGS, Checked, Statement
from workings.claims.rules import rules

ROOT = Path(__file__).parents[2] / "tests" / "check" / "rounds"
GOOD = ("ok", "rounds", "truncates")
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
BREAKS = ("twice", "half", "a tenth more", "a digit")
PREVIEWS = frozenset(rule.id for rule in rules() if rule.preview)
SAMPLES = 12  # steps of a page that are broken


def squeezed(text: str) -> str:
    """Text without white space and marks that only set it."""
    return re.sub(r"[\s`*$]+", "", text or "")


def overlap(one: str, other: str) -> bool:
    """Whether two quotes share at least eight characters, or one holds the other."""
    a, b = squeezed(one), squeezed(other)
    if not a or not b:
        return False
    return a in b or b in a or any(a[i : i + 8] in b for i in range(0, max(1, len(a) - 8), 4))


def covers(statement: Statement, step: dict[str, Any]) -> bool:
    """Whether a statement speaks of a labelled step."""
    return statement.line <= step["line"] <= statement.end_line and overlap(
        statement.quote, step["quote"]
    )


def checked(path: Path, text: str, preview: bool) -> Checked:
    """What the checker says of a page."""
    return check_text(text, path.suffix[1:], preview=preview)


def scored(labels: Path, preview: bool) -> dict[str, Any]:
    """One page: found and missed by scope, right and false accusations, right steps decided."""
    label = json.loads(labels.read_text(encoding="utf-8"))
    path = labels.parent / label["file"]
    text = path.read_text(encoding="utf-8")
    twin = labels.parent / labels.name.replace("_wrong.", "_right.").replace(".labels.json", path.suffix)
    shared = _lines(twin) if "_wrong." in labels.name else frozenset[str]()
    lines = text.splitlines()
    found = checked(path, text, preview).statements
    flags = [s for s in found if s.verdict in FLAGS and lines[s.line - 1] not in shared]
    steps = [s for s in label["steps"] if lines[s["line"] - 1] not in shared]
    wrong = [s for s in steps if s["correct"] is False and not s.get("carried")]
    carried = [s for s in steps if s["correct"] is False and s.get("carried")]
    hit = [[f for f in flags if covers(f, s)] for s in wrong]
    used = {id(f) for fs in hit for f in fs}
    stray = [f for f in flags if id(f) not in used and not any(covers(f, s) for s in carried)]
    right = [s for s in steps if s["correct"] is not False]
    false = [f for f in stray if label.get("complete") or any(covers(f, s) for s in right)]
    decided = [any(covers(f, s) and f.verdict in GOOD for f in found) for s in right]
    return {
        "page": labels.name.removesuffix(".labels.json"),
        "wrong": dict(Counter(s["scope"] for s in wrong)),
        "found": dict(Counter(s["scope"] for s, fs in zip(wrong, hit, strict=True) if fs)),
        "rules": dict(Counter(fs[0].rule for fs in hit if fs)),
        "right_accusations": len(used), "false_accusations": len(false),
        "unlabelled_accusations": len(stray) - len(false),
        "false": [[f.line, f.rule, f.quote[:120]] for f in false],
        "missed": [
            [s["line"], s["scope"], s["quote"][:120]] for s, fs in zip(wrong, hit, strict=True) if not fs
        ],
        "right_steps": len(right), "decided": sum(decided),
    }  # fmt: skip


def _lines(path: Path) -> frozenset[str]:
    return frozenset(path.read_text(encoding="utf-8").splitlines())


def broken(labels: Path, draw: random.Random) -> Iterator[tuple[str, bool, str, str]]:
    """Right steps with one number changed: how, whether in a table, what is said, by which rule.

    A rule that accuses only with `--preview` is named, for its count, where the step stays open.
    """
    label = json.loads(labels.read_text(encoding="utf-8"))
    path = labels.parent / label["file"]
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    steps = [s for s in label["steps"] if s["correct"] is True and NUMBER.search(s["quote"])]
    for step in draw.sample(steps, min(SAMPLES, len(steps))):
        how = draw.choice(BREAKS)
        line = lines[step["line"] - 1]
        at = line.find(step["quote"])
        numbers = list(NUMBER.finditer(step["quote"]))
        if at < 0 or not numbers:
            continue
        other = _changed(numbers[-1][0], how, draw)
        start, end = at + numbers[-1].start(), at + numbers[-1].end()
        bad = line[:start] + other + line[end:]
        quote = bad[at : at + len(step["quote"]) + len(other) - (end - start)]
        text = "".join([*lines[: step["line"] - 1], bad, *lines[step["line"] :]])
        said = [
            s for s in checked(path, text, True).statements
            if covers(s, {"line": step["line"], "quote": quote})
        ]  # fmt: skip
        flags = sorted((s.rule for s in said if s.verdict in FLAGS), key=PREVIEWS.__contains__)
        rule = next(iter(flags), "")
        word = "found" if rule and rule not in PREVIEWS else "open"
        judged = [s for s in said if not s.defines]  # that a value is set says nothing of it
        if word == "open" and any(s.verdict in GOOD and other in s.quote for s in judged):
            word = "called ok"
        yield how, line.lstrip().startswith("|"), word, rule


def _changed(number: str, how: str, draw: random.Random) -> str:
    """A number broken in its own digits."""
    places = [i for i, sign in enumerate(number) if sign.isdigit()]
    if how == "a digit":
        place = draw.choice(places[:3])
        digit = draw.choice([d for d in "123456789" if d != number[place]])
        return number[:place] + digit + number[place + 1 :]
    value = int("".join(number[i] for i in places))
    value = {"twice": 2 * value, "half": max(1, value // 2), "a tenth more": value + max(1, value // 10)}[
        how
    ]
    digits = str(value).zfill(len(places))
    extra = len(digits) - len(places)
    signs = list(number)
    for place, digit in zip(places, digits[extra:], strict=True):
        signs[place] = digit
    return digits[:extra] + "".join(signs)


def totals(pages: list[dict[str, Any]]) -> dict[str, Any]:
    """The sums of a round."""
    wrong = sum((Counter(page["wrong"]) for page in pages), Counter[str]())
    found = sum((Counter(page["found"]) for page in pages), Counter[str]())
    right, false = (sum(p[k] for p in pages) for k in ("right_accusations", "false_accusations"))
    clean = [page for page in pages if not page["wrong"]]
    return {
        "recall": {scope: [found[scope], wrong[scope]] for scope in sorted(wrong)},
        "right_accusations": right, "false_accusations": false,
        "unlabelled_accusations": sum(page["unlabelled_accusations"] for page in pages),
        "right_steps_decided": [sum(p["decided"] for p in pages), sum(p["right_steps"] for p in pages)],
        "right_pages_untouched": [sum(not p["false_accusations"] for p in clean), len(clean)],
        "nothing_decided": sum(p["right_steps"] > 0 and not p["decided"] for p in pages),
        "right_by_rule": dict(sum((Counter(p["rules"]) for p in pages), Counter[str]())),
        "false_by_rule": dict(Counter(rule for p in pages for _, rule, _ in p["false"])),
    }  # fmt: skip


def main() -> None:
    """Score a round, print its sums, keep its record."""
    folder = ROOT / sys.argv[1]
    labels = sorted(folder.glob("*.labels.json"))
    record: dict[str, Any] = {}
    for name, preview in (("default", False), ("preview", True)):
        pages = [scored(path, preview) for path in labels]
        record[name] = {"totals": totals(pages), "pages": pages}
        print(name, json.dumps(record[name]["totals"], ensure_ascii=False))
    draw = random.Random(int(sys.argv[1]))  # noqa: S311 - a lot, no secret
    every = [one for path in labels if "_wrong." not in path.name for one in broken(path, draw)]
    tried = Counter((how, cell, word) for how, cell, word, _ in every)
    record["broken"] = [
        [how, "cell" if cell else "line", word, n] for (how, cell, word), n in sorted(tried.items())
    ]
    record["broken_by_rule"] = dict(sorted(Counter(rule for *_, rule in every if rule).items()))
    for cell in (False, True):
        said = Counter[str]()
        for (_, in_cell, word), n in tried.items():
            said[word] += n * (in_cell == cell)
        print("broken cells" if cell else "broken lines", dict(said))
    if "--again" not in sys.argv:
        text = json.dumps(record, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        (folder / "record.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
