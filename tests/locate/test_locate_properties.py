"""Any slice of any document is found where it stands, or at an identical twin; so it is after every harmless change."""

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests import leaves
from tests.thorough import scale_examples

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.locate import locate
from pincite.locate.location import Location
from pincite.types import Document

Slice = tuple[Concordance, int, int]  # a document made ready, and from which compared letter to which

SOME = settings(max_examples=scale_examples(80), deadline=None)
HINTS = st.sampled_from(((), (1,), (2,), (3, 1), (0, -7, 10**9)))


@st.composite
def _slices(draw: st.DrawFn, least: int = 8) -> Slice:
    concordance = build_concordance(draw(leaves.documents))
    if len(concordance.own.letters) < least:
        concordance = leaves.plain(" ".join(leaves.WORDS))
    count = len(concordance.own.letters)
    first = draw(st.integers(0, count - least))
    last = draw(st.integers(first + least, min(count, first + 400)))
    # Of a ligature, all its letters or none.
    places = concordance.squeezed.places
    start, end = np.searchsorted(places, (places[first], places[last - 1] + 1)).tolist()
    return concordance, start, end


SLICES = _slices()


def text_of(concordance: Concordance, first: int, last: int) -> str:
    places = concordance.squeezed.places
    return concordance.document.text[places[first] : places[last - 1] + 1]


def cuts_a_number(concordance: Concordance, at: int) -> bool:
    """Is what stands before and behind a place among the letters one number?"""
    if not 0 < at < len(concordance.own.letters):
        return False
    places = concordance.squeezed.places[at - 1 : at + 1]
    text = concordance.document.text[places[0] : places[1] + 1]
    return (
        bool(re.fullmatch("[½¼¾]|.[.,'’\u00a0\u202f]?.", text)) and concordance.own.letters[at - 1 : at + 1].isdigit()
    )


def assert_found(concordance: Concordance, first: int, last: int, found: Location) -> None:
    """At these letters, or where the same letters stand; a short one may be refused because it stands twice."""
    wanted = concordance.own.letters[first:last]
    if cuts_a_number(concordance, first) or cuts_a_number(concordance, last):
        edges = np.searchsorted(concordance.squeezed.places, [edge for span in found.spans for edge in span])
        assert not any(cuts_a_number(concordance, at) for at in edges.tolist())
        return
    if not found.found:
        assert len(wanted) < 20
        assert found.refusal == "repeated"
        assert stands_twice(concordance, wanted)
        return
    lit = leaves.covered(concordance, found.spans)
    if lit == set(range(first, last)):
        return
    twins = (
        set(reading.source[at : at + len(wanted)].tolist())
        for reading in concordance.readings()
        for at in range(len(reading.letters))
        if reading.letters.startswith(wanted, at)
    )
    assert lit in twins


def stands_twice(concordance: Concordance, wanted: str) -> bool:
    """Do these letters stand twice, places that overlap counted too?"""
    return any(
        reading.letters.find(wanted, reading.letters.find(wanted) + 1) >= 0 for reading in concordance.readings()
    )


@settings(max_examples=scale_examples(150), deadline=None)
@given(SLICES, HINTS, st.sampled_from(("", " ", "\n\t")))
def test_every_slice_of_every_document_is_found(given: Slice, pages: tuple[int, ...], around: str) -> None:
    assert_found(*given, locate(given[0], around + text_of(*given) + around, pages))


@SOME
@given(_slices(20), st.data())
def test_a_slice_of_twenty_letters_is_found_exactly_with_the_marks_at_its_ends(
    given: Slice, data: st.DataObject
) -> None:
    concordance, first, last = given
    assume(not cuts_a_number(concordance, first))
    assume(not cuts_a_number(concordance, last))
    text, places = concordance.document.text, concordance.squeezed.places.tolist()
    start = data.draw(st.integers(places[first - 1] + 1 if first else 0, places[first]))
    end = data.draw(st.integers(places[last - 1] + 1, places[last] if last < len(places) else len(text)))
    said = text[start:end]
    found = locate(concordance, said)
    assert found.how == "exact"
    assert leaves.lit(concordance, found) == [said.strip()]


def _every(pattern: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, new, text)


def _form(form: "unicodedata._NormalizationForm") -> Callable[[str], str]:
    return lambda text: unicodedata.normalize(form, text)


def _quotes(text: str) -> str:
    return text.translate(str.maketrans("“”'-–\"", '"»’—\u2011„'))


def _emphasis(text: str) -> str:
    return "## **" + text.replace(" ", "** _", 1).replace("\n", "_\n> - `", 1) + "`"


CHANGES: dict[str, Callable[[str], str]] = {
    "single spaces": _every(r"\s+", " "),
    "other white space": _every(r"\s+", " \u2003\n\n\t"),
    "words broken at lines' ends": _every(r"([a-z]{2})([a-z]{2})", r"\1-\n\2"),
    "words broken softly": _every(r"([a-z]{2})([a-z]{2})", "\\1\u00ad\\2"),
    "ligatures": lambda text: text.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("ff", "ﬀ").replace("oe", "œ"),
    "no ligatures": lambda text: text.replace("ﬁ", "fi").replace("ﬃ", "ffi").replace("œ", "oe").replace("ﬀ", "ff"),
    "NFC": _form("NFC"),
    "NFD": _form("NFD"),
    "NFKC": _form("NFKC"),
    "quotes and dashes": _quotes,
    "emphasis, headings, lists": _emphasis,
    "a list": lambda text: "\n".join("* " + line for line in text.splitlines()),
    "links": _every(r"\b([a-z]{5,})\b", r"[\1](https://example.org/a_(b)?q=1)"),
    "tags": _every(r"\b([a-z]{5,})\b", r"<p class='x'>\1</p><br/>"),
    "table bars": lambda text: "| " + text.replace("\t", " | ").replace("\n", " |\n|---|:-:|\n| ") + " |",
    "upper case": str.upper,
    "lower case": str.lower,
}


@pytest.mark.parametrize("change", CHANGES)
@settings(max_examples=scale_examples(40), deadline=None)
@given(SLICES, HINTS)
def test_every_slice_is_found_after_a_harmless_change(change: str, given: Slice, pages: tuple[int, ...]) -> None:
    plain = text_of(*given)
    said = CHANGES[change](plain)
    # Wild texts have letters without the other case, brackets that make no link, and the like.
    assume(change in ("links", "tags") or leaves.letters(said) == leaves.letters(plain))
    assume(change not in ("links", "tags") or not re.search(r"[\[\]<>!(]", plain))
    assert_found(*given, locate(given[0], said, pages))


SENTENCES = (
    "The committee met in the spring and agreed upon the annual budget without a vote.",
    "Members who had been absent were told of the decision by letter within the week.",
    "Revenue from harbour fees increased, while the cost of dredging remained the same.",
    "A proposal to widen the northern bridge was put off until engineers have reported.",
    "Several residents complained that lamps along the promenade were left burning all day.",
    "The treasurer explained how reserves are kept and why interest has been falling lately.",
)


@st.composite
def _minutes(draw: st.DrawFn) -> Concordance:
    """A document of all the sentences, in some order, on as many pages as may be."""
    said = draw(st.permutations(SENTENCES))
    cut = draw(st.integers(1, 5))
    return draw(
        st.sampled_from(
            (
                leaves.plain(" ".join(said)),
                leaves.plain("\n\n".join(said)),
                leaves.ready("\n".join(said[:cut]), "\n".join(said[cut:])),
                leaves.ready(*said),
            )
        )
    )


@SOME
@given(_minutes(), st.data(), st.sampled_from((" … ", " [...] ", "...", " (…) ", "\n. . .\n")), HINTS)
def test_an_ellipsis_stands_for_any_words_between_two_pieces(
    concordance: Concordance, data: st.DataObject, dots: str, pages: tuple[int, ...]
) -> None:
    count = len(concordance.own.letters)
    cuts = sorted(data.draw(st.lists(st.integers(0, count), min_size=4, max_size=4, unique=True)))
    assume(min(cuts[1] - cuts[0], cuts[3] - cuts[2]) >= 20)
    left, right = (text_of(concordance, a, b) for a, b in (cuts[:2], cuts[2:]))
    found = locate(concordance, left + dots + right, pages)
    assert leaves.covered(concordance, found.spans) == {*range(*cuts[:2]), *range(*cuts[2:])}


@SOME
@given(_minutes(), st.sampled_from(SENTENCES), st.data())
@example(leaves.plain(" ".join(SENTENCES)), SENTENCES[0], None)
def test_a_passage_with_some_letters_changed_is_found_whole_and_little_else(
    concordance: Concordance, sentence: str, data: st.DataObject | None
) -> None:
    long = [match.span() for match in re.finditer(r"[a-z]{6,}", sentence)]
    words = data.draw(st.lists(st.sampled_from(long), max_size=4, unique=True)) if data else long[:3]
    said = list(sentence)
    for start, end in words:
        at = data.draw(st.integers(start + 1, end - 2)) if data else start + 1
        said[at] = data.draw(st.sampled_from(("q", "", "xx"))) if data else "q"
    found = locate(concordance, "".join(said))
    start = concordance.document.text.index(sentence)
    wanted = leaves.covered(concordance, [(start, start + len(sentence))])
    lit = leaves.covered(concordance, found.spans)
    assert len(lit & wanted) >= 0.9 * len(wanted)
    assert len(lit - wanted) <= 0.05 * len(wanted)


@SOME
@given(_minutes(), st.sampled_from(SENTENCES), st.data())
def test_the_words_of_a_sentence_in_any_other_order_are_not_found(
    concordance: Concordance, sentence: str, data: st.DataObject
) -> None:
    words = sentence.split()
    shuffled = data.draw(st.permutations(words))
    kept = sum(1 for pair in pairwise(shuffled) if " ".join(pair) in sentence)
    assume(kept <= 2)
    assert not locate(concordance, " ".join(shuffled)).found


ODD = st.one_of(
    st.text(max_size=300),
    st.text(st.sampled_from("[]()<>|-*_`#.… \n\t1a,\u00ad😀\0\ud800½é'\u0301"), max_size=300),
    st.lists(st.sampled_from((*leaves.WORDS, *leaves.NUMBERS, "…", "[...]")), max_size=60).map(" ".join),
)


@settings(max_examples=scale_examples(150), deadline=None)
@given(leaves.documents, ODD, HINTS)
def test_no_passage_whatever_is_too_odd_to_be_answered(document: Document, asked: str, pages: tuple[int, ...]) -> None:
    found = locate(build_concordance(document), asked, pages)
    size = len(document.text)
    assert found.found == (found.how is not None) == (found.refusal is None)
    assert 0 <= found.score <= 1
    spans = [*found.spans, *found.nearest, *(span for block in found.blocks for span in block.spans)]
    assert all(0 <= start < end <= size for start, end in spans)
    assert list(found.spans) == sorted(found.spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(found.spans))
