"""The contract with programs: ids, what `--format json` prints, and exit codes.

**Ids** of derivations, rules, presets and layouts' letters are names that a program may keep. One that is
renamed or removed is named in the changelog.

**JSON.** Every object that a command prints has `schema`, this module's `SCHEMA`. Under one number no key
goes away, changes its type or its unit; keys may be added. Values are in base units (bytes, seconds,
FLOPs, tokens, shares of 1, currency as the price has it); what `value` and `solve` give exactly is a
fraction as text. The same data is `to_dict()` of what the Python function of the command's name returns.
`tests/data/contract.json` records the keys and types.

**Exit codes.** 0: done. 1: done, and what was looked for was found: an error in a page, a broken rule, a
difference, a refuted step. 2: not done; one sentence on stderr says what was found and expected. 130:
ended by Ctrl-C, with what was complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA = 1


def printed(found: Mapping[str, Any]) -> str:
    """An object as the commands print it: ASCII only, so that nothing in it can act on a terminal."""
    import json  # noqa: PLC0415 - a value that is printed as text needs none

    return json.dumps(found, indent=1) + "\n"
