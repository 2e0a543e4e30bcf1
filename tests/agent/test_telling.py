"""While a sentence is judged, whoever else asks is served."""

import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from pincite.evidence.claims import is_claim
from tests.turns import ask, final, open_test_house, searching


def test_what_cites_nothing_is_held_against_all_sources_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: dict[str, threading.Thread] = {}

    def noted(sentence: str, known: Iterable[str] = ()) -> bool:
        judged[sentence] = threading.current_thread()
        return is_claim(sentence, known)

    monkeypatch.setattr("pincite.agent.telling.is_claim", noted)
    house = open_test_house(tmp_path, script=searching("dam", "## The dam\n\nThe dam was built in 1950 [1.2].\n"))
    said = final(ask(house, "When was the dam at Vassivière built?"))
    house.close()
    assert [each.support for each in said.sentences] == [None, "verified"]
    assert judged
    assert threading.main_thread() not in judged.values()
