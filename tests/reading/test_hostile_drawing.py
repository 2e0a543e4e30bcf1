"""Every hostile Office file is drawn within a few seconds, or refused in words."""

import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests.hostile import damage, office
from tests.hostile.kinds import KINDS, Kind
from tests.thorough import keep_some

from pincite.errors import PinciteError
from pincite.reading.slide_drawing import draw_slides
from pincite.reading.source import Source
from pincite.reading.word_drawing import draw_word

assert damage
assert office
OFFICE = [each for each in KINDS.values() if each.ending in ("docx", "pptx")]


@pytest.mark.parametrize("kind", keep_some(OFFICE, one_in=5), ids=lambda kind: kind.name)
def test_a_hostile_office_file_is_drawn_or_refused(tmp_path: Path, kind: Kind) -> None:
    path = tmp_path / f"a.{kind.ending}"
    path.write_bytes(kind.make(Random(1), kind.quick))
    began = time.process_time()
    with suppress(PinciteError):
        for part in (draw_slides if kind.ending == "pptx" else draw_word)(Source(path, path.name)):
            assert len(part) < 4_100_000
    assert time.process_time() - began < 10
