"""``.ci/system`` installs missing packages, where it can, and never delays the next command."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / ".ci" / "system"
TABLE = ROOT / "resources" / "system-packages.txt"
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
PACKAGES = re.findall(r"^[a-z]\S+", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
NEWER = {"libglib2.0-0": "libglib2.0-0t64"}
"""Packages that newer releases have under other names, which provide them."""
REAL = ("sh", "sed", "tr", "dirname", "env")

pytestmark = pytest.mark.posix("/bin/sh")

Stub = Callable[..., None]


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """Return a function that makes a command replacing the real one, and records its arguments."""
    for name in REAL:
        (tmp_path / name).symlink_to(shutil.which(name) or name)

    def make(name: str, body: str = "") -> None:
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/calls\n{body}\n')
        path.chmod(0o755)

    make("python3")
    return make


def run(folder: Path) -> tuple[str, str, list[str]]:
    """Run the script with stubs only; return its output, and calls of apt and sudo."""
    result = subprocess.run(
        ["/bin/sh", SCRIPT],
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0
    calls = folder / "calls"
    lines = calls.read_text().splitlines() if calls.exists() else []
    wanted = [line for line in lines if line.startswith(("apt-get", "sudo"))]
    return result.stdout, result.stderr, wanted


def debian(stub: Stub, lacks: tuple[str, ...] = (), user: int = 0) -> None:
    """Make a system with apt that has all packages but some, newer ones by their new names."""
    there = [name for name in PACKAGES if name not in lacks]
    newer = [f"{NEWER[name]}, {name} (= 1.0)" for name in there if name in NEWER]
    same = [f"{name}, " for name in there if name not in NEWER]
    lines = [f"installed {words}" for words in (*newer, *same)]
    lines += [f"config-files {name}, " for name in lacks]  # removed, but known
    stub("dpkg-query", "\n".join(f"echo '{line}'" for line in lines))
    stub("apt-get")
    stub("id", f"echo {user}")


def test_where_all_is_there_it_is_silent(stub: Stub, tmp_path: Path) -> None:
    debian(stub)
    assert run(tmp_path) == ("", "", [])


def test_where_there_is_no_apt_it_does_nothing(stub: Stub, tmp_path: Path) -> None:
    assert run(tmp_path) == ("", "", [])


def test_only_what_is_missing_is_installed(stub: Stub, tmp_path: Path) -> None:
    debian(stub, ("libegl1", "xdotool"))
    printed, errors, (update, install) = run(tmp_path)
    assert printed == "Installing libegl1 xdotool\n"
    assert errors == ""
    assert update.endswith(" update")
    assert install.endswith(" install -y --no-install-recommends libegl1 xdotool")
    assert "sudo" not in install


def test_a_python_without_venv_gets_it(stub: Stub, tmp_path: Path) -> None:
    debian(stub)
    stub("python3", "exit 1")
    assert run(tmp_path)[2][-1].endswith(" python3-venv")


def test_who_is_not_root_asks_sudo(stub: Stub, tmp_path: Path) -> None:
    debian(stub, ("libgl1",), user=1000)
    stub("sudo", '"$@"')
    printed, errors, calls = run(tmp_path)
    assert (printed, errors) == ("Installing libgl1\n", "")
    assert [line.split()[0] for line in calls] == ["sudo", "apt-get"] * 2


def test_without_sudo_it_says_what_to_ask_for_and_goes_on(stub: Stub, tmp_path: Path) -> None:
    debian(stub, ("libgl1", "libegl1"), user=1000)
    printed, errors, calls = run(tmp_path)
    assert (printed, calls) == ("", [])
    assert errors.count("\n") == 1
    assert "administrator" in errors
    assert errors.endswith("apt-get install libgl1 libegl1\n")


def test_where_apt_fails_it_says_so_and_goes_on(stub: Stub, tmp_path: Path) -> None:
    debian(stub, ("libgl1",))
    stub("apt-get", "echo 'E: no network' >&2; exit 100")
    _, errors, _ = run(tmp_path)
    assert "E: no network" in errors
    assert errors.endswith("apt-get install libgl1\n")


def test_the_commands_of_the_readme_begin_with_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^[^|\n]*python3 -m venv.*$", readme, re.MULTILINE)  # in no table
    assert len(commands) == 2
    assert all(
        command.startswith("sh .ci/system && python3 -m venv .venv && ") for command in commands
    )
    assert commands[0].endswith(" && .venv/bin/latviz")
    assert re.search(r" && \.venv/bin/pytest( -n \d+)?$", commands[1])


@pytest.mark.parametrize("failing", ["none", "tests.desks", "tests.test_wings", "tests.bench.soak"])
def test_what_continuous_integration_runs_is_the_second_command(tmp_path, failing) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    before = "<!-- tests -->\n```sh\n"
    (tmp_path / "README.md").write_text(f"```sh\nsh one\n```\n{before}sh -c 'echo two'\n```\n")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\necho $2\n[ $2 != {failing} ]\n")
    python.chmod(0o755)
    command = ["bash", tmp_path / ".ci" / "run"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == (failing != "none")
    first, second, desks, there, without, taken, acting, robot = result.stdout.splitlines()
    assert [first, second] == ["+ sh -c 'echo two'", "two"]
    assert [desks, there] == ["+ .venv/bin/python -m tests.desks", "tests.desks"]
    assert [without, taken] == ["+ .venv/bin/python -m tests.test_wings 0", "tests.test_wings"]
    assert robot == "tests.bench.soak"
    assert re.fullmatch(r"\+ \.venv/bin/python -m tests\.bench\.soak .* --seed \d+", acting)


def test_jobs_on_other_systems_call_only_what_these_have() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    elsewhere = [job for job in jobs.values() if job["runs-on"] != "ubuntu-latest"]
    assert elsewhere
    for job in elsewhere:
        assert job["defaults"]["run"]["shell"] == "bash"  # which Windows' runners have, too
        for step in job["steps"]:
            if step.get("if") != "runner.os == 'Linux'":
                assert not re.search(r"\.venv/|\bsh \.ci|apt-get", step.get("run", ""))
    assert jobs["desks"]["steps"][-1]["run"] == "python -m tests.desks"


def test_the_oldest_dependencies_are_those_that_the_project_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = dict[str, str]()
    for line in chain(project["dependencies"], *project["optional-dependencies"].values()):
        for bound in (wanted := Requirement(line)).specifier:
            if bound.operator == ">=":
                assert least.setdefault(wanted.name, bound.version) == bound.version, line
    job = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["tests"]
    (oldest,) = job["strategy"]["matrix"]["include"]
    given = dict(line.split("==") for line in oldest["constraints"].split())
    tools = {"build", "codespell", "mypy", "ruff"}  # which no test of this job runs
    parts = {"pyqt6-qt6", "distributed"}  # of others, which name no version of them
    assert given.keys() - parts == least.keys() - tools
    for name in given.keys() - parts:
        assert Version(given[name]) in SpecifierSet(f"=={least[name]}.*"), name


def test_packages_are_named_in_one_place() -> None:
    names = re.compile(r"\blib(xcb|xkbcommon|egl|glib)[\w.-]*\d\b")
    for place in ("README.md", ".ci/run", ".ci/system", ".github/workflows/tests.yml"):
        lines = (ROOT / place).read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if names.search(line) and not line.startswith("#")]


def test_no_extra_needs_what_python_3_14_has_no_wheels_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {
        Requirement(line).name.lower()
        for lines in project["optional-dependencies"].values()
        for line in lines
        if (marker := Requirement(line).marker) is None
        or marker.evaluate({"python_version": "3.14"})
    }
    assert {"scikit-learn", "scikit-image", "zarr", "pytest"} <= wanted
    assert "pymaxflow" not in wanted
