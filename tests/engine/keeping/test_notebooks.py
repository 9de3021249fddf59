"""Scripts as notebooks: the same code, in cells."""

import json

from latviz.engine.keeping.notebooks import notebook_of

SCRIPT = '''"""A title.

More of it.
"""

import math

x = [
    1,

    2,
]
'''


def cells(script):
    made = json.loads(notebook_of(script))
    assert (made["nbformat"], made["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
    for cell in made["cells"]:
        required = {"cell_type", "id", "metadata", "source"}
        more = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert cell.keys() == required | more
    return [(cell["cell_type"], "".join(cell["source"])) for cell in made["cells"]]


def test_paragraphs_are_cells():
    title, *code = cells(SCRIPT)
    assert title == ("markdown", "# A title.\n\nMore of it.")
    assert code == [("code", "import math"), ("code", "x = [\n    1,\n\n    2,\n]")]


def test_marked_cells_begin_with_their_text():
    head, text = '"""T."""\n\nimport a\n\nimport b\n', "# Some text.\n#\n# More.\n"
    marked = f"{head}\n# %%\n{text}y = 1\n\nz = 2\n# %%\nw\n"
    assert cells(marked)[1:] == [
        ("code", "import a\n\nimport b"),
        ("markdown", "Some text.\n\nMore."),
        ("code", "y = 1\n\nz = 2"),
        ("code", "w"),
    ]
