r"""What made-up documents are made of."""

# ruff: noqa: E501 - one kind of thing a line
# fmt: off

from __future__ import annotations

SNIPPETS = (
    "$V = 2(N-1)/N \\cdot S = 2 \\times 7/8 \\times 100 = 175$ MB",
    "The model has 70B parameters, so 2 × 70 = 140 GB of weights.",
    "$$\n\\begin{aligned}\nT &= \\frac{6ND}{C} \\\\\n&= \\frac{6 \\times 70\\times 10^9 \\times 1.5e13}{8960 \\cdot 4.59e14}"
    " \\\\ &\\approx 1.5 \\times 10^6 \\text{ s}\n\\end{aligned}\n$$",
    "4 × 12,288 × 49,152 × 96 × b = 2.32 × 10^14 · b",
    "- weights: 2 bytes × 70e9 = 140 GB\n- moments: 8 bytes × 70e9 = 560 GB\n- total: 700 GB\n",
    "| part | bytes | total |\n|---|---|---|\n| weights | 2*70e9 | 140 GB |\n| moments | 8*70e9 | 560 GB |\n"
    "| Total | | 700 GB |\n",
    "```python\nd_model = 8192\nparams = 12 * d_model**2 * 80  # = 6.44e10\nprint(params)\n```\n",
    "$\\text{arithmetic intensity} = \\frac{2BDF}{2BD + 2DF + 2BF} \\approx B$ when $B \\ll D$",
    "N_{\\text{FSDP}} \\ge \\lceil 3520/(80 - A/2) \\rceil = 156",
    "KV cache: 2 (k and v) × 2 bytes × 80 layers × 8 heads × 128 = 327,680 bytes per token, i.e. 320 KiB.",
    "每个 token 的 KV cache 为 $2 \\times 80 \\times 8 \\times 128 \\times 2 = 327680$ 字节，约 0.33 MB。",
    "参数量约 700 亿，训练 1.4 万亿 token 需要 $6 \\times 7\\times10^{10} \\times 1.4\\times10^{12}=5.88\\times10^{23}$ FLOPs。",
    "\\sum_{i=1}^{N-1} \\frac{S}{N} = (N-1)\\frac{S}{N}",
    "$3.35$ TB/s, i.e. $3.35e12$ bytes/s. That's 6 and a half years.",
    "The batch is 4M tokens (1024 sequences of length 4096).",
    "\\begin{align}\nM &= 16\\Phi \\tag{1}\\\\ &= 16 \\times 7.5 = 120\\,\\text{GB}\n\\end{align}\n",
    "\\newcommand{\\dm}{d_{\\text{model}}}\nWe have $\\dm = 8192$ and $4\\dm^2 = 2.7e8$.\n",
    "---\ntitle: a\nsymbols: {B: batch}\n---\n# Heading 1 = 2\n",
    "> quoted: $a = b$ ⇒ $a^2 = b^2$\n\n1. first = 3 + 4 = 7\n2. second -> 9\n",
    "<!-- workings: ignore -->\n1 + 1 = 3\n<!-- workings: fsdp-memory -->\n",
    "`params = 12*L*h**2` gives `12*96*12288**2 = 1.74e11`.",
    "$x = y = z$; $y = 3$; $x = 4 + y$; $z = x \\cdot y$",
    "a = b*b\n\nb = c*c\n\nc = d*d\n\nd = e*e\n\na = 3\n",
    "1e9 bytes / (450e9 bytes/sec * 2) = 1.1 ms ~ 1ms",
    "$\\log_2 8 = 3$, $\\sqrt{16} = 4$, $\\max(3, 4) = 4$, $\\lfloor 7/2 \\rfloor = 3$",
    "8 x H100 80GB = 640GB; 10-15 GB; LLaMA 3-70B; 50%; $5/hour × 24 = $120",
)

ATOMS = (
    "a", "b", "B", "D", "F", "N", "S", "x", "d_model", "n_{heads}", "N_{\\text{FSDP}}", "\\Phi", "α", "batch", "Params",
    "0", "1", "2", "3", "7", "8", "10", "1024", "12,288", "49{,}152", "1e9", "2.5e-3", "0.1", ".5", "1_000", "10^9", "2^{30}",
    "70B", "8 GB", "80 GiB", "9e10 bytes/sec", "3.35 TB/s", "64 heads", "2 (batch)", "40%", "32k", "8 billion", "4.5万", "100 亿",
    "\\text{Total Memory}", "\\mathrm{GB}", "tokens", "layers", "per GPU", "seconds", "i", "T", "h", "₂", "x²", "𝐵", "ℓ", "模型", "倍",
)
OPERATORS = ("+", "-", "*", "/", "^", "**", "//", "×", "·", "÷", "−", "–", "\\cdot", "\\times", "\\div", "%", ",", "\\,", " ",
             "'", "_", "&", "\\\\", "\n", ".", ";", ":", "|")
RELATIONS = ("=", "=", "=", "\\approx", "≈", "≥", "<=", "<", ">", "\\ge", "==", "=>", "→", "\\Rightarrow", "~", "∝", "≠", ":=", "≪", "= ~",
             "\\iff")
BRACKETS = ("(", ")", "[", "]", "{", "}", "\\left(", "\\right)", "\\lceil", "\\rceil", "⌈", "⌉", "\\{", "\\}", "$", "$$", "`",
            "```", "\\(", "\\)", "\\[", "\\]", "\\begin{align}", "\\end{align}", "\\frac{", "\\frac", "\\sqrt", "\\text{", "_{",
            "^{", "\\underbrace{", "\\sum_{i=1}^{", "\\boxed{", "max(", "（", "）")
HOSTILE = (
    "9^9^9^9", "10^(10^10)", "1e999999", "2^{-4100}", "0/0", "1/(2-2)", "0^{-1}", "\\sum_{i=1}^{10^9} 9^i", "1" * 90, "(-1)^{1/2}",
    "\\frac12", "((((((((((", "))))))))", "{{7*7}}", "<script>alert(1)</script>", "\\input{/etc/passwd}", "\\write18{id}",
    "\\def\\x{\\x\\x}\\x", "\\newcommand{\\y}[1]{#1#1}\\y{\\y{\\y{3}}}", "\x1b[31m", "\u202e", "\u200d", "\u200b", "\ufeff", "\ud800",
    "１２", "٣", "Ⅷ", "а", "=HYPERLINK(\"x\")", "::error file=x::y", "##[command]", "<!--", "-->", "&lt;", "](x)", "![", "\r", "\r\n",
    "\t", "\u2028", "\x0c", "\x85", "NaN", "Infinity", "-", "---\n", "~~~", "\\verb|$|", "%", "% workings: ignore\n", "#", "\\", "\\n",
    "__import__('os').system('id')", "eval(1)", "\u0301", "🙂", "∞", "⁻⁻", "²³", "½", "①", "ﬁ", "ǆ", "İ", "ß",
    "\\begin{verbatim}", "\\end{document}", "\\begin{tabular}{c}", "a=b=c=d=e=f=g", "== == ==", "= = =", "\\left.", "\\right", "\\limits_",
    "\\num{1e400}", "\\qty{3}{TB/s}", "\\SI{}", "x''''", "x^{*}", "^", "_", "_{_{_{", "\\mathbf", "|x|", "e", "E", "1e", "1.2.3", "0x10",
)

# What stands around a part, for each kind of document.
GLUE = {
    "md": (("", "\n\n"), ("", " "), ("$", "$ "), ("$$", "$$\n"), ("`", "` "), ("```\n", "\n```\n"), ("- ", "\n"), ("| a | ", " |\n"),
           ("# ", "\n"), ("> ", "\n"), ("We get $", "$.\n"), ("\\(", "\\)"), ("\\[", "\\]\n"), ("**", "** "), ("```python\n", "\n```\n")),
    "tex": (("", "\n\n"), ("$", "$ "), ("\\[", "\\]\n"), ("\\begin{align*}\n", "\n\\end{align*}\n"), ("\\item ", "\n"),
            ("\\section{", "}\n"), ("\\begin{verbatim}\n", "\n\\end{verbatim}\n"), ("\\textbf{", "} "), ("% ", "\n")),
    "ipynb": (("", "\n"), ("$", "$ "), ("$$", "$$\n"), ("x = ", "\n"), ("# ", "\n"), ("print(1) # = ", "\n")),
}

# Formulas with places for parts, and numbers with a place for digits.
FORMS = (
    "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0}{1}", "{0} / {1}", "({0})", "\\frac{{{0}}}{{{1}}}",
    "{0}^{1}", "{0}^{{{1}}}", "-{0}", "\\sqrt{{{0}}}", "\\max({0}, {1})", "\\lceil {0} \\rceil",
    "({0} + {1}) * {2}", "\\sum_{{i=1}}^{{{0}}} {1}", "{0} \\times {1} \\cdot {2}", "{0}({1})",
    "\\underbrace{{{0}}}_{{{1}}}", "ceil({0}/{1})", "log2({0})", "{0} // {1}", "\\text{{{0}}}", "{0}%",
    "{0} × 10^{1}", "{0}_{{{1}}}", "[{0}]", "\\left({0}\\right)", "min({0},{1},{2})", "\\boxed{{{0}}}",
)
NUMBERS = (
    "{}", "{}", "{}.5", "{:,}", "{}e9", "{}e400", "{}B", "{} GB", "{}%", "{} billion", "{}K", "10^{}",
    "{} bytes/s", "0.{}", "{}e-30", "{} GiB", "{} tokens", "{} TFLOP/s", "${}", "{} 万", "{}{{,}}000",
)
