"""Explain in sentences why a passage was found only in part, or not at all. Each sentence rests on a counted fact."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from pincite.locate.concordance import Concordance
from pincite.locate.differences import (
    Difference,
    compare_words,
    find_other_numbers,
    list_block_excerpts,
    make_word_key,
    split_words,
)
from pincite.locate.locate import SHORT
from pincite.locate.location import LocatedBlock, Location
from pincite.locate.page_lines import list_span_pages, make_excerpt, name_pages, take_first_words
from pincite.locate.quotation import strip_passage_markup
from pincite.locate.repeats import find_repeats
from pincite.locate.result import MATCHED
from pincite.text.squeeze import squeeze
from pincite.types import Document

_RATE = 0.8  # share of matched blocks below which the unmatched ones are listed
_BLOCKS_TOLD = 5
_DIFFERENCES_TOLD = 3
_RUNS_NAMED = 8  # of pages that follow each other
_LONG = 5  # letters of a word that is specific enough to search for
_LONG_WORDS = 60


def diagnose(concordance: Concordance, text: str, location: Location, pages: Collection[int] = ()) -> list[str]:
    """Return what is unusual about a location, in sentences to act on; none when all is well."""
    document = concordance.document
    said = list(_check_page_hints(document, location, pages))
    if location.found:
        said += _report_unmatched(document, location)
        said += _report_overreach(concordance, text, location)
        said += _report_changes(document, location)
        said += _report_other_places(concordance, text, location)
    elif location.refusal == "empty":
        said.append("The passage has no letters or digits, so there is nothing to look for.")
    elif location.refusal in ("short", "repeated"):
        said += _report_repeats(concordance, text, pages)
    elif location.refusal == "numbers":
        said += _report_other_numbers(document, text, location)
    elif location.refusal == "different":
        said += _report_nearest_place(document, text, location)
    else:
        said += _report_absence(concordance, text)
    return said


def _check_page_hints(document: Document, location: Location, pages: Collection[int]) -> Iterator[str]:
    there = {page.number for page in document.pages}
    if pages and not there:
        yield f"You asked for {_name_first_pages(pages)}; this document has no pages."
        return
    if wrong := set(pages) - there:
        yield f"There {'are' if len(wrong) > 1 else 'is'} no {_name_first_pages(wrong)}: the document has {len(there)}."
    asked, found = set(pages) & there, list_span_pages(document, location.spans)
    if asked and found and not asked & set(found):
        yield f"You asked for {_name_first_pages(asked)}; it stands on {name_pages(found)}."


def explain_blocks(document: Document, location: Location) -> list[str]:
    """Return for each block of a passage why it is matched or not, compared with the place found or the nearest one."""
    spans = location.spans or location.nearest
    pages = list_span_pages(document, spans)
    where = f"on {name_pages(pages)}" if pages else "in the document"
    text = "\n".join(document.text[page.start : page.end] for page in document.pages if page.number in pages)
    there = {make_word_key(word) for word in split_words(text or document.text)}
    joined = squeeze(text or document.text).text
    told = []
    for block, stands in zip(location.blocks, list_block_excerpts(document, location), strict=True):
        if block.score >= MATCHED:
            told.append(_describe_likeness(block, stands))
        else:
            told.append(_describe_missing_words(block, there, joined, where))
    return told


def _describe_likeness(block: LocatedBlock, stands: str) -> str:
    if squeeze(block.text).text == squeeze(stands).text:
        return "the same words" if block.text == stands else "the same letters and digits"
    found = compare_words(block.text, stands).differences
    return _describe_differences(found) if found else "the same words, set otherwise"


def _describe_missing_words(block: LocatedBlock, there: set[str], joined: str, where: str) -> str:
    own = split_words(block.text)
    missing = [word for word in own if make_word_key(word) not in there]
    if not missing:
        return f"all its words stand {where}, in another order or further apart"
    if all(make_word_key(word) in joined for word in missing):
        return f"its words are split or joined otherwise {where} ({_quote_words(missing)})"
    return f"{len(missing)} of its {len(own)} words are not {where} ({_quote_words(missing)})"


def _report_unmatched(document: Document, location: Location) -> Iterator[str]:
    failed = [number for number, block in enumerate(location.blocks) if block.score < MATCHED]
    if len(location.blocks) - len(failed) >= _RATE * len(location.blocks):
        return
    why = explain_blocks(document, location)
    for number in failed[:_BLOCKS_TOLD]:
        yield f"Not matched: “{take_first_words(location.blocks[number].text)}”: {why[number]}."
    if len(failed) > _BLOCKS_TOLD:
        yield f"And {len(failed) - _BLOCKS_TOLD} more blocks are not matched."


def _report_overreach(concordance: Concordance, text: str, location: Location) -> Iterator[str]:
    places = concordance.squeezed.places
    lit = sum(int(np.diff(np.searchsorted(places, span))[0]) for span in location.spans)
    asked = len(squeeze(strip_passage_markup(text)).codes)
    if lit > 1.25 * asked + 20:
        yield f"{lit:,} letters and digits are lit for the passage's {asked:,}: more may be marked than was asked for."


def _report_changes(document: Document, location: Location) -> Iterator[str]:
    if location.how != "approximate":
        return
    found: list[Difference] = []
    for block, stands in zip(location.blocks, list_block_excerpts(document, location), strict=True):
        if block.score >= MATCHED:
            found += compare_words(block.text, stands).differences
    if found:
        many = "1 place differs" if len(found) == 1 else f"{len(found)} places differ"
        yield f"{many} from the document: {_describe_differences(found)}."


def _report_other_places(concordance: Concordance, text: str, location: Location) -> Iterator[str]:
    """Yield the other places of a passage that is long enough to be found at its first place."""
    if location.how == "approximate" or len(squeeze(strip_passage_markup(text)).codes) < SHORT:
        return
    document = concordance.document
    found = find_repeats(concordance, text)
    others = [place for place in found.places if not any(start <= place < end for start, end in location.spans)]
    if not others:
        return
    here = list_span_pages(document, location.spans)
    pages = set(list_span_pages(document, [(place, place + 1) for place in others])) - set(here)
    if pages:
        yield f"It also stands on {_name_first_pages(pages)}."
    else:
        many = "many other places" if found.more else f"{len(others)} other places" if others[1:] else "1 other place"
        yield f"It also stands at {many}{' on the same page' if len(here) == 1 else ''}."


def _report_repeats(concordance: Concordance, text: str, pages: Collection[int]) -> Iterator[str]:
    document = concordance.document
    found = find_repeats(concordance, text)
    places = [(place, place + 1) for place in found.places]
    given = [place for place in places if pages and not set(pages).isdisjoint(list_span_pages(document, [place]))]
    if len(given or places) > 1:
        on = list_span_pages(document, given or places)
        advice = "give a page, or more of the words around it" if len(on) > 1 else "give more of the words around it"
        many = ("at least " if given else "more than ") * found.more + f"{len(given or places):,} times"
        first = "the first of them " * found.more
        yield f"It stands {many}{f', {first}on {_name_first_pages(on)}' if on else ''}: {advice}."
    else:
        count = f"It has only {len(squeeze(strip_passage_markup(text)).codes)} letters and digits"
        yield f"{count}: so short a passage must stand in the document exactly, and once."


def _report_other_numbers(document: Document, text: str, location: Location) -> Iterator[str]:
    found = find_other_numbers(text, make_excerpt(document, location.nearest))
    where = _describe_place(document, location.nearest)
    if found:
        yield f"Most of it stands {where}, with other numbers: {_describe_differences(found)}."
    else:
        yield f"Most of it stands {where}, but a number there is not the passage's. Compare the two."


def _report_nearest_place(document: Document, text: str, location: Location) -> Iterator[str]:
    if not location.nearest:
        yield "Nothing in the document is enough like it to be sure."
        return
    found = compare_words(text, make_excerpt(document, location.nearest))
    order = "" if found.differences else ", in another order or far apart"
    alike = f"{100 * found.alike:.0f} % of its words stand there{order}"
    yield f"The most similar place is {_describe_place(document, location.nearest)}: {alike}."
    if found.differences:
        yield f"They differ: {_describe_differences(found.differences)}."


def _report_absence(concordance: Concordance, text: str) -> Iterator[str]:
    document = concordance.document
    long = list(dict.fromkeys(make_word_key(word) for word in split_words(text) if len(make_word_key(word)) >= _LONG))[
        :_LONG_WORDS
    ]
    there = sum(word in concordance.own.letters for word in long)
    empty = [page.number for page in document.pages if not document.text[page.start : page.end].strip()]
    if not document.text.strip():
        yield "The document has no text at all."
    elif long and there == len(long):
        stand = (
            "longer words stand there, but not together" if there > 1 else "longest word stands there, but not the rest"
        )
        yield f"It is not in this document: its {stand}."
    elif long:
        only = f"only {there}" if there else "none"
        yield f"It is not in this document: of its {len(long)} longer words, {only} can be found anywhere."
    else:
        yield "It is not in this document."
    if empty and document.text.strip():
        many = f"{len(empty)} pages have" if len(empty) > 1 else "1 page has"
        yield f"{many} no text here ({name_pages(empty)}): it may stand on a picture that was not read."
    yield from document.problems[:_DIFFERENCES_TOLD]


def _name_first_pages(pages: Collection[int]) -> str:
    """Return page numbers in words; only the first ones when there are many."""
    numbers = sorted(set(pages))
    runs = [i for i, number in enumerate(numbers) if not i or number != numbers[i - 1] + 1]
    if len(runs) <= _RUNS_NAMED:
        return name_pages(numbers)
    shown = runs[_RUNS_NAMED]
    return f"{name_pages(numbers[:shown])}, and {len(numbers) - shown:,} more"


def _describe_place(document: Document, spans: Sequence[tuple[int, int]]) -> str:
    pages = list_span_pages(document, spans)
    return f"on {name_pages(pages)}" if pages else "in the document"


def _describe_differences(found: Sequence[Difference]) -> str:
    told = []
    for each in found[:_DIFFERENCES_TOLD]:
        if each.asked and each.stands:
            asked, stands = take_first_words(each.asked), take_first_words(each.stands)
            told.append(f"the passage has “{asked}” where the document has “{stands}”")
        elif each.asked:
            told.append(f"the passage has “{take_first_words(each.asked)}”, the document does not")
        else:
            told.append(f"the document has “{take_first_words(each.stands)}”, the passage does not")
    if len(found) > _DIFFERENCES_TOLD:
        told.append(f"and {len(found) - _DIFFERENCES_TOLD} more")
    return "; ".join(told)


def _quote_words(found: Sequence[str]) -> str:
    more = f" and {len(found) - _DIFFERENCES_TOLD} more" if len(found) > _DIFFERENCES_TOLD else ""
    return ", ".join(f"“{word}”" for word in found[:_DIFFERENCES_TOLD]) + more
