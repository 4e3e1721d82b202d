"""Words inside a line: roles, links, and text from outside that must stay text."""

import re
from pathlib import Path

import pytest
from documents import FIRST, Options, build_text, latex_of, markdown_of, refusal


def test_roles_stand_inside_emphasis_and_links(tmp_path: Path) -> None:
    text = "**{value}`model-state`** *{math}`S/N`* [{math}`x_1`](https://example.org/a?b=c#d)\n"
    made = markdown_of(tmp_path, text)
    assert made == "**3,518 GB** *$`S/N`$* [$`x_{1}`$](https://example.org/a?b=c#d)\n"
    tex = latex_of(tmp_path, text)
    assert tex == (r"\textbf{3,518~GB} \emph{$S/N$} \href{https://example.org/a?b=c\#d}{$x_{1}$}")


def test_a_document_keeps_to_one_unit_a_dimension_so_that_its_numbers_compare(tmp_path: Path) -> None:
    """A token's cache and a batch's, though the first by itself would be 327.7 kB."""
    front = '+++\ntitle = "A page"\nscenario = "llama3-70b"\n+++\n'
    cached = 'cache_width="2 byte"'
    text = f"{{value}}`kv-token-bytes {cached}` {{value}}`kv-cache-bytes b=64 s=8192 {cached}`\n"
    assert markdown_of(tmp_path, text, front) == "0.0003277 GB 171.8 GB\n"
    worked = f"```{{worked}} kv-token-bytes {cached}\n```\n"
    assert r"&\approx 0.0003277\,\text{GB}" in markdown_of(tmp_path, worked, front)


def test_a_device_by_its_name_is_a_place_for_a_value(tmp_path: Path) -> None:
    assert markdown_of(tmp_path, "{value}`critical-intensity at=h100-sxm`\n") == "295.3 FLOP/byte\n"


def test_a_value_in_braces_sets_a_share_to_the_last_digit(tmp_path: Path) -> None:
    text = "{value}`microbatches-for-idle-share p=4 y={model-state}/4/{model-state}`\n"
    assert markdown_of(tmp_path, text) == "9\n"


def test_a_number_in_powers_of_ten_is_set_as_a_formula(tmp_path: Path) -> None:
    text = "{value}`{ffn-parameters}*1000000 digits=3`\n"
    assert markdown_of(tmp_path, text) == "219,848,638,464,000,000\n"
    text = "{value}`{ffn-parameters}*10^12 digits=3`\n"
    assert markdown_of(tmp_path, text) == "$`2.20 \\cdot 10^{23}`$\n"
    assert latex_of(tmp_path, text) == r"$2.20 \cdot 10^{23}$"


def test_plain_arithmetic_is_worked_out_with_units_too(tmp_path: Path) -> None:
    text = "{value}`24 + 8`, {value}`24 GB + 8 GB`, {value}`(80 GB - 8[GB])/2`, {value}`100 GB/s * 3 s`\n"
    assert markdown_of(tmp_path, text) == "32, 32 GB, 36 GB, 300 GB\n"
    assert markdown_of(tmp_path, "{value}`{memory} - 15 GB`\n") == "80 GB\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{value}`24 GB + 8`", "24[GB] is in byte but 8 is in 1"),
        ("{value}`3 apples`", "found 'apples', expected a unit such as GB"),
        ("{nope}`x`", "found role {nope}, expected math, value or ref"),
        ("{math}`S//N`", "{math}`S//N`: line 1, column 3: found '/'"),
        ("{math}`__import__('os')`", "expected a number, letter or operator"),
        ("{math}`" + "x+" * 3_000 + "x`", "formula longer than 4000 characters"),
        ("{value}`model-state L=0`", "found '0', expected a whole number from 1"),
        ("[x](../../etc/passwd)", "found link to '../../etc/passwd', expected http(s) or a file"),
        ("[x](/etc/passwd)", "found link to '/etc/passwd'"),
        ("[x](https://a.b/..%2f../c)", "found link to"),
        ("[x](ftp://a.b/c)", "found link to 'ftp://a.b/c'"),
        ("[x](mailto:a@b.c)", "found link to"),
        ("![x](y.png)", "found image, which documents cannot hold"),
    ],
)
def test_what_a_line_cannot_hold_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    sentence = refusal(tmp_path, f"a\n{text}\n")
    assert sentence.startswith(f"page.md:{FIRST + 1}: ")
    assert problem in sentence
    assert len(sentence) < 400


def test_what_tex_would_read_in_an_address_is_encoded(tmp_path: Path) -> None:
    tex = latex_of(tmp_path, "[x](https://a.b/\\input{y}~%25#z)\n")
    assert tex == r"\href{https://a.b/\%5Cinput\%7By\%7D\string~\%25\#z}{x}"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x"]
)
def test_a_link_that_runs_code_is_left_as_words(tmp_path: Path, address: str) -> None:
    made = markdown_of(tmp_path, f"[x]({address})\n")
    assert made == f"\\[x\\]({address})\n"
    assert r"\href" not in latex_of(tmp_path, f"[x]({address})\n")


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "<b>x</b> a <!-- c -->", '<img src="x" onerror="y">', "<div>"],
)
def test_raw_html_is_printed_as_text(tmp_path: Path, text: str) -> None:
    made = markdown_of(tmp_path, f"{text}\n")
    assert not re.search(r"(?<!\\)[<>]", made)
    assert made.replace("\\", "") == f"{text}\n"


def test_entities_print_what_they_stand_for_and_no_more(tmp_path: Path) -> None:
    made = markdown_of(tmp_path, "&lt;b&gt; &amp;lt; R&D\n")
    assert made == "\\<b\\> \\&lt; R\\&D\n"
    assert latex_of(tmp_path, "&lt;b&gt;\n") == r"\textless{}b\textgreater{}"


TEMPLATE = ["{{ 7 }}", "<< 7 >>", "<% if x %>", "{% raw %}", "{# c #}", "<# c #>", "${7}"]


@pytest.mark.parametrize("text", TEMPLATE)
@pytest.mark.parametrize(
    "where",
    [
        "{}\n",
        "# {}\n\nx\n",
        "- {}\n",
        "> {}\n",
        "```{{note}} {}\nx\n```\n",
        "```{{chain}} fsdp-memory\n:title: {}\n```\n",
        "```{{ledger}} model-state\n:caption: {}\n```\n",
        "| {} |\n|---|\n| x |\n",
        '```{{table}}\ncaption = "{0}"\n[[column]]\ntitle = "{0}"\nkey = "k"\n[[row]]\nk = "{0}"\n```\n',
        '```{{figure}} f\ncaption = "{0}"\nlimit = "1 GB"\nlimit-name = "{0}"\n[[bar]]\n'
        'name = "{0}"\n[[bar.part]]\nname = "{0}"\nid = "model-state"\n```\n',
    ],
)
def test_template_signs_come_out_as_they_are(tmp_path: Path, text: str, where: str) -> None:
    source = where.format(text)
    made = markdown_of(tmp_path, source)
    assert text in made.replace("\\", "")
    tex = latex_of(tmp_path, source)
    for sign, word in ((r"\textless{}", "<"), (r"\textgreater{}", ">"), (r"\{", "{"),
                       (r"\}", "}"), (r"\%", "%"), (r"\#", "#"), (r"\$", "$")):  # fmt: skip
        tex = tex.replace(sign, word)
    assert text in tex


@pytest.mark.parametrize("text", ["`{{ 7*7 }} << 7*7 >>`", "```\n{{ 7*7 }} << 7*7 >>\n```"])
def test_template_signs_in_code_come_out_as_they_are(tmp_path: Path, text: str) -> None:
    assert text in markdown_of(tmp_path, f"{text}\n")
    tex = latex_of(tmp_path, f"{text}\n").replace("\\ ", " ")
    assert r"\{\{ 7*7 \}\} \textless{}\textless{} 7*7 \textgreater{}\textgreater{}" in tex


def test_a_front_matter_title_cannot_run_a_template(tmp_path: Path) -> None:
    front = "+++\ntitle = '{{ 7 }} << 8 >> \\input{x} <b>'\n+++\n"
    tex = latex_of(tmp_path, "x\n", front)
    assert tex == "x"
    made = build_text(tmp_path, "x\n", front)
    assert made["report.md"].startswith("# {{ 7 }} \\<\\< 8 \\>\\> \\\\input{x} \\<b\\>\n")
    assert (
        r"\title{\{\{ 7 \}\} \textless{}\textless{} 8 \textgreater{}\textgreater{} "
        r"\textbackslash{}input\{x\} \textless{}b\textgreater{}}"
    ) in made["report.tex"]


HOSTILE = r"\input{/etc/passwd} \write18{ls} $ x $ 50% a_b ^^41 ~ # & \\ \end{document} {\bf x"


@pytest.mark.parametrize(
    "where",
    [
        "{}\n",
        "# {}\n\nx\n",
        "```{{note}} {}\nx\n```\n",
        "```{{chain}} fsdp-memory\n:title: {}\n```\n",
        "```{{ledger}} model-state\n:caption: {}\n```\n",
        "```{{table}}\ncaption = '{0}'\n[[column]]\ntitle = '{0}'\nkey = 'k'\n[[row]]\nk = '{0}'\n```\n",
        "```{{figure}} f\ncaption = '{0}'\nlimit = '1 GB'\nlimit-name = '{0}'\n[[bar]]\n"
        "name = '{0}'\n[[bar.part]]\nname = '{0}'\nid = 'model-state'\n```\n",
        "```\n{}\n```\n",
    ],
)
def test_tex_in_words_is_printed_not_run(tmp_path: Path, where: str) -> None:
    tex = latex_of(tmp_path, where.format(HOSTILE))
    assert r"\textbackslash{}input\{/etc/passwd\}" in tex
    for command in (r"\input", r"\write", r"\end{document}", r"\bf ", "^^", "$ x $"):
        assert command not in tex
    assert not re.search(r"(?<!\\)[%#]", re.sub(r"%\n", "", tex))


def test_the_name_of_a_question_is_printed_not_run(tmp_path: Path) -> None:
    text = "```{question} \\input{x} {{ 7 }} << 8 >> 5% <b>\nWhat?\n```\n"
    made = build_text(tmp_path, text, options=Options(sheet=True))
    assert "**Answer \\\\input{x} {{ 7 }} \\<\\< 8 \\>\\> 5% \\<b\\>:**" in made["sheet.md"]
    assert r"Answer \textbackslash{}input\{x\} \{\{ 7 \}\} \textless{}" in made["sheet.tex"]


@pytest.mark.parametrize(
    ("character", "code"), [("🎉", "U+1F389"), ("\u202e", "U+202E"), ("漢", "U+6F22")]
)
def test_a_character_without_a_glyph_is_named_with_its_line(
    tmp_path: Path, character: str, code: str
) -> None:
    sentence = refusal(tmp_path, f"a\n\nb {character}\n")
    assert sentence.startswith(f"page.md:{FIRST + 2}: LaTeX output cannot print ")
    assert code in sentence
    assert character in markdown_of(tmp_path, f"b {character}\n")  # Markdown has no fonts
