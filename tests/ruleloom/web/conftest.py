"""The browser of the tests of pages."""

from __future__ import annotations

import pytest

from tests.support.browser import started


@pytest.fixture(scope="module")
def running_browser():
    with started() as found:
        yield found


@pytest.fixture
def browser(running_browser):
    """The browser without any page: those of earlier tests would go on being drawn."""
    yield running_browser
    for context in running_browser.contexts:
        context.close()
