"""Computed tables: cells, tests, rows that vary, and one sentence for what they cannot be."""

from pathlib import Path

import pytest
from documents import FIRST, latex_of, markdown_of, refusal

from workings.errors import UserError

WORDS = '[[column]]\ntitle = "w"\nkey = "k"\n'
COLUMN = '[[column]]\ntitle = "x"\nid = "model-state"\n'


def table(body: str) -> str:
    return f"```{{table}}\n{body}```\n"


def cells(made: str) -> list[list[str]]:
    rows = [line for line in made.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_a_cell_is_words_a_formula_a_test_or_a_value(tmp_path: Path) -> None:
    body = """
[[column]]
title = "name"
key = "name"
[[column]]
title = "formula"
symbol = true
[[column]]
title = "amount"
decimals = 1
[[column]]
title = "in GiB"
unit = "GiB"
digits = 2
[[column]]
title = "fits?"
test = "< 200 GB"
[[row]]
name = "one *two* {math}`N`"
id = "fsdp-memory"
set = { N_fsdp = "156" }
bold = true
[[row]]
name = "another"
id = "saved-activations"
"""
    made = markdown_of(tmp_path, table(body))
    assert cells(made) == [
        ["**one *two* $`N`$**", r"**$`\frac{S + A/2}{N} + A/2`$**", "**94.9 GB**", "**88 GiB**",
         "**yes**"],
        ["another", "$`a B L(D + F)`$", "143.7 GB", "130 GiB", "yes"],
    ]  # fmt: skip
    assert "|:---|:---|---:|---:|:---|\n" in made


def test_a_letter_varies_over_values_worked_out_where_they_stand(tmp_path: Path) -> None:
    body = (
        'vary = "N_fsdp"\nover = ["{fsdp-smallest-n} - 1", "{fsdp-smallest-n}", 10000]\n'
        'bold = [1]\n[[column]]\ntitle = "N"\nkey = "value"\nalign = "c"\n'
        '[[column]]\ntitle = "M"\nid = "fsdp-memory"\ndecimals = 2\n'
    )
    made = markdown_of(tmp_path, table(body))
    assert cells(made) == [
        ["155", "95.03 GB"],
        ["**156**", "**94.88 GB**"],
        ["10,000", "72.23 GB"],
    ]
    assert "|:---:|---:|" in made


def test_a_number_beside_a_limit_keeps_to_its_side_of_it(tmp_path: Path) -> None:
    def at(limit: str) -> str:
        body = COLUMN + f'beside = "{limit}"\n[[row]]\n'
        return cells(markdown_of(tmp_path, table(body)))[0][0]

    assert at("3 TB") == "3,518 GB"  # of 3,517.578…
    assert at("3518 GB") == "3,517.6 GB"
    assert at("3517.58 GB") == "3,517.578 GB"
    assert at("3517578215424 byte") == "3,517.578215424 GB"  # on it, and printed so


def test_settings_of_the_row_go_before_the_columns_and_the_tables(tmp_path: Path) -> None:
    body = (
        'set = { L = "1", D = "1", F = "1" }\n[[column]]\ntitle = "P"\nid = "ffn-parameters"\n'
        'set = { L = "2" }\n[[row]]\n[[row]]\nset = { L = "3" }\n'
    )
    assert cells(markdown_of(tmp_path, table(body))) == [["4"], ["6"]]


def test_otherwise_stands_where_a_derivation_does_not_apply(tmp_path: Path) -> None:
    body = (
        '[[column]]\ntitle = "B"\nid = "compute-bound-batch-max"\notherwise = "never | *ever*"\n'
        '[[row]]\nset = { X = "1", Y = "64" }\n[[row]]\n'
    )
    made = markdown_of(tmp_path, table(body))
    assert r"| never \| *ever* |" in made
    assert "20,444" in made
    sentence = refusal(tmp_path, table(body.replace('otherwise = "never | *ever*"\n', "")))
    assert "compute-bound-batch-max does not apply: it needs F > a*Y*C" in sentence


def test_otherwise_hides_no_other_error(tmp_path: Path) -> None:
    body = '[[column]]\ntitle = "B"\nid = "model-state"\notherwise = "-"\nset = { Z = "1" }\n[[row]]\n'
    assert "set: Z changes nothing here" in refusal(tmp_path, table(body))


@pytest.mark.parametrize(
    ("body", "line", "problem"),
    [
        ("x =\n", 1, "its body is not valid TOML: Invalid value"),
        ('caption = "x"\n\ny = [1,,2]\n', 3, "its body is not valid TOML"),
        ("digits = " + "9" * 5_000 + "\n", 1, "its body is not valid TOML: Exceeds the limit"),
        ("nope = 1\n", 1, "found key 'nope', expected one of caption, label"),
        ('caption = "x"\n', 1, "found no [[column]] or no row, expected both"),
        (COLUMN, 1, "found no [[column]] or no row, expected both"),
        ("column = 1\n", 1, "column: found 1, expected [[column]] tables"),
        ("caption = 1\n" + COLUMN + "[[row]]\n", 1, "caption: found 1, expected text"),
        (COLUMN + 'titel = "x"\n[[row]]\n', 1, "[[column]] 'x': found key 'titel', expected one of id,"),
        (COLUMN + '[[row]]\nkk = "x"\n', 1, "[[row]]: found key 'kk', expected one of"),
        (COLUMN + "[[row]]\nset = [1]\n", 1, "set: found [1], expected a table of quantities"),
        (COLUMN + "[[row]]\nset = { L = 1.5 }\n", 1, "expected a table of quantities"),
        (COLUMN + "[[row]]\nset = { L = true }\n", 1, "expected a table of quantities"),
        (COLUMN + "[[row]]\nset = { L = 0 }\n", 0, "found '0', expected a whole number from 1"),
        ('digits = "x"\n' + COLUMN + "[[row]]\n", 1, "digits: found 'x', expected 1 to 30"),
        ("digits = 0\n" + COLUMN + "[[row]]\n", 1, "digits: found 0, expected 1 to 30"),
        ("digits = true\n" + COLUMN + "[[row]]\n", 1, "digits: found True, expected 1 to 30"),
        ("decimals = 1.5\n" + COLUMN + "[[row]]\n", 1, "decimals: found 1.5, expected 0 to 30"),
        (COLUMN + "decimals = -1\n[[row]]\n", 1, "decimals: found -1, expected 0 to 30"),
        (COLUMN + "unit = 3\n[[row]]\n", 1, "unit: found 3, expected text"),
        (COLUMN + 'unit = "s"\n[[row]]\n', 0, "unit=s: the value is in byte"),
        (COLUMN + 'beside = "95 s"\n[[row]]\n', 1, "beside: found '95 s', expected a limit in"),
        (COLUMN + 'align = "x"\n[[row]]\n', 1, "align: found 'x', expected l, r or c"),
        ("bold = 1\n" + COLUMN + "[[row]]\n", 1, "bold: found 1, expected a list of rows from 0"),
        ("bold = [1]\n" + COLUMN + "[[row]]\n", 1, "bold: found [1], expected a list of rows"),
        (COLUMN + 'test = "95 GB"\n[[row]]\n', 1, "test: found '95 GB', expected one such as"),
        (COLUMN + 'test = "!! 95 GB"\n[[row]]\n', 1, "test: found '!! 95 GB', expected one such"),
        (COLUMN + 'test = "< 95 s"\n[[row]]\n', 1, "test: found '< 95 s', expected a limit in byte"),
        ('[[column]]\ntitle = "x"\n[[row]]\n', 1, "[[column]] 'x': found neither key nor id, expected"),
        (
            WORDS + '[[row]]\nkk = "x"\n',
            1,
            "[[column]] 'w': found key = 'k', which no row has, expected one of kk",
        ),
        (WORDS + '[[row]]\nset = { L = "1" }\n', 1, "'w': found key = 'k', which no row has"),
        (WORDS + '[[row]]\nk = ""\n', 1, "[[column]] 'w': found no row with a word in it"),
        (
            'vary = "N"\nover = [1]\n' + WORDS,
            1,
            "found key = 'k', which no row has, expected one of value",
        ),
        (
            WORDS.replace('"k"', '"set"') + '[[row]]\nset = { L = "1" }\n',
            1,
            "found key = 'set', which no",
        ),
        (COLUMN + 'symbol = "m"\n[[row]]\n', 1, "[[column]] 'x': symbol: found 'm', expected true"),
        (COLUMN + "symbol = false\n[[row]]\n", 1, "symbol: found False, expected true"),
        (COLUMN + 'symbol = true\nunit = "GB"\n[[row]]\n', 1, "found key 'unit', expected one of symbol"),
        (
            COLUMN + 'test = "< 1 GB"\ndigits = 3\n[[row]]\n',
            1,
            "found key 'digits', expected one of test",
        ),
        (
            COLUMN + 'vary = "N"\nover = [1]\n',
            1,
            "[[column]] 'x': found over, which is a key of the table: "
            "expected it before the first [[column]]",
        ),
        ('vary = "N"\n' + COLUMN + "over = [1]\n", 1, "found over, which is a key of the table"),
        (
            'vary = "N"\n' + COLUMN,
            1,
            "found vary, over or [[row]] alone or together, expected vary and over",
        ),
        ("over = [1]\n" + COLUMN + "[[row]]\n", 1, "found vary, over or [[row]] alone"),
        ('vary = "N"\nover = [1]\n' + COLUMN + "[[row]]\n", 1, "found vary, over or [[row]] alone"),
        (COLUMN + '[[row]]\nid = "fsdp-memory"\n', 1, "[[row]]: found id = 'fsdp-memory', but every"),
        ('vary = "N"\nover = "x"\n' + COLUMN, 1, "over: found 'x', expected a list of values"),
        ('vary = "N"\nover = ["{fsdp-fits}"]\n' + COLUMN, 0, "expected a whole number"),
        ('vary = "N"\nover = ["{nope}"]\n' + COLUMN, 0, "no derivation 'nope'"),
        ('vary = "L"\nover = ["²"]\n' + COLUMN, 0, "found '²', expected a number"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, body: str, line: int, problem: str) -> None:
    sentence = refusal(tmp_path, table(body))
    assert sentence.startswith(f"page.md:{FIRST + line}: ")
    assert problem in sentence


def test_every_key_of_a_table_is_read_or_refused(tmp_path: Path) -> None:
    """Each key of table, column and row, where a column of each kind may have it."""
    kinds = {
        "value": COLUMN,
        "test": COLUMN + 'test = "< 100 GB"\n',
        "symbol": COLUMN + "symbol = true\n",
        "words": WORDS,
    }
    keys = {
        "id": '"adam-fp32-state"', "set": '{ L = "2" }', "unit": '"GiB"', "digits": "2", "decimals": "1",
        "beside": '"3517.58 GB"', "otherwise": '"never"', "align": '"c"', "test": '"< 9 TB"',
        "caption": '"c"', "label": '"l"', "vary": '"L"', "over": "[1]", "bold": "[0]", "symbol": "1",
    }  # fmt: skip
    for kind, column in kinds.items():
        rows = '[[row]]\nk = "a word"\n' if kind == "words" else "[[row]]\n"
        plain = markdown_of(tmp_path, table(column + rows))
        for key, value in keys.items():
            if f"\n{key} = " in column:
                continue
            page = table(f"{column}{key} = {value}\n{rows}")
            try:
                changed = markdown_of(tmp_path, page) != plain
            except UserError:  # it was no error without the key
                changed = True
            # `otherwise` counts only where the derivation does not apply
            assert changed or key == "otherwise", (kind, key)


def test_a_ledger_adds_up_exactly_and_shows_what_is_whole_and_what_is_one_devices(
    tmp_path: Path,
) -> None:
    made = markdown_of(tmp_path, "```{ledger} fsdp-memory N=156\n:decimals: 0\n```\n")
    assert "| account | whole | on one device | amount | reason |" in made
    rows = cells(made)
    assert [row[3] for row in rows] == ["23 GB", "0 GB", "72 GB", "**95 GB**"]  # 94.88: not 23+0+72
    assert rows[0][1] == "3,518 GB"
    assert rows[-1][:2] == ["**total**", ""]


def test_symbols_lists_each_letter_once_with_its_value_here(tmp_path: Path) -> None:
    text = "```{chain} ffn-parameters\n```\n\n```{worked} model-state\n```\n\n```{symbols}\n```\n"
    made = markdown_of(tmp_path, text)
    rows = cells(made.partition("table-symbols")[2])
    assert [row[0] for row in rows] == ["$`D`$", "$`F`$", "$`L`$", "$`w_{g}`$", "$`w_{o}`$",
                                        "$`w_{p}`$"]  # fmt: skip
    assert rows[0] == ["$`D`$", "model width", "", "16,384"]
    assert rows[-1] == ["$`w_{p}`$", "bytes per master weight", "byte", "4 bytes"]
    assert r"\workingscaption{table}{tab:symbols}" in latex_of(tmp_path, text)


def test_symbols_without_a_scenario_have_no_column_of_values(tmp_path: Path) -> None:
    text = "```{chain} ffn-parameters\n```\n\n```{symbols}\n```\n"
    made = markdown_of(tmp_path, text, '+++\ntitle = "T"\n+++\n')
    assert cells(made)[0] == ["$`D`$", "model width", ""]
