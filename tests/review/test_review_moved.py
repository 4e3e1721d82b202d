"""What an input moves by itself is what a review with it alone changed would show."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reviewed import review
from sweep_files import reading

from workings.review.build import numbers
from workings.review.moved import alone
from workings.review.recorded import FILE, Recorded, read_review


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return made(tmp_path_factory.mktemp("base"), {})


def made(folder: Path, settings: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(numbers(review(reading(folder)(settings))))
    return found


def recorded(folder: Path, content: dict[str, Any]) -> Recorded:
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_text(json.dumps(content), encoding="utf-8")
    return read_review(folder)


def value(content: dict[str, Any], letter: str) -> float:
    return float(next(v["base"] for v in content["values"] if v["letter"] == letter))


def test_two_changes_are_told_apart(tmp_path: Path, base: dict[str, Any]) -> None:
    settings = {"matmul_efficiency": "0.5", "fragments": "0.2"}
    both = made(tmp_path, settings)
    found = alone(recorded(tmp_path / "old", base), recorded(tmp_path / "new", both))
    assert found.keys() == {"eta", "x_frag"}
    slower = made(tmp_path, {"matmul_efficiency": "0.5"})
    assert found["eta"] == {"step": pytest.approx(value(slower, "T_step") / value(base, "T_step") - 1)}
    fuller = made(tmp_path, {"fragments": "0.2"})
    assert found["x_frag"] == {"memory": pytest.approx(value(fuller, "M") / value(base, "M") - 1)}


@pytest.mark.parametrize(
    ("setting", "letter", "moved"),
    [("price='4 USD/h'", "c_d", {"cost"}), ("training_tokens='1T'", "T_tok", {"days", "cost"}),
     ("host_link='1 GB/s'", "W_h", set()), ("core_counted=1", "kappa_u", {"MFU"})],
)  # fmt: skip
def test_what_follows_from_the_step_alone_is_not_told_again(
    tmp_path: Path, base: dict[str, Any], setting: str, letter: str, moved: set[str]
) -> None:
    name, _, text = setting.partition("=")
    other = made(tmp_path, {name: text.strip("'")})
    found = alone(recorded(tmp_path / "old", base), recorded(tmp_path / "new", other))
    assert found[letter].keys() == moved


def test_a_review_of_another_cost_model_says_nothing_of_single_inputs(
    tmp_path: Path, base: dict[str, Any]
) -> None:
    other = json.loads(json.dumps(base))
    next(v for v in other["values"] if v["letter"] == "T_step")["base"] *= 1.01
    changed = made(tmp_path, {"matmul_efficiency": "0.5"})
    assert alone(recorded(tmp_path / "old", other), recorded(tmp_path / "new", changed)) == {}


@pytest.mark.parametrize("hostile", [0.0, -1.0, 1e29, 1e-29])
def test_numbers_that_make_no_sense_end_in_silence(
    tmp_path: Path, base: dict[str, Any], hostile: float
) -> None:
    old, new = recorded(tmp_path / "old", base), json.loads(json.dumps(base))
    for one in new["inputs"]:
        one["value"] = hostile
    found = alone(old, recorded(tmp_path / "new", new))
    assert all(math.isfinite(by) for shares in found.values() for by in shares.values())
    assert alone(recorded(tmp_path / "new", new), old) == {}


def test_a_letter_that_only_one_of_them_has_is_left_alone(tmp_path: Path, base: dict[str, Any]) -> None:
    less = json.loads(json.dumps(base))
    less["inputs"] = [one for one in less["inputs"] if one["letter"] != "eta"]
    old, new = recorded(tmp_path / "old", base), recorded(tmp_path / "new", less)
    assert alone(old, new) == {}
    assert alone(new, old) == {}
