"""Brute-force counts and simulations, the oracles that formulas are checked against.

Everything here moves data, multiplies matrices or lists tensors, and counts what happened.
No module holds a closed-form formula, and nothing outside the standard library is imported,
so agreement with a derived formula is evidence and not a repetition.

All numbers are `int` or `fractions.Fraction`; there are no floats. Import from the modules
themselves (`from workings.simulate.ring import all_reduce`): an oracle is then checked anew only
when something it really runs has changed.
"""
