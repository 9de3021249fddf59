"""The lessons that there are: the program's own, and those of the user's folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

from latviz.app.work.activity import Failure
from latviz.core.errors import ParameterError
from latviz.engine.lessons.lesson import Lesson, check_states, read, title_of
from latviz.resources import lessons

PATH = ("01-signatures", "05-window", "07-fooled", "13-challenge")
"""The first lessons; the others build on them."""


class Library:
    """Reads lessons once, on first use."""

    def __init__(self, folder: Path | None, fail: Callable[[Failure], object]) -> None:
        self._folder, self._fail = folder, fail
        self._lessons: dict[str, Lesson] = {}

    def lessons(self) -> dict[str, Lesson]:
        """Return the program's lessons and those in the user's own folder, by their names."""
        if not self._lessons:
            for name, path in lessons().items():
                self._lessons[name] = read(path)  # tests checked them
            paths = [] if self._folder is None else lessons(self._folder).values()
            reasons = [reason for path in paths if (reason := self._add(path))]
            if reasons:
                self._fail(Failure(" ".join(reasons), ""))
        return self._lessons

    def _add(self, path: Path) -> str:
        """Add a lesson of the user's; return why it is left out, or nothing."""
        try:
            lesson = read(path)
            check_states(lesson)
        except ParameterError as error:
            return f"{path.name} is left out: {error}."
        self._lessons[path.stem] = lesson
        return ""

    def titles(self) -> Iterator[tuple[str, str]]:
        """Yield the names and titles of the program's own lessons, without reading all of them."""
        for name, path in lessons().items():
            yield name, title_of(path)

    def after(self, name: str, *, on_path: bool) -> Lesson | None:
        """Return the next lesson: on the path, or in the list; None at the end."""
        names = [*PATH] if on_path else [*self.lessons()]
        later = names[names.index(name) + 1 :] if name in names else []
        return self.lessons()[later[0]] if later else None
