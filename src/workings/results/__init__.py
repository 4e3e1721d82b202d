"""What the public functions return: one class a command, each with `to_dict()`, its `--format json`.

Numbers are floats in base units: bytes, seconds, tokens, shares of 1. `workings.contract` says what a
program may rely on.
"""
