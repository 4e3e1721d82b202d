"""Answer keys: which parts of a hand-in are right, by which reading, and what marks that suggests."""
