"""Kernels compile for processors that this machine does not have.

Their LLVM code is that of the cache, which Numba optimized for this machine. With LATVIZ_FULL=1
all kernels are compiled, otherwise two that are written in vectors of eight lanes and of 64.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import llvmlite.binding as llvm
import pytest
from numba.core.registry import CPUDispatcher

from latviz.core import kernels
from tests.products import FULL

PROCESSORS = {
    "Apple silicon": ("arm64-apple-macosx11.0.0", "apple-m1", bytes.fromhex("cffaedfe 0c000001")),
    "Windows with SSE2": ("x86_64-pc-windows-msvc", "x86-64", bytes.fromhex("6486")),
    "Windows on ARM": ("aarch64-pc-windows-msvc", "generic", bytes.fromhex("64aa")),
}
"""LLVM's names, and the first bytes of object files, which name the format and the processor."""
FEW = "sweeps.least_scores", "norms.narrow_norms"
COUNTS = re.compile(r"(?ms)^define [^\n]*?(\w+ @NRT_\w+)\([^\n]*\)[^\n]*\{\n.*?^\}")
"""Numba's functions that count references. It links those of this machine's processor."""


def compiled() -> Iterator[tuple[str, str]]:
    """Yield the name and the LLVM code of each kernel in the cache."""
    for module in (one.name for one in pkgutil.iter_modules(kernels.__path__)):
        for name, kernel in vars(importlib.import_module(f"{kernels.__name__}.{module}")).items():
            if isinstance(kernel, CPUDispatcher) and (FULL or f"{module}.{name}" in FEW):
                codes = codes_of(kernel) if FULL else islice(codes_of(kernel), 1)
                yield from ((f"{module}.{name}", code) for code in codes)


def codes_of(kernel: Any) -> Iterator[str]:
    """Yield the code of a kernel for each of its types; functions that kernels call have none."""
    file = getattr(kernel._cache, "_cache_file", None)
    for types, *_ in () if file is None else file._load_index():
        library = kernel._cache.load_overload(types, kernel.targetctx).library
        yield COUNTS.sub(r"declare \1(ptr)", str(library._get_module_for_linking()))


@pytest.fixture(scope="module")
def codes() -> list[tuple[str, str]]:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return list(compiled())


@pytest.mark.parametrize("processor", PROCESSORS)
def test_kernels_compile_for_other_processors(codes: list[tuple[str, str]], processor: str) -> None:
    triple, name, begin = PROCESSORS[processor]
    options = {"cpu": name, "reloc": "pic", "codemodel": "default"}
    machine = llvm.Target.from_triple(triple).create_target_machine(**options)
    assert {kernel for kernel, _ in codes} >= set(FEW)
    for kernel, code in codes:
        module = llvm.parse_assembly(code)
        module.triple, module.data_layout = triple, str(machine.target_data)
        assert machine.emit_object(module).startswith(begin), kernel
    assert not FULL or len(codes) > 50
