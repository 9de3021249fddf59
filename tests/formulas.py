"""The formulas of the manual: `python -m tests.test_manual` typesets them as SVG files."""

from html import escape, unescape
from pathlib import Path
from xml.etree import ElementTree

from latviz.engine.explain.formulas import TOPICS

HELP = Path(__file__).parents[1] / "resources" / "help"
FOLDER = HELP / "formulas"
SIZE = 17
PADDING = 4
FORMULAS = {
    "signature": r"x_t(k) = \frac{n_t(k)}{n_t}",
    "mean": TOPICS["signature"].vectors,
    "merge": r"\frac{n_i n_j}{n_i + n_j} \| c_i - c_j \|^2",
    "pairs": TOPICS["adjacency"].formula,
    "nearest": TOPICS["distance"].formula,
    "likelihood": (
        r"\log P = \sum_t \log b(q_t, o_t) + \frac{1}{2} \sum_t \sum_{r \in R(t)}"
        r" \left( \log \alpha_t + \log \frac{a(q_t, q_r)}{k_t} \right)"
    ),
    "alpha": r"\alpha_t = \alpha^{h_t}, \quad h_t = \frac{i_t - 1/\sqrt{N}}{1 - 1/\sqrt{N}}",
    "associativity": r"\mathrm{associativity} = \frac{\sum_i a(i, i)}{\sum_i \sum_j a(i, j)}",
    "inertia": (r"\mathrm{inertia} = \frac{1}{U} \sum_t i_t, \quad i_t = \sqrt{\sum_j p_t(j)^2}"),
    "independence": r"\mathrm{independence} = 1 - |\rho|",
    "law": r"\mathrm{law} = 1 - \sup_z |F(z) - \Phi(z)|",
}
"""LaTeX, or a formula that the program explains, by the name of the file."""


def latex_of(name: str) -> str:
    """Return a formula in LaTeX."""
    formula = FORMULAS[name]
    return formula if isinstance(formula, str) else formula.latex


def latex_in(path: Path) -> str:
    """Return the LaTeX that a file was typeset from."""
    return unescape(path.read_text(encoding="utf-8").partition("<desc>")[2].partition("</desc>")[0])


def typeset(name: str) -> str:
    """Return a formula as SVG: outlines in black on white, with the LaTeX as description."""
    import ziamath

    ziamath.config.svg2 = False  # Qt draws SVG 1.2 tiny
    drawn = ziamath.Latex(latex_of(name), size=SIZE).svg()
    left, top, width, height = map(float, ElementTree.fromstring(drawn).attrib["viewBox"].split())
    left, top = left - PADDING, top - PADDING
    width, height = width + 2 * PADDING, height + 2 * PADDING
    room = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    inner = drawn.partition(">")[2].rpartition("</svg>")[0]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="{left:g} {top:g} {width:g} {height:g}">'
        f"<desc>{escape(latex_of(name))}</desc>"
        f'<rect {room} fill="white"/>{inner}</svg>\n'
    )


def write() -> None:
    """Write all files, and remove others."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.stem not in FORMULAS:
            path.unlink()
    for name in FORMULAS:
        (FOLDER / f"{name}.svg").write_text(typeset(name), encoding="utf-8")
