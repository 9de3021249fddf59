"""Turns exceptions in the encodings of other packages into errors of one line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from latviz.core import plugins
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled

if TYPE_CHECKING:  # these load NumPy, which the command line must not wait for
    from latviz.core.data.method import Bytes, Fitted, Image, Method


@dataclass(frozen=True)
class Fenced:
    """A method of another package, under the name of its encoding."""

    method: "Method[Any]"
    name: str

    def __getattr__(self, attribute: str) -> Any:
        """Return another attribute of the method, such as its reach."""
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return getattr(self.method, attribute)

    def prepare(self, image: "Image", labels: "Bytes | None") -> Any:
        """See `Method.prepare`."""
        return done(self.name, lambda: self.method.prepare(image, labels))

    def fit(self, prepared: Sequence[Any]) -> "Fitted":
        """See `Method.fit`."""
        found: Fitted = done(self.name, lambda: self.method.fit(prepared))
        return found

    def values(self, prepared: Any, fitted: "Fitted") -> Any:
        """See `Method.values`."""
        return done(self.name, lambda: self.method.values(prepared, fitted))


def done(name: str, do: Callable[[], Any]) -> Any:
    """Return an encoding's result; turn other exceptions into a `ParameterError`."""
    try:
        return do()
    except (ParameterError, Cancelled, MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ParameterError(f"the encoding {name!r} failed: {plugins.line_of(error)}") from error


def fenced(kind: Any) -> Any:
    """Return an `EncodingKind` whose methods are fenced."""
    makers = {name: getattr(kind, name) for name in ("of_image", "of_sequence")}
    return replace(
        kind,
        **{
            name: lambda *given, make=make, **named: Fenced(
                done(kind.name, lambda: make(*given, **named)), kind.name
            )
            for name, make in makers.items()
            if make is not None
        },
    )
