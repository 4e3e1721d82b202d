"""Answers in every way to write a number and its unit, and wrong ones that look like them."""

import json
from collections.abc import Mapping
from pathlib import Path

from looping import each

from workings.grade.graded import GradedAnswer
from workings.grade.grading import grade_document
from workings.grade.keys import load_key
from workings.grade.targets import Key
from workings.reading import read_document

# 156 devices make 0.0857, 20,000, 3,517.58 GB and 219.85 billion.
ASKED = {
    "share": 'value = "{fsdp-smallest-n}/1820"\nnear = ["MFU", "Auslastung"]',
    "tokens": 'value = "{fsdp-smallest-n}*20000/156"\nnear = ["token", "batch"]\nnoun = ["token"]',
    "state": 'derivation = "model-state"\nunit = "GB"\nnear = ["state", "Zustand"]',
    "parameters": 'derivation = "ffn-parameters"\nnear = ["param", "P"]\nnoun = ["param"]',
}

RIGHT = """
share: The MFU is 8.57 %.
share: So the MFU is 8.6%.
share: MFU = 156/1820 = 0.0857
share: MFU $= \\boxed{8.57\\,\\%}$
share: Die Auslastung ist also 8,57 %.
tokens: So the batch is 20k tokens.
tokens: We need **20 000 tokens**.
tokens: The batch is $B = 20\\,000$.
tokens: Wir brauchen also 20.000 Tokens je Batch.
tokens: Batch: 20\u202f000 tokens
tokens: So 0.02M tokens.
tokens: So 2e4 tokens.
tokens: 因此批量 (batch) 为 2 万 token。
tokens: This is a 20,000-token batch.
tokens: 所以 B = 20000个。
tokens: 따라서 batch는 20,000개입니다.
state: The state is 3.518 TB.
state: Der Zustand braucht insgesamt 3.517,58 GB.
state: State: $3.517{,}6$ GB
state: The state takes 3 517.6 GB.
state: | state | 3,517.6 GB |
state: The state is 3276 GiB.
state: The state takes 3518 gigabytes.
state: state = $3.52 \\times 10^{12}$ bytes
state: state in bytes: 3,517,578,215,424
parameters: It has 219.8B parameters.
parameters: So P = 219.85 B.
parameters: Das sind also 219,8 Milliarden Parameter.
parameters: The parameters number 219 848 638 464.
parameters: Parameters: `219_848_638_464`
parameters: So 0.2198T params.
"""

WRONG = """
share: So MFU = 0.857
share: The MFU is therefore 85.7 %.
share: MFU ≈ 9.1 %
tokens: So the batch is 20M tokens.
tokens: So the batch is 2,000 tokens.
tokens: So the batch is 20.0 tokens.
state: The state is **3,276 GB**.
state: Der Zustand braucht insgesamt 3.817,58 GB.
state: So the state is 3.518 GB.
parameters: So it has 198.8B parameters.
parameters: So it has 219.8M parameters.
"""


def cases(lines: str) -> list[list[str]]:
    return [line.split(": ", 1) for line in lines.strip().splitlines()]


def key(folder: Path, asked: Mapping[str, str] = ASKED) -> Key:
    parts = "".join(
        f'[[part]]\nid = "{id_}"\nheading = ["{id_}"]\n[[part.answer]]\nid = "{id_}"\n'
        f'words = "{id_}"\nmarks = 1\n{lines}\n'
        for id_, lines in asked.items()
    )
    path = folder / "numbers.toml"
    path.write_text(f'title = "Numbers"\nscenario = "xxl-220b"\n{parts}', encoding="utf-8")
    return load_key(path)


def answer(asked: Key, id_: str, text: str, kind: str = "md") -> GradedAnswer:
    page = text if kind == "ipynb" else f"## {id_}\n\n{text}\n"
    found = grade_document(read_document(f"ann.{kind}", page, kind), asked)
    return next(a for part in found.parts for a in part.answers if a.id == id_)


@each("id_, text", cases(RIGHT))
def test_a_right_value_is_right_in_every_format(tmp_path: Path, id_: str, text: str) -> None:
    assert answer(key(tmp_path), id_, text).verdict == "right"


@each("id_, text", cases(WRONG))
def test_another_value_is_right_in_none(tmp_path: Path, id_: str, text: str) -> None:
    assert answer(key(tmp_path), id_, text).verdict in ("wrong", "known wrong", "no answer found")


def test_too_few_digits_are_coarse_and_earn_the_share_of_the_key(tmp_path: Path) -> None:
    three = ASKED["share"] + "\ndigits = 3"
    found = answer(key(tmp_path, {"share": three}), "share", "So the MFU is 8.6 %.")
    assert (found.verdict, found.marks, found.said) == ("coarse", 0.5, "right to 2 digits, 3 asked")
    asked = key(tmp_path, {"share": three + "\ncoarse = 0.25"})
    assert answer(asked, "share", "So the MFU is 8.6 %.").marks == 0.25


def test_one_digit_says_too_little_to_earn_anything(tmp_path: Path) -> None:
    assert answer(key(tmp_path), "share", "So the MFU is 9 %.").marks == 0


def test_another_reading_needs_a_digit_more(tmp_path: Path) -> None:
    other = ASKED["tokens"] + '\n[[part.answer.accept]]\nwords = "half"\nvalue = "{fsdp-smallest-n}*64.6"'
    asked = key(tmp_path, {"tokens": other})
    assert answer(asked, "tokens", "So we need 10,000 tokens.").verdict == "wrong"
    assert answer(asked, "tokens", "So we need 10.1k tokens.").verdict == "accepted"


def test_an_answer_may_be_what_a_cell_printed(tmp_path: Path) -> None:
    out = {"name": "stdout", "output_type": "stream", "text": ["layers: 126\n", "state: 3517.6 GB\n"]}
    code = {"cell_type": "code", "execution_count": 1, "id": "b", "metadata": {}, "outputs": [out],
            "source": ["print(report)"]}  # fmt: skip
    head = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["## state"]}
    text = json.dumps({"cells": [head, code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    found = answer(key(tmp_path), "state", text, "ipynb")
    assert (found.verdict, found.quote, found.cell) == ("right", "3517.6 GB", 2)


DAYS = """title = "Time"
scenario = "xxl-220b"
[[part]]
id = "5"
[[part.answer]]
id = "time"
words = "WORDS"
derivation = "training-days"
marks = 1
set = { n = "156", u = "0.4", T_tok = "1e12" }
"""


def graded_days(asked: Key, text: str) -> GradedAnswer:
    return grade_document(read_document("ann.md", f"## 5\n\n{text}\n", "md"), asked).parts[0].answers[0]


def asked_days(folder: Path, words: str) -> Key:
    path = folder / "days.toml"
    path.write_text(DAYS.replace("WORDS", words), "utf-8")
    return load_key(path)


TIMES = [
    "{0:.1f}", "{0:.1f} days", "约 {0:.0f} 天", "$= {0:.1f} \\text{{ days}}$", "{1:.0f} hours",
    "{2:.3f} years",
]  # fmt: skip


@each("shown", TIMES)
def test_an_answer_that_counts_days_takes_a_figure_in_any_unit_of_time(
    tmp_path: Path, shown: str
) -> None:
    asked = asked_days(tmp_path, "days")
    days = float(asked.parts[0].asked[0].targets[0].value)
    written = shown.format(days, days * 24, days / 365)
    assert graded_days(asked, written).verdict == "right", written
    assert graded_days(asked, shown.format(days * 2, days * 48, days / 182.5)).verdict != "right"


STEPS = """title = "Steps"
scenario = "xxl-220b"
[[part]]
id = "5"
[[part.answer]]
id = "memory"
words = "memory of one device"
derivation = "fsdp-memory"
unit = "GB"
marks = 1
set = { N = "156" }
[[part.answer.wrong]]
words = "activations forgotten"
value = "{training-state}/156"
share = 0.3
"""
SHARE = """title = "Share"
scenario = "xxl-220b"
[[part]]
id = "5"
[[part.answer]]
id = "bubble"
words = "bubble, share of the total time"
derivation = "pipeline-bubble-total"
marks = 1
set = { p = "8", m = "26" }
"""


def graded_by(folder: Path, key_: str, text: str) -> GradedAnswer:
    path = folder / "own.toml"
    path.write_text(key_, "utf-8")
    return graded_days(load_key(path), text)


def test_a_known_wrong_figure_on_the_way_to_the_right_one_is_no_answer(tmp_path: Path) -> None:
    way = "3517,6 GB / 156 = 22,5 GB; mit den Aktivierungen 22,5 GB + 72,3 GB = 94,88 GB."
    found = graded_by(tmp_path, STEPS, way)
    assert (found.verdict, found.quote) == ("right", "94,88 GB")
    assert graded_by(tmp_path, STEPS, "So 22.5 GB.").verdict == "known wrong"


@each("text", [
    "26 micro-batches; the bubble is 7 slots of 26 + 7 = 33, or 21.2 % of the time.",
    "微批数为 26，气泡占总时间的 7/33 = 21.2%。", "m = 26, 7/33 = 21.2 %",
])  # fmt: skip
def test_a_share_in_per_cent_has_no_rival_above_one(tmp_path: Path, text: str) -> None:
    assert graded_by(tmp_path, SHARE, text).verdict == "right"


def test_two_shares_to_choose_from_are_still_none(tmp_path: Path) -> None:
    assert graded_by(tmp_path, SHARE, "21.2 % or 26.9 %").verdict == "unsure"
