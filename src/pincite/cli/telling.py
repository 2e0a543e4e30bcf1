"""A turn's events as a person sees them: what is done, the words as they come, and at the end their proof."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pincite.agent.providers import EXTRACTIVE
from pincite.agent.source_log import describe_sent
from pincite.cli import door
from pincite.cli.doing import found, named
from pincite.cli.gallery import gallery
from pincite.cli.parts import Parts
from pincite.cli.passages import draw_answer, draw_more
from pincite.cli.rows import Rows, harmless
from pincite.cli.sources import NO_DAYS, doubted, judged_by, links, proof, show, tally

if TYPE_CHECKING:
    from pincite.events import Answer, Data, Fault, Sentence, ToolCallStarted

_THINKING = "Thinking…"
_SPINNER = 3  # columns before what is under way, and one that stays free


class Teller:
    """Shows one turn. A terminal gets the words as they come; a pipe gets the answer when it is whole."""

    def __init__(self, json: bool = False, more: bool = False) -> None:
        self._json = json
        self._more = more  # whether passages that are shown on demand are shown too
        self._is_quoting = False  # passages are drawn when the answer is whole
        self._out = door.console()
        self._side = door.console(stderr=True)
        self._streams = self._out.is_terminal and not self._out.is_dumb_terminal and not json
        self._rows = Rows(self._out)
        self._status = self._side.status(_THINKING)
        self._begun = time.monotonic()
        self._calls: dict[str, ToolCallStarted] = {}
        self._parts = Parts()
        self._doing = ""  # what is shown below the words
        self._text = ""
        self._sentences: dict[int, Sentence] = {}
        self._fault: Fault | None = None

    @property
    def failed(self) -> bool:
        """Whether something went wrong on the way."""
        return self._fault is not None

    def begin(self) -> None:
        """Say that something is under way."""
        self._begun = time.monotonic()
        self._status.start()

    def hear(self, data: "Data") -> None:
        """Show one event."""
        from pincite import events

        match data:
            case events.MessageStarted():
                # What quotes has its answer whole at once: it is drawn then. A report grows section by section.
                self._is_quoting = data.model == EXTRACTIVE and data.focus != "research"
            case events.Question() if data.rewritten:
                self._aside(f"understood as “{data.question}”")
            case events.ToolCallStarted():
                self._calls[data.toolCallId] = data
                self._do(f"{named(data, 0)}…")
                if data.status == "success":
                    self._aside(f"{named(data, 1)} ✓")
            case events.ToolCallSuccess():
                self._do(_THINKING)
                came = found(self._calls.get(data.toolCallId), data.extra)
                self._aside(f"{self._called(data.toolCallId)} ✓ {came}".rstrip())
            case events.ToolCallError():
                self._do(_THINKING)
                self._aside(f"{self._called(data.toolCallId)} ✗ {data.error}")
            case events.SubagentStarted():
                self._parts.begin(data)
                self._do(_THINKING)
            case events.SubagentData():
                self._parts.hear(data)
                self._do(_THINKING)
            case events.SubagentCompleted() | events.SubagentError():
                self._aside(self._parts.end(data))
                self._do(_THINKING)
            case events.Outline():
                self._parts.plan(data.sections)
                for number, section in enumerate(data.sections, 1):
                    self._aside(section.heading, f"{number}.")
            case events.Text():
                self._say(self._text + data.delta)
            case events.Thought() if data.retracted:
                self._say(self._text[: len(self._text) - data.retracted])
            case events.Cited():
                self._sentences[data.index] = data.sentence
                self._say(self._text)
            case events.Repaired():
                self._sentences = dict(enumerate(data.sentences))
                self._say(data.answer)
            case events.Fault():
                self._fault = data
                self.pause()
                self._side.print(error_text(data.message, data.hint))

    def end(self, answer: "Answer", hint: str = "", days: Mapping[str, str] = NO_DAYS) -> None:
        """Show the answer as it is in the end, and what can be done about it; `days` are those of its web pages."""
        from rich.text import Text

        self.pause()
        if self._json:
            failed = {"error": self._fault.model_dump(mode="json")} if self._fault else {}
            door.print_json(answer.model_dump(mode="json") | failed)
            return
        is_drawn = bool(answer.passages) and self._is_quoting
        if is_drawn:
            draw_answer(answer, self._out, self._more)
        elif answer.answer and (self._is_quoting or not self._streams):
            self._out.print(harmless(doubted(answer.answer, answer.sentences)), soft_wrap=True)
            if self._more:
                draw_more(answer, self._out)
        if not (self.failed and answer.refused):
            show(links(answer, days) if is_drawn else proof(answer, days), self._out)
        show(gallery(answer), self._out)
        show([Text(), Text(self._sum(answer), "dim")], self._out)
        if self._more and answer.sent:
            self._side.print(Text(harmless(f"Left this machine: {'; '.join(map(describe_sent, answer.sent))}"), "dim"))
        for each in answer.corrected:
            self._side.print(Text(f"Read “{each.written}” as “{each.read}”.", "dim"))
        if hint:
            self._side.print(hint)

    def pause(self) -> None:
        """Leave the terminal as it is, for something else to be said."""
        self._status.stop()
        self._doing = ""
        self._show(is_over=True)
        self._rows.end()

    def _say(self, text: str) -> None:
        self._text = text
        if self._is_quoting:
            return
        self._sentences = {n: each for n, each in self._sentences.items() if each.end <= len(text)}
        if self._streams and (text.strip() or self._rows.has_words):
            self._status.stop()
            self._show(says=True)
            if not text.strip():
                self._status.start()

    def _do(self, doing: str) -> None:
        """Say what is under way, on one row, below the words if there are any; of parts, what all of them do."""
        from rich.text import Text

        width = self._side.width - _SPINNER
        row = Text(harmless(self._parts.doing(width) or doing))
        row.truncate(width, overflow="ellipsis")
        self._status.update(row)
        before, self._doing = self._doing, "" if row.plain == _THINKING else row.plain
        if self._doing != before:  # parts write a word at a time, and all say the same of it
            self._show()

    def _show(self, says: bool = False, is_over: bool = False) -> None:
        """Bring the words on the screen up to date, where there are any or the first come."""
        if says or self._rows.has_words:
            below = (self._doing or self._checking()) if self._text.strip() and not is_over else ""
            self._rows.show(doubted(self._text, self._sentences.values()).lstrip("\n"), below)

    def _checking(self) -> str:
        """How many sentences wait for a judge; it is said below the words, which have their signs when it is over."""
        count = sum(sentence.checking for sentence in self._sentences.values())
        return f"checking {count} {'sentence' if count == 1 else 'sentences'}…" if count else ""

    def _aside(self, said: str, mark: str = "·") -> None:
        """A line about what is done, for whoever watches."""
        from rich.text import Text

        if self._side.is_terminal and not self._rows.has_words:
            show([Text(harmless(f"{mark} {said}"), "dim")], self._side)

    def _called(self, id: str) -> str:
        return named(self._calls[id], 1) if id in self._calls else "called a tool"

    def _sum(self, answer: "Answer") -> str:
        used = answer.usage
        stopped = "stopped before its end" if answer.stopped else ""
        parts = [tally(answer), judged_by(answer), stopped, answer.model]
        if used.input_tokens or used.output_tokens:
            parts.append(f"{used.input_tokens:,} tokens in, {used.output_tokens:,} out")
        if self._streams:
            parts.append(f"{time.monotonic() - self._begun:.1f} s")
        return " · ".join(part for part in parts if part)


def error_text(message: str, hint: str = "") -> str:
    """An error as every command tells it."""
    return harmless(f"Error: {message}" + (f"\n{hint}" if hint else ""))
