"""scikit-learn's conventions for parameters, without scikit-learn."""

import inspect
from dataclasses import asdict, replace
from typing import Any, Self

from latviz.core.checks import check_flag, shown
from latviz.core.data.encoding import Encoding
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
            Also the settings of an encoding, as ``encoding__n_symbols``.

        Returns
        -------
        dict

        Raises
        ------
        ParameterError
            If ``deep`` is neither True nor False.
        """
        check_flag("deep", deep)
        own = {name: getattr(self, name) for name in self._names()}
        return own | (self._nested(own) if deep else {})

    @staticmethod
    def _nested(own: dict[str, Any]) -> dict[str, Any]:
        values = {name: asdict(value) for name, value in own.items() if isinstance(value, Encoding)}
        return {f"{name}__{key}": one for name, all_ in values.items() for key, one in all_.items()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, and return itself.

        Parameters
        ----------
        params : object
            By the names that `get_params` returns: ``encoding__n_symbols`` changes the encoding.

        Returns
        -------
        Estimator

        Raises
        ------
        ParameterError
            If there is no parameter of a name.
        """
        for name, value in sorted(params.items(), key=lambda one: "__" in one[0]):
            owner, _, key = name.partition("__")
            if name not in self.get_params():
                wanted = ", ".join(self._names())
                raise ParameterError(f"parameters are {wanted}, got {shown(name)}")
            setattr(self, owner, replace(getattr(self, owner), **{key: value}) if key else value)
        return self

    def __repr__(self) -> str:
        first = inspect.signature(type(self)).parameters
        changed = {
            n: v for n, v in self.get_params(deep=False).items() if v is not first[n].default
        }
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in changed.items())})"
