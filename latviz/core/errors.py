"""The one exception that the core raises for arguments that it cannot use."""


class ParameterError(ValueError):
    """An argument is outside its range or of the wrong shape.

    The message names the argument, what it should be and what it was.
    """
