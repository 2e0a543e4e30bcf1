"""Words on PostgreSQL are found as on SQLite, whatever is added, renamed, removed and merged in between."""

import random
import threading

import pytest
from sqlalchemy import text

from pincite.index import Index, word_segments
from pincite.index.postgres_index import PostgresIndex
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import list_question_terms, list_terms
from pincite.store import documents
from pincite.store.database import Connection, Database
from pincite.types import Document, Indexed, Passage
from tests.clock import PATIENCE, wait_until
from tests.thorough import keep_some

WORDS = [
    "whale",
    "sea",
    "boat",
    "harbour",
    "storm",
    "sail",
    "mast",
    "crew",
    "captain",
    "island",
    "port",
    "rope",
    "anchor",
    "tide",
    "deep",
    "wave",
]


class Shelf:
    """Documents on one engine; passages are named by document and ordinal, so that two engines can be compared."""

    def __init__(self, database: Database, index: Index) -> None:
        self.database, self.index = database, index
        self.names: dict[int, tuple[str, int]] = {}
        self.ids: dict[str, str] = {}

    def add(self, name: str, context: str, bodies: list[str]) -> None:
        with self.database.writing() as connection:
            stored, _ = documents.create(connection, "local", name.ljust(64, "0"), name, 1)
            read = Document("text", "x" * len(bodies), name, "en")
            pieces = [Passage(i, i + 1) for i in range(len(bodies))]
            ids = documents.write_content(connection, stored.id, read, pieces)
            self.index.add(connection, stored.id, "en", ids, [Indexed(context, body) for body in bodies])
        self.ids[name] = stored.id
        self.names |= {id: (name, ordinal) for ordinal, id in enumerate(ids)}

    def rename(self, name: str, context: str) -> None:
        terms = " ".join(list_terms(context, "en"))
        with self.database.writing() as connection:
            rows = [
                (terms, id) for id, named in self.names.items() if named[0] == name and self._is_shown(connection, id)
            ]
            self.index.change_context(connection, self.ids[name], rows)

    def remove(self, name: str) -> None:
        with self.database.writing() as connection:
            documents.remove(connection, self.ids.pop(name))

    def find(self, question: str, inside: list[str] | None, k: int) -> list[tuple[tuple[str, int], float]]:
        chosen = None if inside is None else frozenset(self.ids[name] for name in inside if name in self.ids)
        with self.database.reading() as connection:
            found = self.index.lexical(connection, list_question_terms(question, ["en"]), chosen, k)
        return [(self.names[id], score) for id, score in found]

    def _is_shown(self, connection: Connection, id: int) -> bool:
        query = "SELECT count(*) FROM passages p JOIN documents d ON d.generation = p.generation WHERE p.id = :id"
        return bool(connection.scalar(text(query), {"id": id}))


@pytest.mark.parametrize("seed", keep_some(range(4), one_in=4))
def test_both_engines_find_the_same_passages_with_the_same_scores(
    database: Database, postgres: Database, seed: int
) -> None:
    chance = random.Random(seed)
    segmented = PostgresIndex()
    both = Shelf(database, SqliteIndex()), Shelf(postgres, segmented)

    def say(most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(0, most)))

    for number in range(60):
        name = f"d{chance.randrange(12):02}"
        match chance.choice(["add", "add", "rename", "remove", "merge"]):
            case "add":
                context, bodies = say(4), [say(12) for _ in range(chance.randint(1, 5))]
                for shelf in both:
                    shelf.add(name, context, bodies)
            case "rename" if name in both[0].ids:
                context = say(4)
                for shelf in both:
                    shelf.rename(name, context)
            case "remove" if name in both[0].ids:
                for shelf in both:
                    shelf.remove(name)
            case "merge":
                with postgres.writing() as connection:
                    segmented.merge(connection)
        question, k = say(5) or "whale", chance.choice([1, 3, 50])
        inside = chance.choice([None, sorted(both[0].ids)[: chance.randint(0, 6)]])
        one, other = (shelf.find(question, inside, k) for shelf in both)
        assert [named for named, _ in one] == [named for named, _ in other], (seed, number)
        assert [score for _, score in one] == pytest.approx([score for _, score in other], rel=1e-5)


def test_merging_leaves_few_segments_and_forgets_what_was_removed(postgres: Database) -> None:
    index = PostgresIndex()
    shelf = Shelf(postgres, index)
    for number in range(70):
        shelf.add(f"d{number:02}", "title", ["a whale in the sea", "a boat"])
    for number in range(0, 70, 2):
        shelf.remove(f"d{number:02}")
    before = shelf.find("whale boat title", None, 1000)
    is_more = True
    while is_more:
        with postgres.writing() as connection:
            is_more = index.merge(connection)
    assert shelf.find("whale boat title", None, 1000) == before
    assert len(before) == 70
    with postgres.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM word_segments")) < 16
        assert connection.scalar(text("SELECT sum(size) FROM word_segments")) < 100
        assert index.terms(connection, "wha")[0][1] < 50


def test_a_search_that_began_before_a_change_finds_what_was_there_then(postgres: Database) -> None:
    index = PostgresIndex()
    shelf = Shelf(postgres, index)
    shelf.add("d0", "", ["a whale", "a sea"])
    sought = list_question_terms("whale", ["en"])
    with postgres.reading() as earlier:
        assert len(index.lexical(earlier, list_question_terms("sea", ["en"]), None, 10)) == 1
        shelf.add("d1", "", ["a boat", "a whale"])
        assert len(shelf.find("whale", None, 10)) == 2
        found = index.lexical(earlier, sought, None, 10)
    assert [shelf.names[id] for id, _ in found] == [("d0", 0)]


def test_a_title_that_changes_while_segments_are_merged_stays_changed(postgres: Database) -> None:
    index = PostgresIndex()
    shelf = Shelf(postgres, index)
    for number in range(8):
        shelf.add(f"d{number}", "harbour", ["a whale"])
    renaming = threading.Thread(target=shelf.rename, args=("d3", "island"))
    with postgres.writing() as merging:
        assert index.merge(merging)
        renaming.start()
        wait_until(lambda: _is_anybody_waiting(postgres))
    renaming.join(PATIENCE)
    assert ("d3", 0) not in [named for named, _ in shelf.find("harbour", None, 10)]
    assert [named for named, _ in shelf.find("island", None, 10)] == [("d3", 0)]


def _is_anybody_waiting(database: Database) -> bool:
    with database.reading() as connection:
        return bool(connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))


def test_removing_old_changes_never_leads_back_to_a_former_state(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_segments, "_KEPT_CHANGES", 5)
    read = text("SELECT max(id), count(*) FROM index_changes")
    with postgres.writing() as connection:
        for _ in range(12):
            word_segments.note_change(connection)
        last, before = connection.execute(read).one()
        word_segments.merge_segments(connection)
        state = connection.execute(read).one()
        assert state[0] > last
        assert state[1] < before
        word_segments.merge_segments(connection)
        assert connection.execute(read).one() == state  # only many at once


def test_erasing_words_waits_for_a_merge(postgres: Database) -> None:
    index = PostgresIndex()
    shelf = Shelf(postgres, index)
    for number in range(8):
        shelf.add(f"d{number}", "", ["a whale"])
    shelf.remove("d3")
    done: list[bool] = []

    def erase() -> None:
        with postgres.writing() as connection:
            done.append(index.erase_removed_words(connection, 1))

    erasing = threading.Thread(target=erase)
    with postgres.writing() as merging:
        assert index.merge(merging)
        erasing.start()
        wait_until(lambda: _is_anybody_waiting(postgres) or bool(done))
        assert not done
    erasing.join(PATIENCE)
    assert done == [True]
