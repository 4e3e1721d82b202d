"""Pages whose numbers follow their scenario: what each is made of, as a program that a script runs."""
