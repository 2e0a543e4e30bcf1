"""The processes themselves are tested here: none is shared with another test."""

import pytest


@pytest.fixture(autouse=True)
def _own_readers(own_readers: None) -> None:
    """Each process is started when it is needed and ended when it is closed."""
