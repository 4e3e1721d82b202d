"""What people get wrong of this field: terms in many languages, facts that are denied, slips of formulas."""
