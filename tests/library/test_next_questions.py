"""Suggested next questions are headings of the cited documents about which nothing was asked."""

import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import NotFound
from pincite.library.next_questions import suggest_follow_ups
from pincite.store import conversations, documents, messages
from pincite.store.messages import StoredMessage
from tests.turns import open_test_services

LAKES = (
    "# Lakes\n\n## Their depth\n\nDeep.\n\n## Their fish\n\nMany.\n\n## Ice in winter\n\nNone.\n\n## Summary\n\nYes.\n"
)


def test_headings_near_the_citations_are_suggested_to_their_owner_alone(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, texts={"lakes.md": LAKES})
    database = services.library.database
    try:
        with database.reading() as connection:
            (lakes,) = documents.find(connection, "local")
        cited = {"citations": [{"document": lakes.id, "start": LAKES.index("Many")}]}

        def suggested(question: str, answer: dict[str, Any] | None = cited) -> list[str | None]:
            return [
                each.heading for each in suggest_follow_ups(database, "local", _store_talk(database, question, answer))
            ]

        # The section that is cited is not among them, the nearest heading comes first.
        assert suggested("What lives there?") == ["Ice in winter", "Their depth"]
        assert suggested("How thick is the ice in winter?") == ["Their depth"]
        assert suggested("Is it?", {"citations": [{"document": "gone", "start": 3}]}) == []
        assert suggested("Is it?", None) == []
        own = _store_talk(database, "Is it?", cited)
        for owner, id in (("eve", own), ("local", "nothing")):
            with pytest.raises(NotFound):
                suggest_follow_ups(database, owner, id)
    finally:
        services.close()


def test_all_are_in_the_language_of_the_document_that_is_cited_first(tmp_path: Path) -> None:
    lacs = (
        "# Les lacs de la vallée\n\n## Leur profondeur\n\nCes lacs sont très profonds et très froids.\n\n"
        "## Leurs poissons\n\nOn y trouve beaucoup de truites et de brochets.\n"
    )
    services = open_test_services(tmp_path, texts={"lakes.md": LAKES, "lacs.md": lacs})
    database = services.library.database
    try:
        with database.reading() as connection:
            ids = {each.name: each.id for each in documents.find(connection, "local")}
        places = [("lakes.md", LAKES.index("Many")), ("lacs.md", lacs.index("Ces lacs"))]

        def suggested(order: list[tuple[str, int]]) -> list[str | None]:
            cited = {"citations": [{"document": ids[name], "start": start} for name, start in order]}
            return [each.heading for each in suggest_follow_ups(database, "local", _store_talk(database, "?", cited))]

        assert suggested(places) == ["Ice in winter", "Their depth"]
        assert suggested(places[::-1]) == ["Leurs poissons"]
    finally:
        services.close()


def test_most_are_of_the_document_that_is_cited_first(tmp_path: Path) -> None:
    mills = "# Mills\n\n## Their owners\n\nMillers.\n\n## Their wheels\n\nOak.\n\n## Their end\n\nFire.\n"
    services = open_test_services(tmp_path, texts={"lakes.md": LAKES, "mills.md": mills})
    database = services.library.database
    try:
        with database.reading() as connection:
            ids = {each.name: each.id for each in documents.find(connection, "local")}
        places = [("lakes.md", LAKES.index("Many")), ("mills.md", mills.index("Millers"))]

        def suggested(order: list[tuple[str, int]]) -> list[str | None]:
            cited = {"citations": [{"document": ids[name], "start": start} for name, start in order]}
            return [each.heading for each in suggest_follow_ups(database, "local", _store_talk(database, "?", cited))]

        assert suggested(places) == ["Ice in winter", "Their depth", "Their wheels"]
        assert suggested(places[::-1]) == ["Their wheels", "Their end", "Ice in winter"]
    finally:
        services.close()


def test_a_table_near_the_citation_gives_a_question_unless_it_was_asked(tmp_path: Path) -> None:
    catch = "## Catch\n\n| Lake | Trout caught |\n|---|---|\n| Bergvatn | 17 |\n\n"
    text = LAKES.replace("## Ice in winter", f"{catch}## Ice in winter")
    services = open_test_services(tmp_path, texts={"lakes.md": text})
    database = services.library.database
    try:
        with database.reading() as connection:
            (lakes,) = documents.find(connection, "local")
        cited = {"citations": [{"document": lakes.id, "start": text.index("Many")}]}

        def suggested(question: str) -> list[str | None]:
            return [
                each.heading for each in suggest_follow_ups(database, "local", _store_talk(database, question, cited))
            ]

        assert suggested("What lives there?") == ["Catch", "What is “Trout caught” for “Bergvatn”?", "Their depth"]
        assert suggested("How many trout were caught in Bergvatn?") == ["Catch", "Their depth", "Ice in winter"]
    finally:
        services.close()


def test_what_an_earlier_answer_spoke_of_is_not_suggested_again(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, texts={"lakes.md": LAKES})
    database = services.library.database
    try:
        with database.reading() as connection:
            (lakes,) = documents.find(connection, "local")
        talk = _store_talk(database, "Is it cold?", _cite(lakes.id, "None"))
        with database.writing() as connection:
            _add_turn(connection, talk, 2, "What lives there?", _cite(lakes.id, "Many"))
        assert [each.heading for each in suggest_follow_ups(database, "local", talk)] == ["Their depth"]
    finally:
        services.close()


def _cite(document: str, words: str) -> dict[str, Any]:
    return {"citations": [{"document": document, "start": LAKES.index(words)}]}


def _store_talk(database: Any, question: str, answer: dict[str, Any] | None) -> str:
    id = uuid.uuid4().hex
    with database.writing() as connection:
        conversations.create(connection, "local", question, id)
        _add_turn(connection, id, 0, question, answer)
    return id


def _add_turn(connection: Any, id: str, position: int, question: str, answer: dict[str, Any] | None) -> None:
    now = time.time()
    usual: dict[str, Any] = {"conversation": id, "owner": "local", "state": "done", "created": now, "updated": now}
    asked = StoredMessage(id=uuid.uuid4().hex, position=position, role="user", content=question, **usual)
    told = StoredMessage(
        id=uuid.uuid4().hex, position=position + 1, role="assistant", content="It is.", answer=answer, **usual
    )
    messages.add(connection, [asked, told])
