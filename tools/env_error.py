"""The one exception of the set-up tool."""


class SetupError(Exception):
    """Something is missing that the user can mend: one sentence, with the line to type."""
