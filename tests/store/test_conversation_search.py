"""Conversations are found by words of their title or of a message, on both engines."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store import conversation_search, conversations, messages
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.text.folding import fold_in_place


def said(conversation: str, position: int, content: str, owner: str = "ada") -> StoredMessage:
    given: dict[str, Any] = {"role": "assistant" if position % 2 else "user", "state": "done", "created": 1.0}
    return StoredMessage(
        f"{conversation}{position}", conversation, owner, position, content=content, updated=1.0, **given
    )


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("", ["Rent", "Lakes"]),
        ("   ", ["Rent", "Lakes"]),
        ("lakes", ["Lakes"]),
        ("DÉPÔT", ["Rent"]),
        ("depot garantie", ["Rent"]),
        ("garantie lakes", []),
        ("ness deep", []),  # one message holds the one, another the other
        ("100%", ["Lakes"]),
        ("0%c", []),
        ("_", []),
        ("eve", []),
    ],
)
def test_conversations_are_found_by_all_words_of_a_text(either: Database, words: str, titles: list[str]) -> None:
    with either.writing() as connection:
        lakes = conversations.create(connection, "ada", "Lakes").id
        rent = conversations.create(connection, "ada", "Rent").id
        theirs = conversations.create(connection, "eve", "Eve's lakes").id
        messages.add(
            connection,
            [
                said(lakes, 0, "How deep is it?"),
                said(lakes, 1, "Loch Ness is 100% cold."),
                said(rent, 0, "Quel est le dépôt de GARANTIE ?"),
                said(rent, 1, "Deux mois. Le dépôt de garantie est rendu."),
                said(rent, 2, "Et après ?"),
                said(theirs, 0, "Eve on lakes", "eve"),
            ],
        )
    with either.reading() as connection:
        found, total = conversation_search.find(connection, "ada", words, 10)
        assert [each.about.title for each in found] == titles
        assert total == len(titles)
        assert {each.about.title: each.questions for each in found} == {t: 2 if t == "Rent" else 1 for t in titles}
        if titles == ["Rent"]:
            assert found[0].text == "Quel est le dépôt de GARANTIE ?"
        if words == "lakes":
            assert found[0].text == "Lakes"
        one, all_of_them = conversation_search.find(connection, "ada", words, 1)
        assert (len(one), all_of_them) == (min(1, total), total)
        if one:
            rest, _ = conversation_search.find(connection, "ada", words, 10, (one[0].about.updated, one[0].about.id))
            assert one + rest == found


@given(st.text())
def test_folding_leaves_every_character_in_its_place(text: str) -> None:
    assert len(fold_in_place(text)) == len(text)
    assert fold_in_place(fold_in_place(text)) == fold_in_place(text)
