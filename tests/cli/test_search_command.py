import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from pincite.cli import options
from pincite.cli.search_command import find_stems, mark_words
from pincite.store import documents
from tests.cli.conftest import Ran
from tests.thorough import mark_slow


def test_hits_are_spans_of_the_documents_text(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    ran = pincite("search", "when does the lease end", "--json")
    assert ran.status == 0
    first = ran.json[0]
    assert {"document", "title", "page", "start", "end", "score", "text"} <= set(first)
    assert (first["title"], first["page"]) == ("The lease", None)
    assert first["end"] - first["start"] == len(first["text"])
    assert "ends after three years" in first["text"]


def test_a_misspelt_word_is_read_as_the_nearest_and_said_beside_the_results(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    pincite("add", folder)
    ran = pincite("search", "when does the laese tremnate after three yeers", "--json")
    assert ran.status == 0
    assert "ends after three years" in ran.json[0]["text"]
    assert "Read “laese” as “lease”." in ran.said
    assert "Read “" not in ran.out
    assert "Read “" not in pincite("search", "when does the lease end", "--json").said


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (["--language", "fr"], ["bail"]),
        mark_slow(["--kind", "markdown"], ["The lease"]),
        (["--kind", "markdown", "--kind", "text"], ["The lease", "bail"]),
        mark_slow(["--library", "default"], ["The lease", "bail"]),
        mark_slow(["-k", "1"], ["bail"]),
        mark_slow(["--language", "FR"], ["bail"]),
        (["--since", "2020-01-01"], []),
    ],
)
def test_filters_narrow_the_search(
    pincite: Callable[..., Ran], folder: Path, filters: list[str], names: list[str]
) -> None:
    (folder / "lease.md").write_text("# The lease\n\nThe lease or bail ends after three years. A bail is a lease.\n")
    pincite("add", folder)
    ran = pincite("search", "bail", "--json", *filters)
    assert sorted(hit["title"] for hit in ran.json) == sorted(names)
    assert ran.status == (0 if names else 1)


def test_a_search_in_one_document_takes_the_first_letters_of_its_id(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    for document in pincite("documents", "--json").json:
        hits = pincite("search", "lease bail", "--json", "--document", document["document"][:8]).json
        assert {hit["document"] for hit in hits} == {document["document"]}


def test_a_search_and_a_question_in_a_tag_use_its_documents_alone(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    lease, _ = sorted(pincite("documents", "--json").json, key=lambda each: each["name"] != "lease.md")
    pincite("documents", "tag", lease["document"], "--add", "signed")
    hits = pincite("search", "lease bail", "--json", "--tag", "signed").json
    assert {hit["document"] for hit in hits} == {lease["document"]}
    assert len({hit["document"] for hit in pincite("search", "lease bail", "--json").json}) == 2
    answer = pincite("ask", "How long is the lease, la durée du bail?", "--tag", "signed", "--json").lines[-1]
    assert {each["document"] for each in answer["citations"]} <= {lease["document"]}
    assert pincite("ask", "How long?", "--tag", "nope").status == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kind", "pfd"], "There is no kind pfd"),
        (["--since", "yesterday"], "yesterday is not a date"),
        (["--document", "nothing"], "There is no document nothing"),
        (["--library", "nope"], "There is no library nope.\nThere are default."),
        (["--tag", "nope"], "No document has the tag nope."),
    ],
)
def test_a_filter_that_means_nothing_is_a_mistake_and_not_an_empty_answer(
    pincite: Callable[..., Ran], folder: Path, arguments: list[str], said: str
) -> None:
    pincite("add", folder)
    ran = pincite("search", "lease", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.said


def test_nothing_found_is_said_and_is_status_one(pincite: Callable[..., Ran], folder: Path) -> None:
    empty = pincite("search", "lease")
    assert (empty.status, empty.out) == (1, "")
    assert "pincite add" in empty.said
    pincite("add", folder)
    ran = pincite("search", "zygomorphic")
    assert (ran.status, ran.out, ran.said) == (1, "", "Nothing was found.\n")
    assert pincite("search", "zygomorphic", "--json").json == []


def test_a_terminal_shows_title_page_and_the_passage_with_its_words_marked(
    pincite: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests import pdfs

    pincite("add", pdfs.simple(tmp_path / "report.pdf", pages=2))
    screen = io.StringIO()
    monkeypatch.setattr(
        options, "make_console", lambda stderr=False: Console(file=screen, force_terminal=True, width=80, markup=False)
    )
    monkeypatch.setenv("TERM", "xterm-256color")
    assert pincite("search", "annual budgets").status == 0
    assert ", p. 1" in screen.getvalue()
    assert "\x1b[1;33mbudget\x1b[0m" in screen.getvalue()
    assert "\x1b[1;33mannual\x1b[0m" in screen.getvalue()


def test_a_pipe_gets_each_passage_on_one_line_and_nothing_is_cut(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    (folder / "lease.md").write_text(
        "# A title that is longer than forty columns are wide\n\n" + "The lease ends. " * 30
    )
    pincite("add", folder)
    lines = pincite("search", "lease", "-k", "1").out.splitlines()
    assert lines[0].startswith("1. A title that is longer than forty columns are wide   ")
    assert lines[-1].strip().endswith("The lease ends.")
    assert lines[-1].count("The lease ends.") == 30
    assert "A title that is longer than forty columns are wide" in pincite("documents").out


def test_a_missing_embedder_is_said_and_words_are_searched(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite("add", folder)
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "local")
    monkeypatch.setenv("PINCITE_EMBEDDING__MODEL", "unheard-of")
    assert len(pincite("search", "lease", "--json").json) == 1


def test_a_document_can_be_found_while_its_vectors_are_made(
    pincite: Callable[..., Ran], folder: Path, tmp_path: Path
) -> None:
    from pincite.jobs import Worker
    from pincite.library import open_library
    from pincite.settings import load_settings

    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "local"}))
    library.add("local", folder / "lease.md")
    worker = Worker(library, lambda: None, readers=1)
    worker.run(report=lambda report: worker.stop() if report.ended else None)
    with library.database.reading() as connection:
        assert [stored.status for stored in documents.find(connection, "local")] == ["searchable"]
    library.close()
    assert len(pincite("search", "lease", "--json").json) == 1


def marks(shown: Text) -> list[str]:
    return [shown.plain[span.start : span.end] for span in shown.spans]


def test_words_are_marked_whatever_their_form_but_not_those_of_every_text() -> None:
    shown = mark_words("Les délais de la procédure\nsont longs.", find_stems("Quel est le délai de procédure ?"))
    assert shown.plain == "Les délais de la procédure sont longs."
    assert marks(shown) == ["délais", "procédure"]


def test_a_long_passage_is_shown_where_most_of_the_question_stands() -> None:
    text = "The lease. " + "filler words " * 100 + "Here the lease ends after renewal. " + "more words " * 100
    shown = mark_words(text, find_stems("when does the lease end after renewal"))
    assert shown.plain.startswith("… ")
    assert shown.plain.endswith(" …")
    assert marks(shown) == ["lease", "ends", "renewal"]
    assert set(shown.plain.split()) <= {*text.split(), "…"}, "a word was cut in two"


def test_a_long_passage_begins_with_a_sentence_where_one_begins_before_the_words() -> None:
    text = (
        "The garden was open all year. " * 40 + "Of the visitors, most came in 2024. " + "The museum was closed. " * 40
    )
    shown = mark_words(text, find_stems("visitors in 2024"))
    assert shown.plain.startswith("… The garden")
    assert "Of the visitors, most came in 2024." in shown.plain


def test_a_long_passage_is_filled_to_its_end_and_has_the_words_it_was_chosen_for() -> None:
    shown = mark_words("and so on " * 120 + ". The height is 33 m.", find_stems("height"))
    assert len(shown.plain) > 500
    middle = "The garden was open to " + "many " * 34 + "visitors. " + "Some came. " * 37 + "The museum was closed. "
    shown = mark_words("We say this. " * 60 + middle + "We say this. " * 60, find_stems("visitors museum"))
    assert marks(shown) == ["visitors", "museum"]


def test_a_sign_of_another_kind_of_document_stays() -> None:
    shown = mark_words("The limit for adults is\n> 5 mg per day.", find_stems("limit"))
    assert shown.plain == "The limit for adults is > 5 mg per day."


def test_a_passage_is_shown_without_the_signs_of_markdown() -> None:
    text = "## Visitors\n\n| Year | Visitors |\n|------|---------:|\n| 2024 | 7,200 |\n\n> Most came by bus."
    shown = mark_words(text, find_stems("visitors"), is_markdown=True)
    assert shown.plain == "Visitors / Year | Visitors / 2024 | 7,200 / Most came by bus."


def test_rows_of_a_table_are_told_apart_and_have_bars_between_their_cells() -> None:
    text = "Prices\nfrom May\n\nEdition\tQueues\tPrice\nFree\t5\t0\nTeam\t\t29\n\nAsk us."
    shown = mark_words(text, find_stems("free price"))
    assert shown.plain == "Prices from May / Edition | Queues | Price / Free | 5 | 0 / Team | | 29 / Ask us."
    assert marks(shown) == ["Prices", "Price", "Free"]
    assert "Price \nFree | 5 | 0 \nTeam" in mark_words(text, set(), row_end=" \n").plain


@given(st.text(max_size=1500), st.sets(st.text(max_size=5), max_size=3))
def test_any_passage_can_be_shown(text: str, wanted: set[str]) -> None:
    shown = mark_words(text, wanted)
    assert all(0 <= span.start < span.end <= len(shown.plain) for span in shown.spans)


def test_a_search_by_meaning_without_a_model_is_a_mistake_that_says_what_to_do(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    pincite("add", folder)
    ran = pincite("search", "lease", "--mode", "dense")
    assert (ran.status, ran.out) == (2, "")
    assert "embedding.provider" in ran.said


def test_a_model_that_cannot_be_had_is_warned_of_once_and_words_are_searched(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite("add", folder)
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "local")
    monkeypatch.setenv("PINCITE_EMBEDDING__MODEL", "unheard-of")
    ran = pincite("search", "lease", "--json")
    assert len(ran.json) == 1
    assert ran.said.startswith("Warning: ")
    assert ran.said.count("Searching by words alone.") == 1


def test_an_empty_question_is_a_mistake(pincite: Callable[..., Ran]) -> None:
    ran = pincite("search", " ")
    assert (ran.status, ran.out) == (2, "")
    assert "The question is empty." in ran.said
