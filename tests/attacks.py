"""Text from outside that would act on whoever reads it, if anything let it."""

# What a student might write to act on a terminal, a web page, a log or a spreadsheet.
ATTACKS = (
    "\x1b[31mred\x1b[0m", "\u202egnp.exe", "a\r\n::error file=x::owned", "<script>alert(1)</script>",
    "| a | b |\n|---|", "`code` **bold** _it_", "[click](https://evil.example)", "@octocat #12",
    "=HYPERLINK(\"x\")", "+1", "-1+2", "@SUM(A1)", "{{ 7*7 }}", "${jndi:x}", "\\write18{ls}",
    "![x](y)", "&lt;b&gt;", "www.evil.example", ":smile:", "\x00\x07", "\ud800", "{0} {1}",
)  # fmt: skip

# The same for the formats that documents are written in.
ON_PAGES = (
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)", "]]><!-- x -->", "<!-- cell -->", "```python run", "```\nimport os\n```",
    "$x$ costs $5", "$$\\href{javascript:alert(1)}{x}$$", "\\(x\\) \\[y\\]",
    "\\begin{align}x\\end{align}", "\\input{/etc/passwd}", "}\\end{document}", "% comment",
    "a & b # c _ d ^ e ~ f", '#eval("1")', "#{panic()}", "@ref <label>", "*a* `b` = c / d // e",
    "<< 7*7 >> <% x %> {% y %} {# z #}", "&#60;script&#62;", "---", "1. x", "<javascript:alert(1)>",
    "https://evil.example/<x>", "a\u2028b", "a\n\n# b",
)  # fmt: skip
