"""The first passages of a search come from several documents where several match."""

from pincite.search.document_mix import mix_documents
from pincite.types import Hit, Span


def mixed(documents: str) -> str:
    hits = [Hit(Span(each, n, n + 1), "", "text", "x", 1.0 - n / 100) for n, each in enumerate(documents)]
    return "".join(hit.span.document for hit in mix_documents(hits))


def test_one_document_has_at_most_two_of_the_first_five_passages() -> None:
    assert mixed("aaaabcad") == "aabcdaaa"
    assert mixed("abababc") == "ababcab"


def test_a_document_without_rivals_keeps_all_places() -> None:
    assert mixed("aaaaaa") == "aaaaaa"
    assert mixed("aaaab") == "aabaa"


def test_the_best_passage_stays_the_first_and_none_is_lost() -> None:
    assert mixed("baac") == "baac"
    assert mixed("") == ""
