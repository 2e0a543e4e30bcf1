"""Reasons are said in the reader's language, and no rule may give one that French has no words for."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import evidence
from pincite.evidence.reasons import told

_ROOMS = ("verify", "findings", "contradictions", "turned", "framing", "borrowed", "pin")


def written() -> Iterator[str]:
    """Every reason that stands in the rules, with a word where one is put in."""
    for room in _ROOMS:
        tree = ast.parse((Path(str(evidence.__path__[0])) / f"{room}.py").read_text(encoding="utf-8"))
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            text = ""
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(p.value) if isinstance(p, ast.Constant) else "word" for p in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                text = node.value
            is_reason = text.startswith(("the source ", "the sentence ", "where the source", "no source"))
            if (is_reason or text.endswith("in the source")) and not text.endswith("."):
                yield text


@pytest.mark.parametrize("reason", sorted(set(written())))
def test_every_reason_of_the_rules_has_french_words(reason: str) -> None:
    french = told(reason, "fr")
    assert french != reason
    assert "the " not in french
    assert french.count("word") == reason.count("word")


def test_there_are_reasons_to_look_at() -> None:
    assert len(set(written())) > 20


def test_what_the_texts_say_is_left_as_they_say_it() -> None:
    reason = "the source says rose, the sentence says fell"
    assert told(reason, "fr") == "la source dit rose, la phrase dit fell"
    assert told(reason, "en") == told(reason, "") == reason
    assert told("12 % is not in the source", "fr") == "12 % n'est pas dans la source"
    assert told("something else", "fr") == "something else"
