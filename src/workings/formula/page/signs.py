"""Which signs and LaTeX commands stand for which relation, operator or bracket; which are left out."""

from __future__ import annotations

import re

from workings.formula.page.token import PageKind
from workings.formula.page.words import listed

RELATIONS = {
    "<=>": "<=>", "==": "=", ":=": "=", "<=": "<=", ">=": ">=", "!=": "!=", "<<": "<<", ">>": ">>",
    "=>": "=>", "->": "->", "~=": "≈", "=~": "≈", "≈": "≈", "≃": "≈", "≅": "≈", "≤": "<=", "≥": ">=",
    "≦": "<=", "≧": ">=", "≪": "<<", "≫": ">>", "⇒": "=>", "⟹": "=>", "→": "->", "⟶": "->", "≡": "=",
    "≠": "!=", "⇔": "<=>", "⟺": "<=>", "＝": "=", "=": "=", "<": "<", ">": ">", "≲": "<=", "≳": ">=",
    "∝": "∝",
}  # fmt: skip
RULE = re.compile(r"={3,}|==[ \t]*(?:\n|$)|(?:-{3,})")  # lines drawn under or beside headings
RELATION = re.compile("|".join(re.escape(r) for r in sorted(RELATIONS, key=len, reverse=True)))
OPERATORS = {
    "**": "^", "//": "//", "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*",
    "⋅": "*", "∙": "*", "∗": "*", "•": "*", "✕": "*", "⨯": "*", "＊": "*", "＋": "+", "÷": "/", "/": "/",
    "∕": "/", "⁄": "/", "^": "^", "％": "%",
}  # fmt: skip
OPERATOR = re.compile("|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True)))
BRACKETS = {"(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", "（": "(", "）": ")",
             "⌈": "⌈", "⌉": "⌉", "⌊": "⌊", "⌋": "⌋"}  # fmt: skip
OPENING = "([{⌈⌊"
STOPS = '.;:?!。；：？！"“”'
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
LATEX_RELATIONS = {
    "approx": "≈", "simeq": "≈", "cong": "≈", "sim": "~", "le": "<=", "leq": "<=", "leqslant": "<=",
    "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">", "ll": "<<", "gg": ">>",
    "equiv": "=", "to": "->", "rightarrow": "->", "longrightarrow": "->", "Rightarrow": "=>",
    "Longrightarrow": "=>", "implies": "=>", "iff": "<=>", "Leftrightarrow": "<=>",
    "Longleftrightarrow": "<=>", "ne": "!=", "neq": "!=", "coloneqq": "=", "propto": "∝",
    "lesssim": "<=", "gtrsim": ">=", "therefore": "=>", "triangleq": "=", "doteq": "=",
}  # fmt: skip
LATEX_OPERATORS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "bullet": "*", "cdotp": "*", "slash": "/",
}  # fmt: skip
LATEX_BRACKETS = {
    "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "{": "(", "}": ")", "lbrace": "(",
    "rbrace": ")", "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")",
}  # fmt: skip
FUNCTIONS = {
    "max": "max", "min": "min", "ceil": "ceil", "floor": "floor", "sqrt": "sqrt", "log2": "log2",
    "exp": "exp", "ln": "ln", "log10": "log10",
}  # fmt: skip
TEXT_COMMANDS = listed(
    """
    text textrm textbf textit texttt textsf mathrm mathbf mathit mathsf mathtt mathcal mathbb mathscr
    mbox operatorname operatorname* bm boldsymbol rm bf it tt textnormal hbox emph texorpdfstring
    """
)
TRANSPARENT = listed(
    """
    underbrace overbrace boxed underline overline cancel bcancel smash fbox hat bar tilde widehat
    widetilde vec mathop mathbin mathrel mathstrut ensuremath color
    """
)
SKIPPED = listed(
    """
    , ; : ! > left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle
    displaystyle textstyle scriptstyle limits nolimits nonumber notag hline hfill noindent space
    enspace thinspace negthinspace medspace thickspace centering scriptscriptstyle protect label
    """
) | {" ", "~"}
WITH_ARGUMENT = listed(
    """
    label tag ref eqref cite begin end hspace vspace phantom hphantom vphantom tag* color textcolor
    overset stackrel underset xrightarrow
    """
)

# Commands that stand for one sign.
COMMAND_SIGNS: dict[str, tuple[PageKind, str]] = {
    **{name: ("relation", text) for name, text in LATEX_RELATIONS.items()},
    **{name: ("operator", text) for name, text in LATEX_OPERATORS.items()},
    **{name: ("open" if text in OPENING else "close", text) for name, text in LATEX_BRACKETS.items()},
    **{name: ("function", name) for name in FUNCTIONS},
    "sqrt": ("sqrt", "sqrt"), "quad": ("stop", "quad"), "qquad": ("stop", "qquad"),
    "\\": ("break", "\\\\"), "newline": ("break", "\\\\"), "%": ("percent", "%"), "$": ("money", "USD"),
}  # fmt: skip
# Characters that stand for themselves.
SINGLE_SIGNS: dict[str, tuple[PageKind, str]] = {
    "%": ("percent", "%"), "$": ("money", "USD"), "€": ("money", "EUR"), "√": ("sqrt", "√"),
    ",": ("comma", ","), "，": ("comma", ","), "、": ("comma", ","),
    **{sign: ("stop", sign) for sign in STOPS},
    **{sign: ("open" if text in OPENING else "close", text) for sign, text in BRACKETS.items()},
}  # fmt: skip

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
GREEK_LETTERS = dict(
    zip("αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", re.findall("[A-Za-z]+", _GREEK), strict=True)
)
