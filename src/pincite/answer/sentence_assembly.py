"""Assemble complete sentences with their citations from a stream of text and citation marks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.text.citation_marks import Cited
from pincite.text.marker_parser import CitationMark, TextItem
from pincite.text.sentences import split_sentences

_STOPPED = re.compile(r"[.!?…:;][\"'”’)\]»*_]*\s*$")
_SPACE = re.compile(r"\s")
_MAY_END = re.compile(r"[.!?…:;\n|]")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_FENCE_BEGUN = re.compile(r"\s*(?:`{1,2}|~{1,2})$")


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Text of the sentence that is not complete yet, which may be shown now."""

    text: str


@dataclass(frozen=True, slots=True)
class CompleteSentence:
    """A complete sentence: the white space before it, its text, and its citations. A code block is one too."""

    lead: str
    text: str
    cited: tuple[Cited, ...]
    is_code: bool = False


class SentenceAssembler:
    """Assembles one answer. All text of a sentence is shown before the sentence is yielded, and none of the next."""

    def __init__(self) -> None:
        self._tail = ""  # the text after the last complete sentence
        self._shown = 0  # characters of the tail
        self._marks: list[tuple[int, tuple[Cited, ...]]] = []
        self._after_mark = False

    def feed(self, item: TextItem | CitationMark) -> Iterator[VisibleText | CompleteSentence]:
        """Yield the text and the sentences that one more piece makes visible or completes."""
        if isinstance(item, CitationMark):
            self._marks.append((len(self._tail), item.cited))
            self._after_mark = True
            return
        if self._after_mark and item.text.strip():
            self._after_mark = False
            if _STOPPED.search(self._tail):
                # A mark after a stop ends the sentence, also after a stop that may not end one.
                yield from self._advance(cut=True)
        self._tail += item.text
        yield from self._advance()

    def end(self) -> Iterator[VisibleText | CompleteSentence]:
        """Yield the rest when no more text comes."""
        yield from self._advance(cut=True, ended=True)

    def _advance(self, cut: bool = False, ended: bool = False) -> Iterator[VisibleText | CompleteSentence]:
        """Yield the complete sentences. With `cut`, all text is complete."""
        while True:
            if not ended and _FENCE_BEGUN.match(self._tail):
                return
            if fence := _FENCE.match(self._tail):
                end = self._find_fence_end(fence)
                if end < 0 and not ended:
                    yield from self._show(len(self._tail.rstrip()))
                    return
                end = len(self._tail.rstrip()) if end < 0 else end
                yield from self._show(end)
                start = fence.start(1)
                yield CompleteSentence(self._tail[:start], self._tail[start:end], (), is_code=True)
                self._drop(end)
                continue
            if not cut and not _MAY_END.search(self._tail):
                if any(map(str.isalnum, self._tail)):
                    yield from self._show(len(self._tail.rstrip()))
                return
            spans = split_sentences(self._tail)
            if not spans:
                return
            start, end = spans[0]
            following = spans[1][0] if len(spans) > 1 else len(self._tail)
            while end < following and not (self._tail[end].isspace() or self._tail[end].isalnum()):
                end += 1
            if not cut and not self._is_over(spans, following):
                yield from self._show(self._find_settled_end(start, end))
                return
            yield from self._show(end)
            is_last = ended and len(spans) == 1
            yield CompleteSentence(self._tail[:start], self._tail[start:end], self._cited(end, following, is_last))
            self._drop(end)

    def _drop(self, end: int) -> None:
        """Remove the tail up to here, after its sentence was yielded."""
        self._tail = self._tail[end:]
        self._shown = 0
        self._marks = [(at - end, cited) for at, cited in self._marks if at >= end]

    def _find_fence_end(self, fence: re.Match[str]) -> int:
        """Return the end of a code block, after its closing fence; -1 while that is missing."""
        closing = re.compile(rf"\n[ \t]*{re.escape(fence[1])}[ \t]*(?=\n)").search(self._tail, fence.end())
        return closing.end() if closing else -1

    def _is_over(self, spans: list[tuple[int, int]], following: int) -> bool:
        """Whether the first sentence is surely complete: the next has a whole word or is on another line."""
        if len(spans) < 2:
            return False
        return (
            len(spans) > 2 or bool(_SPACE.search(self._tail, following)) or "\n" in self._tail[spans[0][1] : following]
        )

    def _find_settled_end(self, start: int, end: int) -> int:
        """Return how far the sentence surely reaches: its second line may be a list item or a heading."""
        line = self._tail.find("\n", start, end)
        return end if line < 0 else len(self._tail[:line].rstrip())

    def _show(self, end: int) -> Iterator[VisibleText]:
        if end > self._shown:
            yield VisibleText(self._tail[self._shown : end])
            self._shown = end

    def _cited(self, end: int, following: int, is_last: bool) -> tuple[Cited, ...]:
        """Return the citations of the sentence. A mark that begins a line belongs to the text after it."""
        own: dict[Cited, None] = {}
        rest = []
        for at, cited in self._marks:
            if is_last or at <= end or (at <= following and "\n" not in self._tail[end:at]):
                own.update(dict.fromkeys(cited))
            else:
                rest.append((at, cited))
        self._marks = rest
        return tuple(own)
