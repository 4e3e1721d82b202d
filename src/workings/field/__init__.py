"""What people get wrong of this field: terms in many languages, facts denied, slips of formulas."""
