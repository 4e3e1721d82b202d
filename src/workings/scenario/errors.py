"""What goes wrong with input."""

from workings.errors import UserError


class ScenarioError(UserError):
    """A scenario or setting that cannot be used."""
