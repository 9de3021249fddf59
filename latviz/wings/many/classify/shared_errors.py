"""Errors and warnings that scikit-learn's users expect: its own, where it is installed."""

from typing import Any

from latviz.core.errors import ParameterError

_unfitted: Any = AttributeError
COLUMN_WARNING: type[Warning] = UserWarning
"""The category of the warning that labels were a column."""

try:
    from sklearn import exceptions  # an extra
except ImportError:
    pass
else:
    _unfitted, COLUMN_WARNING = exceptions.NotFittedError, exceptions.DataConversionWarning


class NotLearned(ParameterError, _unfitted):  # type: ignore[misc]
    """The classifier does not have the requested result, because it has not learned yet.

    It is scikit-learn's `NotFittedError`, and an `AttributeError`: the attribute is missing.
    """

    def __init__(
        self, text: str = "the classifier has learned nothing yet: call fit first"
    ) -> None:
        super().__init__(text)  # a text is given to a copy in another process
