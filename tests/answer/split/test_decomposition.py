"""A question is taken apart into tasks that say what was asked, and nothing about who asks."""

from pathlib import Path

import pytest

from pincite.types import Exchange
from tests.answer.split.acting import QUESTION, Shelf, plan, staged, with_engine
from tests.turns import ask, final, saying

ABOUT_ME = "My name is Tadeusz Kowalczyk and I have diabetes."


@pytest.mark.parametrize("slip", ["Tadeusz", "a tenant with diabetes"])
def test_a_plan_with_words_of_about_me_is_not_followed(tmp_path: Path, slip: str) -> None:
    engine = Shelf()
    planned = plan(
        ("file_analyzer", "Which notice period does the lease name?"),
        ("deep_research", f"Which notice may {slip} give for a furnished flat?"),
    )
    services = with_engine(staged(tmp_path, planned, {QUESTION: saying("Nothing.")}), engine)
    before = (Exchange("Who am I?", f"You are {slip}."),)
    assert final(ask(services, QUESTION, profile=ABOUT_ME, history=before)).subagents == []
    assert set(engine.asked) <= {QUESTION}  # the user's own words, and none of the plan
