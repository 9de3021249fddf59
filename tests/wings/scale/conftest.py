"""Cases of arrays in chunks, and a model of each."""

import pytest

from latviz.wings import scale
from tests.wings.scale.cases import CASES, by_name


@pytest.fixture(scope="session", params=CASES, ids=by_name)
def case(request):
    return request.param


@pytest.fixture(scope="session")
def model(case):
    n_symbols = case.size if case.kind == "discrete" else None
    return scale.fit(case.cut, kind=case.kind, n_states=3, window=case.window, n_symbols=n_symbols)
