"""The table of parameters: each field of a dataclass holds all of the program's texts on it.

A dataclass declares its fields with `parameter` (or `declared`, for an existing row) and `nested`.
It is then the table itself: checks, the panel, tool tips, menus, the command line and the manual
follow from its `rows`. To add a parameter, add one such field, and the stage that reads it. This
module loads no large library, so that the command line can list all parameters.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar

from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts
from latviz.core.scalars import plain

T = TypeVar("T")
P = ParamSpec("P")
Spacing = Literal["even", "log", "none"]

_ROW, _NESTED, _OUTER = "parameter", "nested", "outer"


@dataclass(frozen=True)
class ParameterChoice:
    """One of the options of a parameter.

    Attributes
    ----------
    value : object
        The value of the field.
    word : str
        Its name on the command line.
    text : str
        Its name in the panel.
    tip : str
        Its meaning, as a sentence or formula.
    refusal : str
        Why a picture cannot have it; empty if it can.
    brief : str
        Its name in tables; the word if empty.
    """

    value: Any
    word: str
    text: str
    tip: str
    refusal: str = ""
    brief: str = ""


def named(texts: Mapping[Any, str]) -> tuple[ParameterChoice, ...]:
    """Return choices between values, each with its text."""
    return tuple(ParameterChoice(value, str(value), text, "") for value, text in texts.items())


SWITCH = (ParameterChoice(False, "no", "no", ""), ParameterChoice(True, "yes", "yes", ""))
"""The choices of a parameter that the panel shows as a check box."""


class Step(NamedTuple):
    """A menu item that moves a number: its text, its tip, and the step."""

    text: str
    tip: str
    by: int


class Focus(NamedTuple):
    """A menu item that gives the keyboard to a parameter's control: its text and tip."""

    text: str
    tip: str


def _always(_owner: Any, _dimensions: int) -> str:
    """Refuse nothing."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One row of the table: a value that the user sets, and the program's texts on it.

    Attributes
    ----------
    label : str
        The name in the panel, with the mnemonic's "&", perhaps as rich text.
    name : str
        The full name, for screen readers and the manual, if it differs from the label.
    short : str
        The short name, if it differs: "N".
    tip : str
        One sentence on its meaning.
    formula : str
        Its role in the model, in words and letters.
    group : str
        The title of its group in the panel; that of the field before if empty.
    flag, metavar : str
        Its option on the command line, that of the field's name if empty, and the placeholder of
        its value.
    undo : str
        The name of the command that changes it: "Change the" and the name if empty.
    subject : str
        The subject of messages; the field's own name if empty.
    bounds : (low, high), optional
        For numbers: the least and the greatest value.
    reach : function of a picture's facts, optional
        For numbers: returns the greatest value for a picture, at most that of the bounds.
    beyond : str
        What the reach is, after the range of most pictures.
    decimals : int
        For numbers: the number of decimals; 0 for an integer.
    spacing : {"even", "log", "none"}
        For numbers: the slider spaces values evenly, or by their ratios, with small ones far apart;
        or there is no slider.
    choices : tuple of ParameterChoice, or a function of a picture's facts that returns one
        For others: the options; `SWITCH` for a check box.
    shorthands : tuple of str
        Further words for values on the command line; the dataclass turns them into values.
    resets : tuple of str
        Fields of the same dataclass that take their defaults when it is set.
    after : str
        The field that its row follows in the table, if this is not the field before.
    explained : bool
        True to show the tip of the chosen value in the panel.
    effect : str
        A sentence below the control in the panel, on where its effect is seen.
    follows : str
        The field whose value replaces None in this one; none if empty.
    essential : bool
        True if newcomers need it; others are advanced.
    refusal : function of (owner, d)
        Returns why it has no effect, given the dataclass that has the field and the picture's
        dimensions; empty if it has one.
    outer : function of (values, d)
        The same of a field of a nested dataclass, given the dataclass around; `nested` sets it.
    learned : bool
        True if only learning reads it, so that it cannot be set while a model is applied.
    steps, focus
        Its items in the menu of the model.
    field : str
        The path of its field, such as "window" or "encoding.scale"; `rows` fills it in.
    """

    label: str
    tip: str
    group: str = ""
    name: str = ""
    undo: str = ""
    short: str = ""
    formula: str = ""
    flag: str = ""
    metavar: str = ""
    subject: str = ""
    bounds: tuple[float, float] | None = None
    reach: Callable[[PictureFacts], float] | None = None
    beyond: str = ""
    decimals: int = 0
    spacing: Spacing = "even"
    choices: (
        tuple[ParameterChoice, ...] | Callable[[PictureFacts], tuple[ParameterChoice, ...]]
    ) = ()
    shorthands: tuple[str, ...] = ()
    resets: tuple[str, ...] = ()
    after: str = ""
    explained: bool = False
    effect: str = ""
    follows: str = ""
    essential: bool = True
    refusal: Callable[[Any, int], str] = _always
    outer: Callable[[Any, int], str] = _always
    learned: bool = False
    steps: tuple[Step, ...] = ()
    focus: Focus | None = None
    field: str = ""

    def __post_init__(self) -> None:
        name = self.name or self.label.replace("&", "")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "short", self.short or name)
        object.__setattr__(self, "undo", self.undo or f"Change the {name[0].lower()}{name[1:]}")

    def of(self, values: Any) -> Any:
        """Return the parameter's value, which may be None if it follows another."""
        return attrgetter(self.field)(values)

    def in_force(self, values: Any) -> Any:
        """Return the parameter's value, or that of the parameter that it follows."""
        value = self.of(values)
        return getattr(values, self.follows) if value is None and self.follows else value

    def put(self, values: T, value: Any) -> T:
        """Return the values with another one of this parameter, or raise `ParameterError`."""
        changed: T = replace(values, **self.change(values, value))  # type: ignore[type-var]
        return changed

    def change(self, values: Any, value: Any) -> dict[str, Any]:
        """Return the fields of the values that change with the parameter, and their new values."""
        name, _, rest = self.field.partition(".")
        if rest:
            inner = getattr(values, name)
            return {name: replace(inner, **row_of(inner, rest).change(inner, value))}
        others = {f.name: f.default for f in dataclasses.fields(values) if f.name in self.resets}
        return {name: value, **others}

    def refused(self, values: Any, dimensions: int) -> str:
        """Return why the parameter has no effect on a picture of d dimensions, or nothing."""
        owner, _, inner = self.field.partition(".")
        own = self.refusal(getattr(values, owner) if inner else values, dimensions)
        return self.outer(values, dimensions) or own

    @property
    def conditional(self) -> bool:
        """True if pictures, or values of others, can leave it without effect."""
        return self.refusal is not _always or self.outer is not _always

    def choices_for(self, facts: PictureFacts | None = None) -> tuple[ParameterChoice, ...]:
        """Return the values to choose from, for a picture or any image; none of a number."""
        if callable(self.choices):
            return self.choices(PictureFacts() if facts is None else facts)
        return self.choices

    def bounds_for(self, facts: PictureFacts | None = None) -> tuple[float, float]:
        """Return the least and the greatest number for a picture, or for most of them."""
        assert self.bounds is not None
        low, high = self.bounds
        return low, high if self.reach is None else self.reach(facts or PictureFacts())

    def check(self, value: Any, facts: PictureFacts | None = None) -> None:
        """Raise `ParameterError` if the parameter cannot have a value, for a picture or any."""
        subject = self.subject or self.field.rpartition(".")[2]
        if value is None and self.follows:
            return
        if self.bounds is None:
            known = [choice.value for choice in self.choices_for()]
            known += self.shorthands
            if not any(isinstance(value, type(one)) and value == one for one in known):
                wanted = ", ".join(map(str, known))
                raise ParameterError(f"{subject} must be one of {wanted}, got {value!r:.200}")
            return
        low, high = self.bounds if facts is None else self.bounds_for(facts)
        kind = Real if self.decimals else Integral
        right = isinstance(value, kind) and not isinstance(value, bool)
        if right and low <= value <= high:
            return
        noun = "a number " if self.decimals else "an integer "
        wanted = f"{'' if right and self.subject else noun}from {low:.10g} to {high:.10g}"
        text = value if isinstance(value, Real) else repr(value)
        raise ParameterError(f"{subject} must be {wanted}, got {f'{text}':.200}")

    def text(self, values: Any) -> str:
        """Return the value in force as a table shows it: "4", "= w", "Grey quantiles"."""
        value = self.of(values)
        if value is None and self.follows:
            return f"= {row_of(values, self.follows).short}"
        if self.bounds is not None:
            return f"{value:g}"
        return next(c.brief or c.word for c in self.choices_for() if c.value == value)

    @property
    def range_text(self) -> str:
        """The values that it can have: "1 to 32", "together or apart"."""
        if self.bounds is not None:
            low, high = self.bounds_for()
            return f"{low:g} to {high:g}{self.beyond}"
        *most, last = (choice.word for choice in self.choices_for())
        return f"{', '.join(most)} or {last}" if most else last

    @property
    def tool_tip(self) -> str:
        """The tip with the range."""
        spaced = "; small values are farther apart" if self.spacing == "log" else ""
        is_slid = self.bounds is not None and self.spacing != "none"
        ends = f" ({self.range_text}{spaced})" if is_slid else ""
        return f"{self.tip}{ends}"


def declared(default: T, row: Parameter) -> T:
    """Declare a field of a dataclass with its row of the table."""
    field: T = dataclasses.field(default=default, metadata={_ROW: row})
    return field


def _declaring(row: Callable[P, Parameter]) -> Callable[Concatenate[T, P], T]:
    def declare(default: T, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return declared(default, row(*args, **kwargs))

    return declare


parameter = _declaring(Parameter)
"""Declares a field of a dataclass with a default and the attributes of its `Parameter`."""


def nested(default: T, refusal: Callable[[Any, int], str] = _always) -> T:
    """Declare a field whose value is a dataclass with rows of its own."""
    metadata = {_NESTED: type(default), _OUTER: refusal}
    field: T = dataclasses.field(default=default, metadata=metadata)
    return field


def rows(table: Any) -> tuple[Parameter, ...]:
    """Return the table of a dataclass or of a value of one, in the order of its fields."""
    return _rows_of(table if isinstance(table, type) else type(table))


@cache
def _rows_of(table: type) -> tuple[Parameter, ...]:
    found, group = list[Parameter](), ""
    for field in dataclasses.fields(table):
        if _ROW in field.metadata:
            own = field.metadata[_ROW]
            group, flag = own.group or group, own.flag or f"--{field.name.replace('_', '-')}"
            row = replace(own, field=field.name, group=group, flag=flag)
            before = [one.field for one in found].index(row.after) if row.after else len(found) - 1
            found.insert(before + 1, row)
        elif _NESTED in field.metadata:
            inner, outer = rows(field.metadata[_NESTED]), field.metadata[_OUTER]
            found += [replace(row, field=f"{field.name}.{row.field}", outer=outer) for row in inner]
    return tuple(found)


def row_of(table: Any, field: str) -> Parameter:
    """Return the row of a field, or raise `KeyError`."""
    return {row.field: row for row in rows(table)}[field]


def check(values: Any) -> None:
    """Raise `ParameterError` if a dataclass with rows has a value that its table refuses."""
    # A value inside it that has rows of its own was checked when it was made
    for row in rows(values):
        if "." not in row.field:
            value = plain(getattr(values, row.field))
            row.check(value)
            object.__setattr__(values, row.field, value)
