"""Keep edits of files out of an answer's text while a model writes it, and collect them."""

import re
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.outbox import Outbox, OutboxItem
from pincite.answer.project_request import describe_call
from pincite.answer.stream_items import RetractText, TextDelta

if TYPE_CHECKING:
    from pincite.errors import ModelFailure
    from pincite.projects.edit_stream import EditStream

STOP_MARKER = "STOP_MARKER"  # a model ends its text with it when work remains
_BEGINNINGS = "|".join(STOP_MARKER[:size] for size in range(len(STOP_MARKER) - 1, 0, -1))
_MARKER_AT_END = re.compile(rf"(?:{STOP_MARKER}\s*|{_BEGINNINGS})\Z")


class EditCollector:
    """The edits, the stop marker and the tool calls of one turn."""

    def __init__(self) -> None:
        self.reply = ""  # the whole text with its edits, when it is complete
        self.calls: set[str] = set()  # of tools, each with its arguments
        self.has_stop_marker = False
        self.failure: ModelFailure | None = None  # why the model did not end its text itself
        self._stream: EditStream | None = None
        self._held = ""  # the end of the text, if the marker may begin there

    def feed(self, text: str) -> str:
        """Take a piece of the model's text, and return what may be shown of the text so far."""
        if self._stream is None:
            from pincite.projects.edit_stream import EditStream

            self._stream = EditStream()
        return self._hold_marker(self._stream.feed(text))

    def finish(self) -> str:
        """End the text: return the rest that may be shown, and keep the whole as `reply`.

        The marker is removed only from the end of the text, outside of edits: a file may have the same word.
        """
        prose, self.reply = self._stream.finish() if self._stream else ("", "")
        rest, self._held = self._held + prose, ""
        without = _remove_marker(self.reply)
        if without is None:
            return rest
        self.reply, self.has_stop_marker = without, True
        return rest.rstrip().removesuffix(STOP_MARKER)

    def restart(self) -> None:
        """Forget the text so far: it was a thought before a tool call."""
        self._stream, self._held, self.has_stop_marker = None, "", False

    def note_call(self, call: events.ToolCallStarted) -> None:
        """Remember a tool call, to compare it with those of other turns."""
        self.calls.add(describe_call(call.name, call.attributes))

    def _hold_marker(self, prose: str) -> str:
        """Return the text that may be shown, and hold back a marker that may be the end of the text."""
        text = self._held + prose
        found = _MARKER_AT_END.search(text)
        at = found.start() if found else len(text)
        self._held = text[at:]
        return text[:at]


def _remove_marker(reply: str) -> str | None:
    """Return a reply without the marker at its end; None if it does not end with one, or if that is part of an edit."""
    from pincite.projects.reply_reader import parse_reply

    text = reply.rstrip()
    without = text.removesuffix(STOP_MARKER)
    if without == text or (without and not without[-1].isspace()):
        return None
    parsed = parse_reply(reply)
    if not parsed.prose.rstrip().endswith(STOP_MARKER) or parse_reply(without).edits != parsed.edits:
        return None
    return without


class EditOutbox(Outbox):
    """The outbox of a model that may write edits: it passes on everything but the edits."""

    def __init__(self, outer: Outbox, collector: EditCollector) -> None:
        super().__init__()
        self._outer = outer
        self._collector = collector

    def emit(self, item: OutboxItem) -> None:
        match item:
            case TextDelta():
                if shown := self._collector.feed(item.text):
                    self._outer.emit(TextDelta(shown))
            case RetractText():
                self._collector.restart()
                self._outer.emit(item)
            case _:
                if isinstance(item, events.ToolCallStarted):
                    self._collector.note_call(item)
                self._outer.emit(item)

    def finish(self) -> None:
        """Pass on the text that was held back."""
        if rest := self._collector.finish():
            self._outer.emit(TextDelta(rest))
