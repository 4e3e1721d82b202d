"""Directives of the reports that audit ourselves: claims of texts, measured figures, broken formulas.

They are no part of the product: a source asks for them with `directives = "auditing"`, and `workings
report --directives benchmarks` lets it.
"""

from __future__ import annotations

from collections.abc import Mapping

from auditing.audited import audited
from auditing.claims import claims
from auditing.formula_claims import formulas
from auditing.mutants import mutants
from auditing.quoted import quoted
from auditing.records import records
from auditing.strips import strips
from auditing.verdicts import verdicts
from workings.document.page import Leaf

DIRECTIVES: Mapping[str, Leaf] = {
    "claims": claims, "formulas": formulas, "verdicts": verdicts, "quoted": quoted, "audited": audited,
    "mutants": mutants, "records": records, "strips": strips,
}  # fmt: skip
