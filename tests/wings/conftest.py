"""The fixtures of the window's tests."""

from tests.app.conftest import (  # noqa: F401
    _no_hurry,
    _packages_read_once,
    begun,
    few_views,
    image,
    learn_once,
    photo,
    show_only,
    window,
)
