"""Single figures of published sources, tried on the catalogue; see benchmarks/figures.py."""
