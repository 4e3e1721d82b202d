"""Formulas as pages write them: plain text, code and LaTeX, mixed, with units and words.

The tree and the rules are those of the one grammar; here stands what people write beyond it.
"""
