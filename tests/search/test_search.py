import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx2
import numpy as np
import pytest

from pincite.embedding.endpoint import EndpointEmbedder
from pincite.errors import EmbeddingError, RerankError
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.vector_matrix import Vector
from pincite.search.reranker import Reranker
from pincite.search.search import Mode, PassageSearch
from pincite.settings import RerankSettings, Settings, load_settings
from pincite.store import documents
from pincite.store.database import Database, open_database
from pincite.types import Document, Indexed, Passage, Scope

PASSAGES = [
    "The blue whale is the largest animal.",
    "Ships were built of oak in Brest.",
    "A sailor counts the stars at night.",
    "Whales sing under water.",
]


class Embedder:
    """Meaning by hand: what is about animals points one way, all else another."""

    name = "by-hand"

    def __init__(self) -> None:
        self.broken = False

    def queries(self, texts: Sequence[str]) -> Vector:
        if self.broken:
            raise EmbeddingError("The embedder is away.", "Wake it.")
        return np.array([_meaning(text) for text in texts], np.float32)


def _meaning(text: str) -> tuple[float, float]:
    return (1.0, 0.0) if "animal" in text or "whale" in text.lower() or "mammal" in text else (0.0, 1.0)


class Reversed(Reranker):
    """Puts the last first, or fails."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__(RerankSettings(url="http://unused.test"))
        self.fails = fails
        self.asked: list[int] = []

    def rerank(self, question: str, texts: Sequence[str]) -> list[tuple[int, float]]:
        self.asked.append(len(texts))
        if self.fails:
            raise RerankError("The reranker is away.", "Wake it.")
        return [(place, float(place)) for place in reversed(range(len(texts)))]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    made = open_database(settings)
    yield made
    made.close()


@pytest.fixture
def index(database: Database) -> SqliteIndex:
    made = SqliteIndex()
    _add(database, made, "a", PASSAGES)
    return made


def _add(
    database: Database,
    index: SqliteIndex,
    name: str,
    pieces: Sequence[str],
    model: str = "by-hand",
    language: str = "en",
    vectors: Sequence[Sequence[float]] = (),
) -> None:
    text = "\n".join(pieces)
    starts = [text.index(piece) for piece in pieces]
    spans = [Passage(start, start + len(piece), ("Sea",), 3, 4) for start, piece in zip(starts, pieces, strict=True)]
    with database.writing() as connection:
        stored, _ = documents.create(connection, "local", name.ljust(64, "0"), name, 1)
        ids = documents.write_content(connection, stored.id, Document("pdf", text, name, language), spans)
        index.add(connection, stored.id, language, ids, [Indexed("", piece) for piece in pieces])
        rows = np.array(vectors or [_meaning(piece) for piece in pieces], np.float32)
        index.add_vectors(connection, stored.id, model, ids, rows)


def test_a_hit_is_the_passage_with_its_own_text_and_place(
    database: Database, index: SqliteIndex, settings: Settings
) -> None:
    (hit,) = PassageSearch(database, index, Embedder(), settings).search("largest blue animal", Scope(), k=1)
    assert hit.text == PASSAGES[0]
    assert (hit.span.start, hit.span.end) == (0, len(PASSAGES[0]))
    assert (hit.title, hit.kind, hit.page, hit.last_page, hit.headings) == ("a", "pdf", 3, 4, ("Sea",))
    assert hit.lexical > 0
    assert hit.dense == 1.0


def test_words_and_meaning_both_find(database: Database, index: SqliteIndex, settings: Settings) -> None:
    search = PassageSearch(database, index, Embedder(), settings)

    def found(question: str, mode: Mode, k: int = 2) -> set[str]:
        return {hit.text for hit in search.search(question, Scope(), k=k, mode=mode)}

    assert found("mammals of oak", "lexical") == {PASSAGES[1]}
    assert found("mammals of oak", "dense") == {PASSAGES[0], PASSAGES[3]}
    assert found("mammals of oak", "hybrid", k=3) == {PASSAGES[0], PASSAGES[1], PASSAGES[3]}


def test_scores_fall_from_first_to_last(database: Database, index: SqliteIndex, settings: Settings) -> None:
    scores = [
        hit.score for hit in PassageSearch(database, index, Embedder(), settings).search("whales at night", Scope())
    ]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "dense"])
@pytest.mark.parametrize("question", ["", "  \n", "the of and", "?", "\0", "zzz" * 5000, '"NEAR(* OR" -x'])
def test_no_question_breaks_the_search(
    database: Database, index: SqliteIndex, settings: Settings, question: str, mode: Mode
) -> None:
    hits = PassageSearch(database, index, Embedder(), settings).search(question, Scope(), k=3, mode=mode)
    assert len(hits) <= 3


def test_an_empty_store_has_no_hits(database: Database, settings: Settings) -> None:
    assert PassageSearch(database, SqliteIndex(), Embedder(), settings).search("anything", Scope()) == []


def test_a_search_looks_only_where_it_may(database: Database, index: SqliteIndex, settings: Settings) -> None:
    _add(database, index, "b", ["Whales of the north."])
    search = PassageSearch(database, index, Embedder(), settings)
    with database.reading() as connection:
        (_, second) = documents.find(connection, "local", order="name")
    assert {hit.title for hit in search.search("whales", Scope(documents=(second.id,)))} == {"b"}
    assert search.search("whales", Scope(owner="someone")) == []


def test_ranking_goes_as_deep_as_evaluation_asks(database: Database, index: SqliteIndex, settings: Settings) -> None:
    _add(database, index, "many", [f"Whale number {i}." for i in range(250)])
    ranking = PassageSearch(database, index, Embedder(), settings).rank("whale", Scope(), limit=240)
    assert len(ranking) == len({id for id, _ in ranking}) == 240


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_without_an_embedder_words_go_on(
    database: Database, index: SqliteIndex, settings: Settings, mode: Mode
) -> None:
    hits = PassageSearch(database, index, None, settings).search("oak ships", Scope(), mode=mode)
    assert [hit.text for hit in hits] == [PASSAGES[1]]


def test_an_embedder_that_fails_is_said_once_and_words_go_on(
    database: Database, index: SqliteIndex, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = Embedder()
    embedder.broken = True
    search = PassageSearch(database, index, embedder, settings)
    for _ in range(3):
        assert [hit.text for hit in search.search("oak ships", Scope())] == [PASSAGES[1]]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "The embedder is away." in caplog.text


def test_vectors_of_another_model_are_left_out_and_said_once(
    database: Database, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    index = SqliteIndex()
    _add(database, index, "a", PASSAGES, model="an-older-one")
    search = PassageSearch(database, index, Embedder(), settings)
    for _ in range(2):
        assert [hit.text for hit in search.search("oak ships", Scope())] == [PASSAGES[1]]
    assert len(caplog.records) == 1
    assert "pincite reindex" in caplog.text


def test_the_reranker_puts_its_few_first_and_the_rest_follow(
    database: Database, index: SqliteIndex, settings: Settings
) -> None:
    _add(database, index, "many", [f"Whale number {i}." for i in range(30)])
    reranker = Reversed()
    plain = PassageSearch(database, index, Embedder(), settings).search("whale", Scope(), k=25)
    hits = PassageSearch(database, index, Embedder(), settings, reranker).search("whale", Scope(), k=10)
    assert reranker.asked == [20]
    assert [hit.text for hit in hits[:5]] == [hit.text for hit in reversed(plain[15:20])]
    assert [hit.text for hit in hits[5:]] == [hit.text for hit in plain[:5]]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_model_is_given_what_the_reranker_chose_and_nothing_that_it_left_out(
    database: Database, index: SqliteIndex, settings: Settings
) -> None:
    _add(database, index, "many", [f"Whale number {i}." for i in range(30)])
    plain = PassageSearch(database, index, Embedder(), settings).search("whale", Scope(), k=20)
    chosen = [hit.text for hit in reversed(plain[15:])]
    reranker = Reversed()
    reranking = PassageSearch(database, index, Embedder(), settings, reranker)
    assert [hit.text for hit in reranking.select("whale", Scope(), limit=8)] == chosen
    assert [hit.text for hit in reranking.select("whale", Scope(), limit=2)] == chosen, (
        "its number is that of rerank.return_k"
    )
    assert reranker.asked == [20, 20]
    fewer = load_settings(data=settings.data, rerank={"top_k": 10, "return_k": 2})
    given = PassageSearch(database, index, Embedder(), fewer, Reversed()).select("whale", Scope())
    assert [hit.text for hit in given] == [hit.text for hit in reversed(plain[8:10])]


@pytest.mark.parametrize("reranker", [None, "fails"])
def test_a_model_is_given_the_first_passages_without_a_reranker_or_when_it_fails(
    database: Database, index: SqliteIndex, settings: Settings, reranker: str | None
) -> None:
    _add(database, index, "many", [f"Whale number {i}." for i in range(30)])
    plain = PassageSearch(database, index, Embedder(), settings).search("whale", Scope(), k=20)
    search = PassageSearch(database, index, Embedder(), settings, Reversed(fails=True) if reranker else None)
    assert search.select("whale", Scope()) == plain[:5]
    assert search.select("whale", Scope(), limit=3) == plain[:3]


def test_a_reranker_that_fails_leaves_the_order_and_is_said_once(
    database: Database, index: SqliteIndex, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    plain = PassageSearch(database, index, Embedder(), settings).search("whale", Scope())
    search = PassageSearch(database, index, Embedder(), settings, Reversed(fails=True))
    assert [search.search("whale", Scope()) for _ in range(2)] == [plain, plain]
    assert len(caplog.records) == 1


class Near:
    """Has the name of the built-in model, and a question of every cosine with the only passage."""

    name = "multilingual-e5-small"

    def __init__(self, cosine: float) -> None:
        self.cosine = cosine

    def queries(self, texts: Sequence[str]) -> Vector:
        return np.array([[self.cosine, (1 - self.cosine**2) ** 0.5] for _ in texts], np.float32)


@pytest.fixture
def one(database: Database) -> SqliteIndex:
    """A library with one passage, whose vector points along the first axis."""
    made = SqliteIndex()
    _add(database, made, "a", PASSAGES[:1], model=Near.name)
    return made


@pytest.mark.parametrize("question", ["xyzzy", "qwrt plugh", "the of"])
def test_a_question_alien_to_all_documents_finds_nothing(
    database: Database, one: SqliteIndex, settings: Settings, question: str
) -> None:
    assert PassageSearch(database, one, Near(0.81), settings).search(question, Scope()) == []


def test_other_words_for_the_same_thing_find_it(database: Database, one: SqliteIndex, settings: Settings) -> None:
    (hit,) = PassageSearch(database, one, Near(0.87), settings).search("biggest marine mammal", Scope())
    assert hit.dense == pytest.approx(0.87, abs=0.001)
    assert hit.lexical == 0.0


def test_a_word_that_matches_is_enough(database: Database, one: SqliteIndex, settings: Settings) -> None:
    assert len(PassageSearch(database, one, Near(0.75), settings).search("whales of Kubernetes", Scope())) == 1


def test_the_least_similarity_can_be_set_and_is_not_assumed_of_other_models(
    database: Database, one: SqliteIndex, settings: Settings
) -> None:
    strict = load_settings(data=settings.data, search={"least_similarity": 0.95})
    assert PassageSearch(database, one, Near(0.9), strict).search("xyzzy", Scope()) == []
    other = SqliteIndex()
    _add(database, other, "b", PASSAGES)
    assert PassageSearch(database, other, Embedder(), settings).search("xyzzy", Scope())


def test_a_search_by_meaning_alone_scores_by_the_cosine(
    database: Database, one: SqliteIndex, settings: Settings
) -> None:
    (hit,) = PassageSearch(database, one, Near(0.81), settings).search("xyzzy", Scope(), mode="dense")
    assert hit.score == pytest.approx(0.81, abs=0.001)


class Between:
    """Has the name of a model, and a question along the first axis."""

    def __init__(self, name: str = Near.name) -> None:
        self.name = name

    def queries(self, texts: Sequence[str]) -> Vector:
        return np.array([[1.0, 0.0] for _ in texts], np.float32)


@pytest.fixture(params=[Near.name, "another"])
def bilingual(database: Database, request: pytest.FixtureRequest) -> tuple[SqliteIndex, Between]:
    """A French passage with the cosine .86 and an English one with .85, of the built-in model or another."""
    made = SqliteIndex()
    for name, piece, language, cosine in (
        ("a", "Les moulins de la vallée.", "fr", 0.86),
        ("b", "The mills of the valley.", "en", 0.85),
    ):
        _add(database, made, name, [piece], request.param, language, [(cosine, (1 - cosine**2) ** 0.5)])
    return made, Between(request.param)


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_a_passage_in_another_language_is_not_behind_for_its_language(
    database: Database, bilingual: tuple[SqliteIndex, Between], settings: Settings, mode: Mode
) -> None:
    index, embedder = bilingual
    search = PassageSearch(database, index, embedder, settings)

    def first(question: str) -> str:
        return search.search(question, Scope(), mode=mode)[0].text

    expected = "The mills of the valley." if embedder.name == Near.name else "Les moulins de la vallée."
    assert first("Où se trouve la meunerie ?") == expected
    assert first("Where does one grind grain?") == "Les moulins de la vallée."
    assert first("xyzzy") == "Les moulins de la vallée."  # a question in no known language


def test_the_cosines_of_the_nearest_passages_are_corrected_too(
    database: Database, bilingual: tuple[SqliteIndex, Between], settings: Settings
) -> None:
    index, embedder = bilingual
    nearest = PassageSearch(database, index, embedder, settings).list_cosines("Où est la meunerie ?", Scope(), 10)
    expected = [0.88, 0.86] if embedder.name == Near.name else [0.86, 0.85]
    assert nearest == pytest.approx(expected, abs=0.001)


def test_the_least_similarity_is_one_for_all_languages(
    database: Database, one: SqliteIndex, settings: Settings
) -> None:
    search = PassageSearch(database, one, Near(0.82), settings)
    assert search.search("Où est le plus grand mammifère ?", Scope())[0].dense == pytest.approx(0.85, abs=0.001)
    assert search.search("Where is the hugest mammifère of them?", Scope()) == []


# Directions and lengths as a server gives them: the first passage points where the question does, the second is long.
RAW = {"near": [1.0, 0.5], "long": [30.0, 30.0], "something else": [2.0, 1.0]}


def _serve(request: httpx2.Request) -> httpx2.Response:
    texts = json.loads(request.content)["inputs"]
    return httpx2.Response(200, json=[RAW[text] for text in texts])


@pytest.mark.parametrize(("similarity", "first"), [("cosine", "near"), ("dot", "long")])
@pytest.mark.parametrize("mode", ["dense", "hybrid"])
def test_the_similarity_that_is_set_decides_which_passage_is_nearest(
    database: Database, tmp_path: Path, similarity: str, first: str, mode: Mode
) -> None:
    server = {"provider": "tei", "url": "http://embedder.test", "model": "any", "similarity": similarity}
    index, settings = SqliteIndex(), load_settings(data=tmp_path, embedding=server)
    embedder = EndpointEmbedder(settings.embedding, httpx2.MockTransport(_serve))
    texts = ["near", "long"]
    with database.writing() as connection:
        known, _ = documents.create(connection, "local", "w".ljust(64, "0"), "w", 1)
        read = Document("text", "near\nlong", "w", "en")
        ids = documents.write_content(connection, known.id, read, [Passage(0, 4), Passage(5, 9)])
        index.add(connection, known.id, "en", ids, [Indexed("", text) for text in texts])
        index.add_vectors(connection, known.id, embedder.name, ids, embedder.passages(texts))
    hits = PassageSearch(database, index, embedder, settings).search("something else", Scope(), mode=mode)
    assert [hit.text for hit in hits] == [first, *(text for text in texts if text != first)]
    assert all(0 <= hit.score <= 1 for hit in hits)


def test_a_weight_that_is_set_is_kept_whatever_the_question(
    database: Database, index: SqliteIndex, settings: Settings
) -> None:
    by_words = load_settings(data=settings.data, search={"dense_weight": 0})
    by_meaning = load_settings(data=settings.data, search={"dense_weight": 1})
    question = "mammals of oak"
    assert PassageSearch(database, index, Embedder(), by_words).search(question, Scope())[0].text == PASSAGES[1]
    assert PassageSearch(database, index, Embedder(), by_meaning).search(question, Scope())[0].text in (
        PASSAGES[0],
        PASSAGES[3],
    )


def test_an_empty_weight_follows_the_question(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_SEARCH__DENSE_WEIGHT", "")
    assert load_settings(data=settings.data).search.dense_weight is None


def test_a_few_words_find_the_passage_that_has_them_together(database: Database, settings: Settings) -> None:
    index = SqliteIndex()
    others = [f"A mammal, number {number}, was seen from the boat." for number in range(20)]
    kept = "The keeper of the mammal house counts stars."
    _add(database, index, "a", [*others, kept], vectors=[*[(1.0, 0.0)] * 20, (0.0, 1.0)])
    search = PassageSearch(database, index, Embedder(), settings)
    assert search.search("mammal keeper", Scope(), k=1)[0].text == kept
    assert search.search("the keeper", Scope(), k=1)[0].text == kept
    # More words, and words that no passage has together, are a question: meaning counts as usual.
    assert search.search("Was a mammal seen by the keeper or from a boat?", Scope(), k=1)[0].text != kept
    assert search.search("mammal keepsake", Scope(), k=1)[0].text != kept
