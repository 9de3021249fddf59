"""scikit-learn's conventions for parameters, without scikit-learn."""

import inspect
from typing import Any, Self

from latviz.core.checks import check_flag, shown
from latviz.core.errors import ParameterError


class Estimator:
    """Has the parameters of its constructor as attributes, which are stored unchanged."""

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, optional
            Has no effect: no parameter has parameters of its own.

        Returns
        -------
        dict

        Raises
        ------
        ParameterError
            If ``deep`` is neither True nor False.
        """
        check_flag("deep", deep)
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, and return itself.

        Parameters
        ----------
        params : object
            By the names that `get_params` returns.

        Returns
        -------
        Estimator

        Raises
        ------
        ParameterError
            If there is no parameter of a name.
        """
        for name in params:
            if name not in self._names():
                wanted = ", ".join(self._names())
                raise ParameterError(f"parameters are {wanted}, got {shown(name)}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        first = inspect.signature(type(self)).parameters
        changed = {n: v for n, v in self.get_params().items() if v is not first[n].default}
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in changed.items())})"
