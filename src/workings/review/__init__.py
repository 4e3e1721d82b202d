"""The design review of a job: the document that one signs.

Called, `workings.review("job.toml")` is the function of that name in `workings.api`.
"""
