"""Why a passage was found in part, or was not found: sentences for the person who asked, each from a counted fact."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from pincite.evidence.account import MATCHED
from pincite.evidence.concordance import Concordance
from pincite.evidence.differences import Difference, beside, compare, key, other_numbers, words
from pincite.evidence.lines import excerpt, named, opening, pages_of
from pincite.evidence.locate import SHORT, BlockMatch, Location
from pincite.evidence.quotation import plain
from pincite.evidence.squeeze import squeeze
from pincite.evidence.twins import twins
from pincite.types import Document

_RATE = 0.8  # of the blocks; with fewer matched it is told which are not
_BLOCKS_TOLD = 5
_DIFFERENCES_TOLD = 3
_RUNS_NAMED = 8  # of pages that follow each other
_LONG = 5  # letters of a word that says something about where it comes from
_LONG_WORDS = 60


def diagnose(concordance: Concordance, text: str, location: Location, pages: Collection[int] = ()) -> list[str]:
    """What is odd about how a passage was located, in sentences to act on; none when all is well."""
    document = concordance.document
    said = list(_hints(document, location, pages))
    if location.found:
        said += _unmatched(document, location)
        said += _overreach(concordance, text, location)
        said += _changed(document, location)
        said += _elsewhere(concordance, text, location)
    elif location.refusal == "empty":
        said.append("The passage has no letters or digits, so there is nothing to look for.")
    elif location.refusal in ("short", "repeated"):
        said += _times(concordance, text, pages)
    elif location.refusal == "numbers":
        said += _numbers(document, text, location)
    elif location.refusal == "different":
        said += _different(document, text, location)
    else:
        said += _absent(concordance, text)
    return said


def _hints(document: Document, location: Location, pages: Collection[int]) -> Iterator[str]:
    there = {page.number for page in document.pages}
    if pages and not there:
        yield f"You asked for {_few(pages)}; this document has no pages."
        return
    if wrong := set(pages) - there:
        yield f"There {'are' if len(wrong) > 1 else 'is'} no {_few(wrong)}: the document has {len(there)}."
    asked, found = set(pages) & there, pages_of(document, location.spans)
    if asked and found and not asked & set(found):
        yield f"You asked for {_few(asked)}; it stands on {named(found)}."


def reasons(document: Document, location: Location) -> list[str]:
    """For each block of a passage why it is matched or not, as compared with the place it was found at or is near."""
    spans = location.spans or location.nearest
    pages = pages_of(document, spans)
    where = f"on {named(pages)}" if pages else "in the document"
    text = "\n".join(document.text[page.start : page.end] for page in document.pages if page.number in pages)
    there = {key(word) for word in words(text or document.text)}
    joined = squeeze(text or document.text).text
    told = []
    for block, stands in zip(location.blocks, beside(document, location), strict=True):
        if block.score >= MATCHED:
            told.append(_likeness(block, stands))
        else:
            told.append(_lack(block, there, joined, where))
    return told


def _likeness(block: BlockMatch, stands: str) -> str:
    if squeeze(block.text).text == squeeze(stands).text:
        return "the same words" if block.text == stands else "the same letters and digits"
    found = compare(block.text, stands).differences
    return _told(found) if found else "the same words, set otherwise"


def _lack(block: BlockMatch, there: set[str], joined: str, where: str) -> str:
    own = words(block.text)
    missing = [word for word in own if key(word) not in there]
    if not missing:
        return f"all its words stand {where}, in another order or further apart"
    if all(key(word) in joined for word in missing):
        return f"its words are split or joined otherwise {where} ({_quoted(missing)})"
    return f"{len(missing)} of its {len(own)} words are not {where} ({_quoted(missing)})"


def _unmatched(document: Document, location: Location) -> Iterator[str]:
    failed = [number for number, block in enumerate(location.blocks) if block.score < MATCHED]
    if len(location.blocks) - len(failed) >= _RATE * len(location.blocks):
        return
    why = reasons(document, location)
    for number in failed[:_BLOCKS_TOLD]:
        yield f"Not matched: “{opening(location.blocks[number].text)}”: {why[number]}."
    if len(failed) > _BLOCKS_TOLD:
        yield f"And {len(failed) - _BLOCKS_TOLD} more blocks are not matched."


def _overreach(concordance: Concordance, text: str, location: Location) -> Iterator[str]:
    places = concordance.squeezed.places
    lit = sum(int(np.diff(np.searchsorted(places, span))[0]) for span in location.spans)
    asked = len(squeeze(plain(text)).codes)
    if lit > 1.25 * asked + 20:
        yield f"{lit:,} letters and digits are lit for the passage's {asked:,}: more may be marked than was asked for."


def _changed(document: Document, location: Location) -> Iterator[str]:
    if location.how != "approximate":
        return
    found: list[Difference] = []
    for block, stands in zip(location.blocks, beside(document, location), strict=True):
        if block.score >= MATCHED:
            found += compare(block.text, stands).differences
    if found:
        many = "1 place differs" if len(found) == 1 else f"{len(found)} places differ"
        yield f"{many} from the document: {_told(found)}."


def _elsewhere(concordance: Concordance, text: str, location: Location) -> Iterator[str]:
    """Where else a passage stands that is long enough to be found at the first of its places."""
    if location.how == "approximate" or len(squeeze(plain(text)).codes) < SHORT:
        return
    document = concordance.document
    found = twins(concordance, text)
    others = [place for place in found.places if not any(start <= place < end for start, end in location.spans)]
    if not others:
        return
    here = pages_of(document, location.spans)
    pages = set(pages_of(document, [(place, place + 1) for place in others])) - set(here)
    if pages:
        yield f"It also stands on {_few(pages)}."
    else:
        many = "many other places" if found.more else f"{len(others)} other places" if others[1:] else "1 other place"
        yield f"It also stands at {many}{' on the same page' if len(here) == 1 else ''}."


def _times(concordance: Concordance, text: str, pages: Collection[int]) -> Iterator[str]:
    document = concordance.document
    found = twins(concordance, text)
    places = [(place, place + 1) for place in found.places]
    given = [place for place in places if pages and not set(pages).isdisjoint(pages_of(document, [place]))]
    if len(given or places) > 1:
        on = pages_of(document, given or places)
        advice = "give a page, or more of the words around it" if len(on) > 1 else "give more of the words around it"
        many = ("at least " if given else "more than ") * found.more + f"{len(given or places):,} times"
        first = "the first of them " * found.more
        yield f"It stands {many}{f', {first}on {_few(on)}' if on else ''}: {advice}."
    else:
        count = f"It has only {len(squeeze(plain(text)).codes)} letters and digits"
        yield f"{count}: so short a passage must stand in the document exactly, and once."


def _numbers(document: Document, text: str, location: Location) -> Iterator[str]:
    found = other_numbers(text, excerpt(document, location.nearest))
    where = _where(document, location.nearest)
    if found:
        yield f"Most of it stands {where}, with other numbers: {_told(found)}."
    else:
        yield f"Most of it stands {where}, but a number there is not the passage's. Compare the two."


def _different(document: Document, text: str, location: Location) -> Iterator[str]:
    if not location.nearest:
        yield "Nothing in the document is enough like it to be sure."
        return
    found = compare(text, excerpt(document, location.nearest))
    order = "" if found.differences else ", in another order or far apart"
    alike = f"{100 * found.alike:.0f} % of its words stand there{order}"
    yield f"The most similar place is {_where(document, location.nearest)}: {alike}."
    if found.differences:
        yield f"They differ: {_told(found.differences)}."


def _absent(concordance: Concordance, text: str) -> Iterator[str]:
    document = concordance.document
    long = list(dict.fromkeys(key(word) for word in words(text) if len(key(word)) >= _LONG))[:_LONG_WORDS]
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
        yield f"{many} no text here ({named(empty)}): it may stand on a picture that was not read."
    yield from document.problems[:_DIFFERENCES_TOLD]


def _few(pages: Collection[int]) -> str:
    """Page numbers in words, the first of them when they are many."""
    numbers = sorted(set(pages))
    runs = [i for i, number in enumerate(numbers) if not i or number != numbers[i - 1] + 1]
    if len(runs) <= _RUNS_NAMED:
        return named(numbers)
    shown = runs[_RUNS_NAMED]
    return f"{named(numbers[:shown])}, and {len(numbers) - shown:,} more"


def _where(document: Document, spans: Sequence[tuple[int, int]]) -> str:
    pages = pages_of(document, spans)
    return f"on {named(pages)}" if pages else "in the document"


def _told(found: Sequence[Difference]) -> str:
    told = []
    for each in found[:_DIFFERENCES_TOLD]:
        if each.asked and each.stands:
            told.append(f"the passage has “{opening(each.asked)}” where the document has “{opening(each.stands)}”")
        elif each.asked:
            told.append(f"the passage has “{opening(each.asked)}”, the document does not")
        else:
            told.append(f"the document has “{opening(each.stands)}”, the passage does not")
    if len(found) > _DIFFERENCES_TOLD:
        told.append(f"and {len(found) - _DIFFERENCES_TOLD} more")
    return "; ".join(told)


def _quoted(found: Sequence[str]) -> str:
    more = f" and {len(found) - _DIFFERENCES_TOLD} more" if len(found) > _DIFFERENCES_TOLD else ""
    return ", ".join(f"“{word}”" for word in found[:_DIFFERENCES_TOLD]) + more
