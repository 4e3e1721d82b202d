"""What the catalogue has of the formulas of published sources: lists, matches, verdicts."""
