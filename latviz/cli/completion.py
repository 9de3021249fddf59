"""Completion of commands, options and values by shells, from the parsers themselves."""

import argparse
from collections.abc import Iterable, Iterator

from latviz.cli.commands import commands
from latviz.cli.parser import Parser
from latviz.core.printable import send

SHELLS = ("bash", "zsh")
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"
_BASH = """\
_latviz() {{
  local IFS=$'\\n' path= word= names= flags= files=1
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$path $word" in {paths}) path="$path $word";; esac
  done
  case "$path" in
{ways}
  esac
  case "$path $before" in
{values}
  *) case "$current" in -*) names=$flags files=;; esac;;
  esac
  COMPREPLY=($(compgen -W "$names" -- "$current"))
  if [ "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}}
complete -o filenames -F _latviz latviz
"""


def script(shell: str, main: Parser) -> bytes:
    """Return what a shell reads to complete the arguments of the main parser, and of commands."""
    ways = {"": main, **dict(_ways((f" {one.name}", one.parser()) for one in commands().values()))}
    names = {way: [each[len(way) + 1 :] for each in ways if _parent(each) == way] for way in ways}
    text = _BASH.format(
        paths="|".join(f'"{way}"' for way in ways if way),
        ways="\n".join(
            f"  {way!r}) names={_lines(names[way])} flags={_lines(_flags(parser))};;"
            for way, parser in ways.items()
        ),
        values="\n".join(
            f"  {f'{way} {flag}'!r}) names={_lines(map(str, one.choices))} files=;;"
            for way, parser in ways.items()
            for one in parser._actions
            for flag in one.option_strings
            if one.choices
        ),
    )
    return f"{_ZSH if shell == 'zsh' else ''}{text}".encode()


class PrintCompletion(argparse.Action):
    """Prints the script for a shell, and ends the program."""

    def __call__(
        self, parser: argparse.ArgumentParser, _: object, shell: object, __: object = None
    ) -> None:
        """Print it."""
        assert isinstance(parser, Parser)
        send(script(str(shell), parser))
        parser.exit()


def _ways(some: Iterable[tuple[str, Parser]]) -> Iterator[tuple[str, Parser]]:
    """Yield parsers of commands by their words, each after a space, and those of their commands."""
    for way, parser in some:
        yield way, parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from _ways((f"{way} {name}", one) for name, one in action.choices.items())


def _parent(way: str) -> str | None:
    return way.rpartition(" ")[0] if way else None


def _flags(parser: Parser) -> list[str]:
    """Return the options that the help lists, by their last names."""
    seen = (one for one in parser._actions if one.help != argparse.SUPPRESS)
    return [flag for one in seen for flag in one.option_strings if flag.startswith("--")]


def _lines(words: Iterable[str]) -> str:
    """Return words as one of the shell, which its IFS divides."""
    return "'" + "\n".join(words) + "'"
