"""The script that a visitor waits for stays small."""

from pathlib import Path

import pytest

from pincite.server.ui_files import BUILT
from tests.browser.conftest import PAGE_FOLDER
from tests.browser.script_sizes import measure_scripts

LARGEST = 250_000  # compressed bytes, the aim in docs/benchmarks.md; what is not needed at once is loaded later


def test_the_script_of_the_first_page_stays_within_its_limit() -> None:
    folder = Path(PAGE_FOLDER) if PAGE_FOLDER else BUILT
    if not (folder / "manifest.json").is_file():
        pytest.skip("THE PAGE IS NOT TESTED. It is not built here: `make page` builds it.")
    script, _, _ = measure_scripts(folder)
    assert 100_000 < script <= LARGEST
