"""Fixtures for tests of the web: a small site, and services whose reader processes start once for a file of tests."""

from collections.abc import Iterator

import pytest

from pincite.answer.services import Services
from tests import sites
from tests.answer.outside import standing
from tests.sites import Site
from tests.turns import DAM


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with sites.serving() as site:
        yield site


@pytest.fixture(scope="module")
def shared(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Services with the note on the dam, and the site for its web."""
    with standing(tmp_path_factory.mktemp("web"), site, {"dam.md": DAM}) as services:
        yield services
