"""Documents: Markdown sources with directives, read into typed blocks."""
