"""The site's table of parameters, which follows from their rows."""

from typing import Any, NamedTuple

from latviz.app.help.manual import escaped
from latviz.core.parameter import Parameter, rows

HEAD = (
    "# All parameters",
    "",
    "Every parameter of the model, with its range and its option of the [command line]"
    "(../../resources/help/command-line.md). [Parameters](../../resources/help/parameters.md) "
    "explains when to change them. Pictures open with [settings that suit them]"
    "(../../resources/help/encodings.md#what-pictures-open-with).",
    "",
    "[The model](../../resources/help/model.md#symbols) lists the letters of formulas. Words in "
    "brackets are those of the command line.",
)


class TableRow(NamedTuple):
    """A parameter as the table describes it."""

    name: str
    tip: str
    formula: str
    values: str
    default: str
    flag: str
    essential: bool


def table_rows(table: Any) -> tuple[TableRow, ...]:
    """Return the rows of a dataclass whose fields all have defaults."""
    defaults = table()
    return tuple(
        TableRow(
            row.name,
            row.tip,
            row.formula,
            titled_range(row),
            row.text(defaults),
            row.flag,
            row.essential,
        )
        for row in rows(table)
    )


def titled_range(row: Parameter) -> str:
    """Return the values by names in the panel, with words that differ: "CIELAB colour (lab)"."""
    if row.bounds is not None:
        return row.range_text
    named = ((one.text, one.word) for one in row.choices_for())
    return "; ".join(f"{t} ({word})" if t.lower() != word else t for t, word in named)


def parameters_page(table: Any) -> str:
    """Return the page: a table for the essential parameters and one for all others."""
    lines = list(HEAD)
    for essential, heading in ((True, "Essential"), (False, "Advanced")):
        lines += ["", f"## {heading}", ""]
        lines += ["| parameter | what it does | formula | range | default | option |"]
        lines += ["| --- | --- | --- | --- | --- | --- |"]
        for row in (row for row in table_rows(table) if row.essential == essential):
            cells = (row.name, row.tip, row.formula, row.values, row.default)
            lines.append(f"| {' | '.join(map(escaped, cells))} | `{row.flag}` |")
    return "\n".join([*lines, ""])
