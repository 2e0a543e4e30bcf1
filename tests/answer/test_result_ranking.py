"""Results of a search engine are ranked by how near they are to the question, and no site takes all first places."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.answer.result_ranking import find_site, rank_results
from pincite.web.search_engine import SearchResult
from tests.answer.extractive.shelves import Broken


def result(url: str, title: str = "", snippet: str = "") -> SearchResult:
    return SearchResult(url, title, snippet, "test", 1.0)


class Lakes:
    """An embedder to which a text is about lakes, or about something else."""

    name, dimension = "lakes", 2

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1.0, 0.0] if "lac" in text or "lake" in text else [0.0, 1.0] for text in texts], np.float32)

    passages = queries


BREAD = result("https://bread.example/1", "Bread and salt")
LAKE = result("https://lake.example/1", "The lake of Corvel", "Forty metres deep.")


@pytest.mark.parametrize("embedder", [None, Broken(), Lakes()])
def test_results_near_to_the_question_come_before_the_first_of_the_engine(embedder: object) -> None:
    order = rank_results("How deep is the lake of Corvel?", [BREAD, LAKE], embedder)  # type: ignore[arg-type]
    assert order == [LAKE, BREAD]


def test_meaning_finds_what_shares_no_word() -> None:
    assert rank_results("Quelle profondeur a le lac ?", [BREAD, LAKE], Lakes()) == [LAKE, BREAD]


def test_among_equals_the_engine_is_believed() -> None:
    same = [result(f"https://{name}.example/", "The lake of Corvel") for name in "abcdef"]
    assert rank_results("the lake of Corvel", same, None) == same


def test_a_result_far_down_the_list_is_found_by_its_words() -> None:
    others = [result(f"https://{n}.example/", f"Bread number {n}") for n in range(30)]
    assert rank_results("How deep is the lake of Corvel?", [*others, LAKE], Lakes())[0] == LAKE


def test_one_site_does_not_fill_the_first_places() -> None:
    many = [result(f"https://www.many.example/{n}", "The lake of Corvel") for n in range(5)]
    other = result("https://other.example/", "A lake")
    assert rank_results("the lake of Corvel", [*many, other], None)[:3] == [*many[:2], other]


def test_a_site_is_known_with_its_port_and_without_its_www() -> None:
    assert find_site("https://www.example.org/a") == find_site("http://example.org/b") == "example.org"
    assert find_site("http://127.0.0.1:8080/") == "127.0.0.1:8080"
    assert find_site("no address") == "no address"


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=30), st.text(max_size=30))
def test_nothing_is_lost_and_nothing_is_added(said: list[tuple[str, str]], query: str) -> None:
    results = [result(f"https://{n % 4}.example/{n}", *words) for n, words in enumerate(said)]
    order = rank_results(query, results, None)
    assert Counter(each.url for each in order) == Counter(each.url for each in results)
