"""Documents to Markdown and LaTeX, derivations and values to the terminal."""
