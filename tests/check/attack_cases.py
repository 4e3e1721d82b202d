r"""Documents that someone might hand in to break the checker, its outputs, or who reads them.

Each is a kind of document and its text; what it attacks is its name.
"""

# ruff: noqa: E501 - one attack a line
# fmt: off

import json
from collections.abc import Mapping
from typing import Any

Attack = tuple[str, str]


def notebook(*cells: Mapping[str, Any]) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def chain_of_definitions(step: str, count: int) -> str:
    """`step` with {a} and {b} in it, from one letter to the next."""
    return "\n\n".join("$" + step.format(a=f"x_{{{i}}}", b=f"x_{{{i + 1}}}") + "$" for i in range(count))


# Python, shells, templates and TeX that must stay words.
CODE: dict[str, Attack] = {
    "python import": ("md", "$x = __import__('os').system('touch owned')$ = 3"),
    "python eval in a code span": ("md", "`eval(\"__import__('os').remove('a')\") = 3`"),
    "python in a fence": ("md", "```python\nimport os; os.system('id')\nx = 3 * exec('1')  # = 4\n```"),
    "attribute of a number": ("md", "(1).__class__.__bases__[0] = 3 and 2 * 3 = 7"),
    "format string": ("md", "2 * {0.__class__} = 3, {checked.file} = 4"),
    "percent format": ("md", "2 * %(x)s = 3, %n%n%s = 4"),
    "shell": ("md", "$(rm -rf /) = 3; `id` = 4; | cat /etc/passwd = 5"),
    "input": ("tex", "\\input{/etc/passwd} $1 + 1 = 3$ \\include{../../secret}"),
    "write18": ("tex", "\\immediate\\write18{id > owned} $1 + 1 = 3$"),
    "openout": ("tex", "\\newwrite\\f\\immediate\\openout\\f=owned $1 + 1 = 3$"),
    "catcodes": ("tex", "\\catcode`\\$=12 $1 + 1 = 3$"),
    "csname": ("tex", "\\csname input\\endcsname{/etc/passwd} $1+1=3$"),
    "macro that doubles itself": ("tex", "\\def\\x{\\x\\x}$\\x = 3$"),
    "macros that double each other": (
        "tex",
        "".join(f"\\newcommand{{\\m{chr(97 + i)}}}{{\\m{chr(98 + i)}\\m{chr(98 + i)}}}" for i in range(24))
        + "\\newcommand{\\my}{1+1}$\\ma = 3$",
    ),
    "macro of nine arguments": ("tex", "\\newcommand{\\y}[9]{#1#1#9}" + "$" + "\\y{" * 300 + "3" + "}" * 300 + "=3$"),
    "jinja": ("md", "$x = {{7*7}}$, {% for i in range(10**9) %}2 * 3 = 7{% endfor %}, << 1 + 1 = 3 >>"),
    "sympy assumption": ("md", "$S('__import__(\"os\")') = 3$, $Function('f')(x) = sympify('1') = 2$"),
    "pickle": ("md", "`cos\\nsystem\\n(S'id'\\ntR. = 3`"),
}

# Numbers and formulas that would take for ever, or all memory.
BOMBS: dict[str, Attack] = {
    "tower": ("md", "$9^9^9^9 = 3$ and 9**9**9**9 = 3 and $9^{9^{9^{9}}} = 3$"),
    "power of a power": ("md", "$10^{(10^{10})} = 3$, $(10^{400})^{400} = 1$, `2**(2**40) = 3`"),
    "negative power": ("md", "$2^{-10000000000} = 0$, $0^{-1} = 1$, $1/(2-2) = 3$, $0/0 = 1$"),
    "exponent of a literal": ("md", "1e999999 = 3, $1e400 \\times 1e400 = 1e-400$, 1e-999999 GB = 1 bytes"),
    "huge exponent behind zeros": ("md", f"1e{'0' * 200}9999999999 = 3"),
    "many digits": ("md", f"{'9' * 5000} = 3; 0.{'3' * 5000} = 3; {'9' * 81} + 1 = 3"),
    "many groups of digits": ("md", f"1{',000' * 2000} = 3 and 1{'{,}000' * 2000} = 4"),
    "product of the largest numbers": ("md", "$$" + " \\cdot ".join(["1e400"] * 250) + "= 1$$"),
    "fractions of the largest numbers": ("md", "$$" + " + ".join(f"1/(1e400+{i})" for i in range(150)) + "= 1$$"),
    "harmonic sum": ("md", "$\\sum_{i=1}^{1000000} 1/i = 3$"),
    "sum over a power": ("md", "$\\sum_{i=1}^{9^{9^{9}}} i = 3$, $\\sum_{i=1}^{100000} 9^{400} = 3$"),
    "many sums": ("md", "\n\n".join("$\\sum_{i=1}^{900000} i = " + f"{n}$" for n in range(200))),
    "many sums in prose": ("md", "\n\n".join("is $\\sum_{i=1}^{900000} i$ bytes" for n in range(200))),
    "nested sums": ("md", "$" + "\\sum_{i=1}^{999} " * 40 + "i = 3$"),
    "sums in limits of sums": ("md", "$" + "\\sum_{i=1}^{" * 60 + "9" + "} i" * 60 + " = 3$"),
    "sum bounded by a sum": ("md", "$\\sum_{i=1}^{\\sum_{j=1}^{999999} j} i = 3$"),
    "fractions 10,000 deep": ("md", "$$" + "\\frac{" * 3300 + "1" + "}{2}" * 3300 + " = 3$$"),
    "fractions 10,000 deep in a file": ("tex", "\\[" + "\\frac{" * 10_000 + "1" + "}{2}" * 10_000 + " = 3\\]"),
    "fractions without braces": ("md", "$$" + "\\frac" * 3000 + "1 = 3$$"),
    "roots without braces": ("md", "$$" + "\\sqrt" * 3000 + "2 = 3$$"),
    "logarithms of logarithms": ("md", "$$" + "\\log_2 " * 2400 + "2 = 3$$"),
    "minus signs": ("md", "$" + "-" * 1900 + "1 = 3$, $2^" + "-" * 1900 + "1 = 3$"),
    "floor divisions": ("md", "`" + "7//" * 700 + "2 = 3`"),
    "towers of letters": ("md", "$" + "^".join("abcdefgh" * 100) + " = 3$"),
    "deep brackets": ("md", "(" * 5000 + "1" + ")" * 5000 + " = 3"),
    "deep brackets, unclosed": ("md", "$$" + "(1 + " * 3900 + " = 3$$"),
    "deep sums of products": ("md", "$$" + "\\lceil 1 + 2 (" * 59 + "1" + ")^2\\rceil" * 59 + " = 3$$"),
    "deep subscripts": ("md", "$" + "x_{" * 600 + "1" + "}" * 600 + " = 3$"),
    "deep groups of text": ("tex", "\\[" + "\\text{" * 3000 + "1 = 2" + "}" * 3000 + "\\]"),
    "unclosed braces": ("tex", "\\[" + "x_{" * 6000 + "\\]"),
    "underbraces": ("md", "$$" + "\\underbrace{" * 900 + "1" + "}_{2}" * 900 + " = 3$$"),
    "definitions in a ring": ("md", "$a = b$\n\n$b = c$\n\n$c = a$\n\n$a + b = 3 c$"),
    "definition of itself": ("md", "$a = a + 1$, $a = 2a$, $a = 3$, $2 a = 7$"),
    "definitions that double": ("md", chain_of_definitions("{a} = {b} \\cdot {b}", 60) + "\n\n$x_{60} = 2$"),
    "definitions that grow a hundredfold": (
        "md",
        "\n\n".join(f"$$ {a} = {' + '.join([b] * 200)} $$" for a, b in ("ab", "bc", "cd", "de")) + "\n\n$3 a = 7 e$",
    ),
    "one letter with 300 values": ("md", "\n\n".join(f"$x = {n}$ and $2 x = {n}$" for n in range(300))),
    "every letter in one formula": ("md", "$" + "".join(f"x_{{{i}}} + " for i in range(100)) + "1 = 2$"),
    "eight letters that grow apart": ("md", "$" + "abcdefgh" + " + 1 \\approx " + "hgfedcb" + "$\n\n" * 1),
}

# Characters that look like others, hide, turn the line, or are none.
UNICODE: dict[str, Attack] = {
    "arabic digits": ("md", "٣ + ٤ = 8, $٣ = 4$"),
    "mathematical digits": ("md", "𝟏𝟐 + 1 = 3"),
    "roman numeral": ("md", "Ⅷ + 1 = 3, ½ + ½ = 3, ① = 2"),
    "cyrillic letters": ("md", "$В = 3$, $B = 4$, $2 В = 9$, раrаms = 2 * 3 = 7"),
    "zero-width characters": ("md", "1\u200b0\u200d0 + 1 = 3, $a\u2060b\ufeff = 3$"),
    "right-to-left": ("md", "3 = 1 \u202e+ 1\u202c, \u2067 2 * 3 = 7\u2069"),
    "combining marks": ("md", "1\u0301 + 1\u0338 = 3, a" + "\u0301" * 5000 + " = 3"),
    "tags and variation selectors": ("md", "2 * 3 = 7\U000e0041\ufe0f\U000e0020"),
    "lone surrogates": ("md", "2 * 3 = 7 \ud800 $\udfff = 3$"),
    "escaped surrogate in a notebook": ("ipynb", '{"cells": [{"cell_type": "markdown", "source": "2 * 3 = 7 \\ud800 \\udc00"}]}'),
    "line separators": ("md", "2 * 3 = 7\u2028::error::x\u2029\x85\x0b\x0c 2 * 3 = 8"),
    "NUL": ("md", "2 * 3 = 7\0"),
    "NUL in a notebook": ("ipynb", notebook({"cell_type": "markdown", "source": "2 * 3 = 7\0"})),
    "strange operators": ("md", "2 ⊕ 3 = 6, 2 ⊗ 3 = 7, 2 ∔ 3 = 4, 1 ⁄ 2 = 3"),
    "letters that grow": ("md", "ßﬁǆİ = 3, $ﬀ = 2$, 2 ﬁ = 7"),
    "emoji": ("md", "👩‍👩‍👧‍👦 = 3 GB, 2 🚀 = 7"),
    "carriage returns": ("md", "2 * 3 = 7\r::error::x\r\n2 * 3 = 8\r"),
}

# What would act on a terminal, a web page, a log, a spreadsheet, once quoted.
ECHOED: dict[str, Attack] = {
    "script": ("md", "2 * 3 = 7 <script>alert(1)</script> 2 * 3 = 8 bytes<img src=x onerror=alert(1)>"),
    "html in mathematics": ("md", "$2 \\text{</code><script>alert(1)</script>} \\times 3 = 7$"),
    "markdown": ("md", "`2 * 3 = 7 ](javascript:alert) ![x](http://evil/?) | a | <b>` **2 * 3 = 7**"),
    "table in a quote": ("md", "| a | b |\n|---|---|\n| 2 * 3000 | 7 \\| <script> |\n"),
    "escapes of a terminal": ("md", "2 * 3 = 7 \x1b[31m\x1b]0;owned\x07\x1b[2J\x9b31m"),
    "formulas of a spreadsheet": ("md", "=HYPERLINK(\"http://evil\") = 3\n\n+1 = 3\n\n@SUM(A1) = 3\n\n-2+3 = 4"),
    "commands of a build log": ("md", "::error file=a,line=1::owned 2 * 3 = 7\n::set-output name=x::y = 3\n##[command]x = 3"),
    "commands of a build log in mathematics": ("md", "$$\n2 * 3 = 7 \\\\\n::error::x = 3\n%0A::error::y = 4\n$$"),
    "placeholders of SARIF": ("md", "2 * 3 {0} = 7, [a](1) 2 * 3 = 8 GB"),
    "mentions": ("md", "2 * 3 = 7 @everyone #1 www.evil.example :smile:"),
    "json in a quote": ("md", "2 * 3 = 7\", \"verdict\": \"ok\"}]} $2*3=8 \\\" \\u0000$"),
    "csv in a quote": ("md", "2 * 3 = 7\",\"\n=1+1,\"= 3"),
}

# Files that lie about what they are.
FILES: dict[str, Attack] = {
    "deep JSON": ("ipynb", '{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "deep JSON, unclosed": ("ipynb", '{"a":' * 100_000),
    "JSON without cells": ("ipynb", "[1, 2, 3]"),
    "JSON with strange numbers": ("ipynb", '{"cells": [], "a": [NaN, Infinity, -Infinity, 1e999999, ' + "9" * 10_000 + "]}"),
    "cells that are none": ("ipynb", '{"cells": [null, 1, "a", [], {"source": 3}, {"cell_type": {}, "source": {}}]}'),
    "JSON with doubled keys": ("ipynb", '{"cells": [], "cells": [{"cell_type": "markdown", "source": "2 * 3 = 7"}]}'),
    "notebook of 30,000 cells": ("ipynb", notebook(*[{"cell_type": "markdown", "source": "1 + 1 = 3"}] * 30_000)),
    "notebook within a notebook": ("ipynb", notebook({"cell_type": "markdown", "source": notebook({"cell_type": "markdown", "source": "2*3 = 7"})})),
    "output of escapes": ("ipynb", notebook({"cell_type": "code", "source": "x = 2 * 3 # = 7", "outputs": [
        {"output_type": "stream", "text": "\x1b[" + "9" * 50_000 + "m 2 * 3 = 7"}]})),
    "tags of YAML": ("md", "---\na: !!python/object/apply:os.system ['id']\nb: &b [*b, *b]\n---\n2 * 3 = 7"),
    "aliases of YAML": ("md", "---\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 30)) + "---\n2*3=7"),
    "endless front matter": ("md", "---\n" + "a: b\n" * 50_000),
    "PDF": ("md", "%PDF-1.7\n2 * 3 = 7"),
}

# Size: work must grow with the text, and no faster.
SIZE: dict[str, Attack] = {
    "one line of 5 MB": ("md", "2 * 3 = 7 GB of " * 312_000),
    "one word of 5 MB": ("md", "a" * 4_999_999),
    "one word of mathematics": ("tex", "\\[" + "a" * 19_000 + "=3\\]"),
    "more than 5 MB": ("md", "a" * 5_000_001),
    "100,000 equals signs": ("md", "=" * 100_000),
    "100,000 equals signs apart": ("md", "= " * 100_000),
    "20,000 dollar signs": ("md", "$" * 20_000),
    "20,000 dollar signs apart": ("md", "$ " * 20_000),
    "20,000 little formulas": ("md", "$a$ " * 20_000),
    "20,000 backticks": ("md", "`" * 20_000 + " " + "` `` " * 5_000),
    "20,000 stars": ("md", "*" * 20_000 + "a" + "*a _b " * 5_000),
    "20,000 open brackets": ("md", "[" * 20_000 + "](" * 5_000),
    "20,000 open tags": ("md", "<" * 20_000 + "<!--" * 5_000 + "<a " * 5_000),
    "50,000 blank lines of code": ("md", "```\n" + "\n" * 50_000 + "x = 3\n```"),
    "50,000 spaces": ("md", "x" + " " * 50_000 + "= 3 " + "_" + " " * 50_000 + "$x" + " " * 1_900 + "$"),
    "a chain of 2,000 sides": ("md", "1 = 2 = " * 1_000 + "3"),
    "a sum of 10,000 terms": ("tex", "\\[" + "1 + " * 4_900 + "1 = 3\\]"),
    "a sum of 10,000 terms in prose": ("md", "1-" * 10_000 + "1 = 3"),
    "5,000 figures in a paragraph": ("md", "12 GB, " * 5_000),
    "2,000 wrong steps": ("md", "2 * 3 = 7, " * 2_000),
    "200 totals": ("md", "| a | b |\n|---|---|\n" + "| total | 12 GB |\n" * 200),
    "a wide table": ("md", "|" + " a = 2 |" * 2_000 + "\n|" + "---|" * 2_000 + "\n|" + " 3 |" * 2_000),
    "a long list": ("md", "- a: 12 GB\n" * 3_000 + "\nIn total 3 GB"),
    "quotes within quotes": ("md", ">" * 5_000 + " 1 + 1 = 3"),
    "lists within lists": ("md", "".join("  " * i + "- 1 + 1 = 3\n" for i in range(300))),
    "2,000 comments in code": ("md", "```python\n" + "x = 2 * 3  # = 7\n" * 2_000 + "```"),
    "environments within environments": ("tex", "\\begin{align}" * 5_000 + "1 = 2" + "\\end{align}" * 5_000),
}

ATTACKS: dict[str, Attack] = {**CODE, **BOMBS, **UNICODE, **ECHOED, **FILES, **SIZE}
