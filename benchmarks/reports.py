"""How long the whole report takes, as a ratio to importing SymPy and Jinja; HTML and PDF beside it."""

from __future__ import annotations

import tempfile

from _ratio import python, ratio, workings

if __name__ == "__main__":
    base = python("import sympy, jinja2")
    with tempfile.TemporaryDirectory() as folder:
        report = workings("report", "xxl-220b", "--directives", "benchmarks", "-o", folder)
        ratio("workings report xxl-220b", report, base, 1)
        markdown, html = ([*report, "--format", form] for form in ("md", "html"))
        ratio("workings report xxl-220b --format html", html, markdown, 1.5)
        ratio("workings report xxl-220b --verify", [*report, "--verify"], base, 4)
        ratio("workings report xxl-220b --format pdf", [*report, "--format", "pdf"], report, 1.5)
