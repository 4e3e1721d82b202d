"""Claims that a text leaves open: every case is judged, and the verdict is what they come to together."""

from pathlib import Path

from audits import markdown_of, refusal

STATED = '[[claim]]\nwhat = "memory"\nclaimed = "440 GB"\nopen = "It does not say which memory"\n'
HELD, BROKEN = "bf16-gradient-saving", "saved-activations"  # 439.7 GB and 143.7 GB at xxl-220b
DIRECTIVE = "```{claims} open.toml\n```\n"


def case(name: str, ours: str) -> str:
    return f'[[claim.case]]\nname = "{name}"\nours = "{ours}"\n'


def row(folder: Path, text: str, directive: str = DIRECTIVE) -> list[str]:
    """The cells of the one claim's row."""
    (folder / "open.toml").write_text(text, encoding="utf-8")
    lines = [line for line in markdown_of(folder, directive).splitlines() if line.startswith("| ")]
    return [cell.strip() for cell in lines[-1].strip("|").split("|")]


def test_right_in_one_case_and_wrong_in_another_is_not_decidable_and_both_are_shown(
    tmp_path: Path,
) -> None:
    cells = row(tmp_path, STATED + case("Economised", HELD) + case("stored", BROKEN))
    assert cells[2:4] == ["439.7 GB or 143.7 GB", "not decidable from the text"]
    assert cells[4] == "It does not say which memory. Economised: agrees after rounding; stored: wrong."


def test_what_is_open_does_not_matter_where_all_cases_come_to_one_verdict(tmp_path: Path) -> None:
    exact = "440[GB]*{world-size t=1 c=1 p=1 d=1}"
    right = row(tmp_path, STATED + case("One", HELD) + case("another", exact))
    assert right[3] == "agrees after rounding"
    wrong = row(tmp_path, STATED + case("One", BROKEN) + case("another", "2*{saved-activations}"))
    assert wrong[3] == "**wrong**"


def test_one_case_no_word_of_what_is_open_or_a_reading_beside_are_refused(tmp_path: Path) -> None:
    reading = f'[[claim.reading]]\nname = "R"\nours = "{HELD}"\n'
    for text, said in (
        (STATED + case("One", HELD), "found 1 case, expected open with two or more [[claim.case]]"),
        (STATED + f'ours = "{HELD}"\n', "found 0 case"),
        (STATED.replace("open = ", "why = ") + case("a", HELD) + case("b", BROKEN), "found 2 case"),
        (STATED + case("a", HELD) + case("b", BROKEN) + reading, "found reading beside case"),
    ):
        (tmp_path / "open.toml").write_text(text, encoding="utf-8")
        assert said in refusal(tmp_path, DIRECTIVE)


FORMULA = """[[claim]]
what = "memory"
says = "A/k"
letters = { A = "a*B*L*(D + F)" }
ours = "checkpoint-memory"
"""
DEVICES = """[[claim]]
what = "DP"
says = "left/(t*p)"
letters = { left = "n - t*p" }
ours = "data-parallel-degree"
fixed = { c = "1" }
[[claim.reading]]
name = "If all are left"
letters = { left = "n" }
"""
FORMULAS = "```{formulas} open.toml\n```\n"


def test_a_bound_holds_at_every_point_at_some_or_at_none(tmp_path: Path) -> None:
    exact = FORMULA.replace('"A/k"', '"k*a*B*D + A/k"')
    for text, verdict in (
        (exact + 'bound = "at most"\n', "agrees"),
        (exact.replace("k*a*B*D", "2*k*a*B*D") + 'bound = "at most"\n', "agrees"),
        (exact.replace("k*a*B*D", "2*k*a*B*D") + 'bound = "at least"\n', "**wrong**"),
        (FORMULA + 'bound = "at most"\n', "right in a special"),  # with one segment both are equal
        (FORMULA + 'bound = "at least"\n', "agrees"),
        (
            FORMULA.replace('(D + F)" }', '(D + F)", k = "L/k" }') + 'bound = "at most"\n',
            "right in a special",
        ),
    ):
        assert row(tmp_path, text, FORMULAS)[3].startswith(verdict), text


def test_letters_of_a_case_or_a_reading_stand_beside_those_of_the_claim(tmp_path: Path) -> None:
    cases = (
        'bound = "at most"\nopen = "It does not say what k is"\n[[claim.case]]\nname = "Segments"\n'
        '[[claim.case]]\nname = "blocks"\nletters = { k = "L/k" }\n'
    )
    said = row(tmp_path, FORMULA + cases, FORMULAS)[3]
    assert said.startswith("right in a special case. It does not say what k is. Segments: right in a")
    assert "; blocks: right in a special case" in said
    assert row(tmp_path, DEVICES, FORMULAS)[3].startswith("depends on a convention. If all are left.")
