"""Counts of verdicts: table by table, section by section, and what they leave to judge."""

from pathlib import Path

from audits import markdown_of, refusal

FIGURES = """
[[claim]]
what = "weights"
claimed = "220e9"
ours = "ffn-parameters"
[[claim]]
what = "saved"
claimed = "440 GB"
ours = "saved-activations"
[[claim.reading]]
name = "Economised"
ours = "bf16-gradient-saving"
[[claim]]
what = "time"
claimed = "1,956 s"
ours = "forward-compute-time batch=16"
"""
OPEN = """
[[claim]]
what = "left open"
claimed = "440 GB"
open = "It does not say which"
[[claim.case]]
name = "Stored"
ours = "saved-activations"
[[claim.case]]
name = "economised"
ours = "bf16-gradient-saving"
"""
FORMULAS = """
[[claim]]
what = "bubble"
says = "(p - 1)/(2*m)"
ours = "pipeline-bubble"
[[claim]]
what = "ring"
says = "2*S"
ours = "ring-all-reduce"
large = ["N"]
[[claim]]
what = "limit"
says = "p <= L"
ours = "pipeline-depth-limit"
where = { v = "1" }
"""
TEXT = """
```{claims} figures.toml
:caption: Figures
```

```{verdicts} First
```

```{claims} figures.toml
:label: again
:caption: Again
```

```{formulas} formulas.toml
:caption: Formulas
```

```{verdicts} Second
:label: second
```

```{verdicts}
:label: all
```
"""


def rows_of(folder: Path, text: str) -> list[str]:
    (folder / "figures.toml").write_text(FIGURES + OPEN)
    (folder / "formulas.toml").write_text(FORMULAS)
    found = markdown_of(folder, text).splitlines()
    return [line for line in found if line.startswith("| ") and line.count("|") == 7]


def test_right_depending_open_and_wrong_claims_are_counted_since_the_last_count(tmp_path: Path) -> None:
    rows = [row for row in rows_of(tmp_path, TEXT) if not row.startswith("| claims")]
    counts = [row for row in rows if row.rstrip(" |").rsplit("| ", 1)[-1].strip("*").isdigit()]
    assert counts == [
        "| [table 1](#table-claims): Figures | 1 | 1 | 1 | 1 | 4 |",
        "| **together** | **1** | **1** | **1** | **1** | **4** |",
        "| [table 3](#table-again): Again | 1 | 1 | 1 | 1 | 4 |",
        "| [table 4](#table-formulas): Formulas | 1 | 1 | 0 | 1 | 3 |",
        "| **together** | **2** | **2** | **1** | **2** | **7** |",
        "| First | 1 | 1 | 1 | 1 | 4 |",
        "| Second | 2 | 2 | 1 | 2 | 7 |",
        "| **all** | **3** | **3** | **2** | **3** | **11** |",
    ]


def test_counts_without_claims_above_them_are_refused(tmp_path: Path) -> None:
    assert "{verdicts}: found no claims above it" in refusal(tmp_path, "```{verdicts} None\n```\n")
