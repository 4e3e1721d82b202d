"""The one family of errors that are the user's to mend: one sentence, exit code 2."""


class UserError(ValueError):
    """What was asked cannot be done as asked; the message says what was found and expected."""
