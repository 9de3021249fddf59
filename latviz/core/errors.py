"""The one exception that the core raises for arguments that it cannot use."""


class ParameterError(ValueError):
    """An argument is outside its range or of the wrong shape.

    The message names the argument, the expected value and the actual one.

    Examples
    --------
    >>> inertia([0, 1], n_states=0, window=1)
    Traceback (most recent call last):
        ...
    latviz.core.errors.ParameterError: n_states must be an integer from 1 to 255, got 0
    """
