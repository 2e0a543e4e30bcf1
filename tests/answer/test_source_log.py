"""The log of a server names the sources from which each question was answered."""

import logging
from pathlib import Path

import pytest

from pincite.answer.source_log import log_sources
from pincite.types import Evidence, Span
from tests.turns import ask, open_test_services, searching

LAKES = {
    "ness.md": "# Loch Ness\n\nLoch Ness is a deep lake of the Highlands.\n",
    "leman.md": "# Lac Léman\n\nThe lake of Geneva is a deep lake too.\n",
}


def test_one_line_lists_title_and_score_of_every_source(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    services = open_test_services(tmp_path, LAKES, searching("deep lake", "Loch Ness is deep [1]."))
    with caplog.at_level(logging.INFO, "pincite.sources"):
        ask(services, "Which lake is deep?", question_id="q1")
    (line,) = (record.getMessage() for record in caplog.records if record.name == "pincite.sources")
    assert line.startswith("Sources retrieved")
    assert "Loch Ness" in line
    assert "Lac Léman" in line
    assert "\n" not in line


def test_a_source_is_told_with_its_number_page_and_score_on_the_same_line() -> None:
    source = Evidence(2, Span("d", 0, 3), "The\nLease", "pdf", "abc", page=4, score=0.876)
    logger, told = logging.getLogger("pincite.sources"), []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        log_sources("q7", [source])
        log_sources("q8", [])
        log_sources("", [])  # the question with which a server warms up
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    assert told == [
        "Sources retrieved for question q7: [2] The Lease, p. 4 (0.88)",
        "Sources retrieved for question q8: none",
    ]
