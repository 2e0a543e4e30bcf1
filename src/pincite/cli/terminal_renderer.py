"""Show the events of an answer on a terminal: activity, text as it arrives, and the proof at the end."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pincite.answer.source_log import describe_sent
from pincite.cli import options
from pincite.cli.answer_wording import count_phrase, describe_seconds, describe_tokens, get_phrase
from pincite.cli.gallery_output import list_media
from pincite.cli.growing_text import TerminalRows, strip_controls
from pincite.cli.passage_output import draw_answer, draw_more
from pincite.cli.proof_output import (
    NO_DAYS,
    count_verdicts,
    describe_answer_judge,
    describe_proof,
    list_page_links,
    mark_doubts,
    name_answer_model,
    print_lines,
)
from pincite.cli.subagent_output import SubagentProgress
from pincite.events import AnswerFold
from pincite.events.tool_labels import describe_call, describe_result
from pincite.llm.providers import EXTRACTIVE
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from pincite.events import Answer, Data

_SPINNER = 3  # columns for the spinner, and one that stays free


class TerminalRenderer:
    """Shows one answer. A terminal gets the text as it arrives; a pipe gets it when it is complete."""

    def __init__(self, json: bool = False, more: bool = False) -> None:
        self._json = json
        self._more = more  # whether to show the less certain passages too
        self._is_quoting = False  # passages are drawn when the answer is complete
        self._out = options.make_console()
        self._side = options.make_console(stderr=True)
        self._streams = self._out.is_terminal and not self._out.is_dumb_terminal and not json
        self._rows = TerminalRows(self._out)
        self._status = self._side.status(get_phrase("en", "looking"))
        self._begun = time.monotonic()
        self._parts = SubagentProgress()
        self._doing = ""  # the step that is shown below the text
        self._answer = AnswerFold()  # the answer so far

    @property
    def failed(self) -> bool:
        """Whether an error was reported."""
        return self._answer.fault is not None

    @property
    def _language(self) -> Literal["en", "fr"]:
        return "fr" if detect_conversation_language(self._answer.question) == "fr" else "en"

    def begin(self) -> None:
        """Show that the answer has begun."""
        self._begun = time.monotonic()
        self._status.start()

    def hear(self, data: "Data") -> None:
        """Show one event."""
        from pincite import events

        self._answer.add(data)
        match data:
            case events.MessageStarted():
                # An extractive answer arrives all at once and is drawn at the end. A report grows by sections.
                self._is_quoting = data.model == EXTRACTIVE and data.focus != "research"
            case events.Question() if data.rewritten:
                self._print_note(get_phrase(self._language, "understood", data.question))
            case events.ToolCallStarted():
                self._do(f"{describe_call(data, language=self._language)}…")
                if data.status == "success":
                    self._print_note(f"{describe_call(data, is_done=True, language=self._language)} ✓")
            case events.ToolCallSuccess():
                self._do()
                came = describe_result(self._answer.calls.get(data.toolCallId), data.extra, self._language)
                self._print_note(f"{self._describe_past_call(data.toolCallId)} ✓ {came}".rstrip())
            case events.ToolCallError():
                self._do()
                self._print_note(f"{self._describe_past_call(data.toolCallId)} ✗ {data.error}")
            case events.SubagentStarted():
                self._parts.begin(data)
                self._do()
            case events.SubagentData():
                self._parts.hear(data)
                self._do()
            case events.SubagentCompleted() | events.SubagentError():
                self._print_note(self._parts.end(data))
                self._do()
            case events.Outline():
                self._parts.plan(data.sections)
                for number, section in enumerate(data.sections, 1):
                    self._print_note(section.heading, f"{number}.")
            case events.Text() | events.Cited() | events.Repaired():
                self._show_text()
            case events.Thought() if data.retracted:
                self._show_text()
            case events.Fault():
                self.pause()
                self._side.print(format_error(data.message, data.hint))

    def end(self, answer: "Answer", hint: str = "", days: Mapping[str, str] = NO_DAYS) -> None:
        """Show the final answer with its proof and a hint. `days` gives the fetch day of each web page by document."""
        from rich.text import Text

        language = detect_conversation_language(answer.question)
        self.pause()
        if self._json:
            fault = self._answer.fault
            failed = {"error": fault.model_dump(mode="json")} if fault else {}
            options.print_json(answer.model_dump(mode="json") | failed)
            return
        is_drawn = bool(answer.passages) and self._is_quoting
        if is_drawn:
            draw_answer(answer, self._out, self._more)
        elif answer.answer and (self._is_quoting or not self._streams):
            self._out.print(strip_controls(mark_doubts(answer.answer, answer.sentences)), soft_wrap=True)
            if self._more:
                draw_more(answer, self._out, is_shortened=False)
        if not (self.failed and answer.refused):
            print_lines(list_page_links(answer, days) if is_drawn else describe_proof(answer, days), self._out)
        print_lines(list_media(answer), self._out)
        print_lines([Text(), Text(self._summarize_answer(answer), "dim")], self._out)
        if self._more and answer.sent:
            left = get_phrase(language, "left", "; ".join(map(describe_sent, answer.sent)))
            self._side.print(Text(strip_controls(left), "dim"))
        for each in answer.corrected:
            self._side.print(Text(get_phrase(language, "read_as", each.written, each.read), "dim"))
        if hint:
            self._side.print(hint)

    def pause(self) -> None:
        """Stop the status line and leave the text, so that other output can follow."""
        self._status.stop()
        self._doing = ""
        self._show(is_over=True)
        self._rows.end()

    def _show_text(self) -> None:
        text = self._answer.text
        if self._is_quoting:
            return
        if self._streams and (text.strip() or self._rows.has_words):
            self._status.stop()
            self._show(says=True)
            if not text.strip():
                self._status.start()

    def _do(self, doing: str = "") -> None:
        """Show the current activity in the status line, or the activity of the subagents if any run."""
        from rich.text import Text

        looking = get_phrase(self._language, "looking")
        width = self._side.width - _SPINNER
        row = Text(strip_controls(self._parts.doing(width) or doing or looking))
        row.truncate(width, overflow="ellipsis")
        self._status.update(row)
        before, self._doing = self._doing, "" if row.plain == looking else row.plain
        if self._doing != before:  # subagents send many events with the same activity
            self._show()

    def _show(self, says: bool = False, is_over: bool = False) -> None:
        """Redraw the text on the terminal, if there is any."""
        if says or self._rows.has_words:
            below = (self._doing or self._describe_checking()) if self._answer.text.strip() and not is_over else ""
            self._rows.show(mark_doubts(self._answer.text, self._answer.sentences).lstrip("\n"), below)

    def _describe_checking(self) -> str:
        """Return how many sentences wait for a judge, to show below the text."""
        count = sum(sentence.checking for sentence in self._answer.sentences)
        return count_phrase(self._language, "checking", count) if count else ""

    def _print_note(self, said: str, mark: str = "·") -> None:
        """Print a line about a step, on a terminal only."""
        from rich.text import Text

        if self._side.is_terminal and not self._rows.has_words:
            print_lines([Text(strip_controls(f"{mark} {said}"), "dim")], self._side)

    def _describe_past_call(self, id: str) -> str:
        call = self._answer.calls.get(id)
        return (
            describe_call(call, is_done=True, language=self._language) if call else get_phrase(self._language, "called")
        )

    def _summarize_answer(self, answer: "Answer") -> str:
        used = answer.usage
        language = detect_conversation_language(answer.question)
        stopped = get_phrase(language, "stopped") if answer.stopped else ""
        parts = [count_verdicts(answer), describe_answer_judge(answer), stopped, name_answer_model(answer)]
        if used.input_tokens or used.output_tokens:
            parts.append(describe_tokens(language, used))
        if self._streams:
            parts.append(describe_seconds(language, time.monotonic() - self._begun))
        return " · ".join(part for part in parts if part)


def format_error(message: str, hint: str = "") -> str:
    """Return an error message in the form that all commands use."""
    return strip_controls(f"Error: {message}" + (f"\n{hint}" if hint else ""))
