"""The README's example of the core runs, and says what is true."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_example_of_the_core(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    found = {}
    exec(compile(code, README.name, "exec"), found)
    printed = capsys.readouterr().out
    assert printed.count("\n") > 30
    assert found["c"].n_states == 1
    assert "no structure" in printed
    assert found["level"].side == 1
    assert (found["level"].states == found["states"]).all()
    assert (
        found["r"].error
        == found["bias_variance"](found["truth"], found["channel"], windows=[1, 2, 4]).error
    ).all()
