"""How long the whole report takes, as a ratio to importing SymPy and Jinja."""

from __future__ import annotations

import tempfile

from _ratio import python, ratio, workings

if __name__ == "__main__":
    base = python("import sympy, jinja2")
    with tempfile.TemporaryDirectory() as folder:
        ratio("workings report xxl-220b", workings("report", "xxl-220b", "-o", folder), base, 1)
        verify = workings("report", "xxl-220b", "-o", folder, "--verify")
        ratio("workings report xxl-220b --verify", verify, base, 4)
