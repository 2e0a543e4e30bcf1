"""Shown words and marks, as they come, to whole sentences with what each of them cites."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.evidence.markers import Cited, Mark, Words
from pincite.evidence.sentences import sentences

_STOPPED = re.compile(r"[.!?…:;][\"'”’)\]»*_]*\s*$")
_SPACE = re.compile(r"\s")
_MAY_END = re.compile(r"[.!?…:;\n|]")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_FENCE_BEGUN = re.compile(r"\s*(?:`{1,2}|~{1,2})$")


@dataclass(frozen=True, slots=True)
class Shown:
    """Text that belongs to the sentence being said and may be shown now."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that is complete: the space before it, its text, and what it cites. A code block is one piece."""

    lead: str
    text: str
    cited: tuple[Cited, ...]
    is_code: bool = False


class Assembly:
    """Puts one answer together. Of each sentence everything is shown before it is said, and nothing of the next."""

    def __init__(self) -> None:
        self._tail = ""  # of the answer, after the last sentence that was said
        self._shown = 0  # characters of it
        self._marks: list[tuple[int, tuple[Cited, ...]]] = []
        self._after_mark = False

    def feed(self, item: Words | Mark) -> Iterator[Shown | Said]:
        """What one more piece lets be shown or completes."""
        if isinstance(item, Mark):
            self._marks.append((len(self._tail), item.cited))
            self._after_mark = True
            return
        if self._after_mark and item.text.strip():
            self._after_mark = False
            if _STOPPED.search(self._tail):
                # A mark after a stop ends the sentence, whatever the stop may be otherwise.
                yield from self._advance(cut=True)
        self._tail += item.text
        yield from self._advance()

    def end(self) -> Iterator[Shown | Said]:
        """What is left when no more comes."""
        yield from self._advance(cut=True, ended=True)

    def _advance(self, cut: bool = False, ended: bool = False) -> Iterator[Shown | Said]:
        """Say what is complete; at a cut, everything is."""
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
                yield Said(self._tail[:start], self._tail[start:end], (), is_code=True)
                self._drop(end)
                continue
            if not cut and not _MAY_END.search(self._tail):
                if any(map(str.isalnum, self._tail)):
                    yield from self._show(len(self._tail.rstrip()))
                return
            spans = sentences(self._tail)
            if not spans:
                return
            start, end = spans[0]
            following = spans[1][0] if len(spans) > 1 else len(self._tail)
            while end < following and not (self._tail[end].isspace() or self._tail[end].isalnum()):
                end += 1
            if not cut and not self._is_over(spans, following):
                yield from self._show(self._settled(start, end))
                return
            yield from self._show(end)
            is_last = ended and len(spans) == 1
            yield Said(self._tail[:start], self._tail[start:end], self._cited(end, following, is_last))
            self._drop(end)

    def _drop(self, end: int) -> None:
        """Forget the tail up to here: it was said."""
        self._tail = self._tail[end:]
        self._shown = 0
        self._marks = [(at - end, cited) for at, cited in self._marks if at >= end]

    def _find_fence_end(self, fence: re.Match[str]) -> int:
        """The place where a code block ends, behind its closing fence; -1 while that has not come."""
        closing = re.compile(rf"\n[ \t]*{re.escape(fence[1])}[ \t]*(?=\n)").search(self._tail, fence.end())
        return closing.end() if closing else -1

    def _is_over(self, spans: list[tuple[int, int]], following: int) -> bool:
        """Whether the first sentence is surely complete: the next has a whole word, or stands on another line."""
        if len(spans) < 2:
            return False
        return (
            len(spans) > 2 or bool(_SPACE.search(self._tail, following)) or "\n" in self._tail[spans[0][1] : following]
        )

    def _settled(self, start: int, end: int) -> int:
        """How far a sentence surely reaches: a line after its first may turn out to be an item, or a heading."""
        line = self._tail.find("\n", start, end)
        return end if line < 0 else len(self._tail[:line].rstrip())

    def _show(self, end: int) -> Iterator[Shown]:
        if end > self._shown:
            yield Shown(self._tail[self._shown : end])
            self._shown = end

    def _cited(self, end: int, following: int, is_last: bool) -> tuple[Cited, ...]:
        """What the marks up to the next sentence cite; a mark that begins a line belongs to what follows it."""
        own: dict[Cited, None] = {}
        rest = []
        for at, cited in self._marks:
            if is_last or at <= end or (at <= following and "\n" not in self._tail[end:at]):
                own.update(dict.fromkeys(cited))
            else:
                rest.append((at, cited))
        self._marks = rest
        return tuple(own)
