"""Store the results that clients report for calls of answers, and tell the model about them with the next question."""

import logging
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.answer.project_request import EarlierTurn, ProjectRequest, describe_call, make_turn
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.conversations import stored_events
from pincite.errors import Answering, Misuse, NotFound, PinciteError, Settled
from pincite.events import Answer, ClientCall, ClientResult, ProposedChanges, ResultImage, ResultStatus
from pincite.llm.screenshots import take_screenshots
from pincite.settings import Settings
from pincite.store import conversations, messages
from pincite.store import events as stored
from pincite.store.database import Database
from pincite.store.files import PICTURES, FileStore, list_areas, open_files
from pincite.store.group_commit import Transaction
from pincite.store.messages import StoredMessage
from pincite.text.language import detect_question_language
from pincite.types import LibraryKey, Picture, Scope

log = logging.getLogger(__name__)

_CONTINUE = {"en": "Continue:", "fr": "Continuer :"}
_LONGEST = 6000  # characters of one reported message that a model sees
_STATUSES: dict[str, frozenset[ResultStatus]] = {
    "apply_changes": frozenset({"applied", "rejected", "failed"}),
    "continue": frozenset({"continue", "stop"}),
}
_TOLD: dict[ResultStatus, str] = {
    "applied": "The changes were applied.",
    "rejected": "The user rejected the changes. Nothing was written.",
    "failed": "The changes could not be applied. Nothing was written.",
    "continue": "",
    "stop": "The user ended the request here.",
}


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """A result as a client reports it."""

    call: str
    status: ResultStatus
    message: str = ""
    files: tuple[str, ...] = ()
    screenshot: str = ""


@dataclass(frozen=True, slots=True)
class TakenResult:
    """A result without its pictures, which are stored apart."""

    reported: ReportedResult
    message: str
    images: tuple[ResultImage, ...] = ()


class PictureStore:
    """The pictures that clients sent, in one area of the files for each conversation, named by their hash."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def take(self, conversation: str, reported: ReportedResult) -> TakenResult:
        """Store the pictures of a result: this is the only place where a screenshot is turned into a picture.

        A picture that cannot be stored is left out: the result itself must not be lost.
        """
        message, pictures = take_screenshots(reported.message, reported.screenshot)
        images = []
        for picture in pictures:
            try:
                images.append(self._keep(conversation, picture))
            except (PinciteError, OSError) as error:
                log.warning("A picture of the conversation %s cannot be stored: %s", conversation, error)
        return TakenResult(reported, message, tuple(images))

    def load(self, conversation: str, images: Sequence[ResultImage]) -> tuple[Picture, ...]:
        """Load stored pictures. One that is missing is left out: the text of the result says enough."""
        found = []
        for image in images:
            try:
                found.append(Picture(image.media_type, b"".join(self.open(conversation).read(image.sha256))))
            except PinciteError as error:
                log.warning("A picture of the conversation %s cannot be read: %s", conversation, error)
        return tuple(found)

    def remove(self, conversation: str) -> None:
        """Remove the pictures of a conversation. An error is logged: nothing else depends on it."""
        try:
            self.open(conversation).clear()
        except PinciteError as error:
            log.warning("The pictures of the conversation %s cannot be removed: %s", conversation, error)

    def remove_unknown(self, known: Collection[str]) -> None:
        """Remove the pictures of conversations that are gone, which a killed process may leave."""
        for conversation in list_areas(self._settings, PICTURES):
            if conversation not in known:
                self.remove(conversation)

    def open(self, conversation: str) -> FileStore:
        """Return the files of a conversation's pictures."""
        return open_files(self._settings, f"{PICTURES}/{conversation}")

    def _keep(self, conversation: str, picture: Picture) -> ResultImage:
        with tempfile.NamedTemporaryFile() as copy:
            copy.write(picture.data)
            copy.flush()
            kept = self.open(conversation).keep(Path(copy.name))
        return ResultImage(sha256=kept.sha256, media_type=picture.media_type, size=kept.bytes)


def find_call(database: Database, owner: str, conversation: str, call: str) -> tuple[StoredMessage, ClientCall]:
    """Return a call of a conversation and the answer that made it; raise `NotFound` if there is none."""
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        for message in reversed(messages.find(connection, conversation)):
            for made in _list_calls(message):
                if made.id == call:
                    return message, made
    raise NotFound(f"There is no call {call} in this conversation.", "Use the id of a call of an answer.", "call")


def check_status(call: ClientCall, status: ResultStatus) -> None:
    """Raise `Misuse` if a status is none of a call's tool."""
    allowed = _STATUSES[call.tool]
    if status not in allowed:
        raise Misuse(
            f"{status} is not a result of {call.tool}.", f"Use one of {', '.join(sorted(allowed))}.", "wrong_status"
        )


def store_result(
    connection: Transaction, owner: str, conversation: str, answer: StoredMessage, call: ClientCall, taken: TakenResult
) -> int:
    """Store a result as the next event of a conversation, and return its number.

    Raise `Answering` while an answer is written, and `Settled` for a call to continue that has its result.
    """
    conversations.get(connection, owner, conversation, lock=True)
    if messages.find_running(connection, conversation):
        raise Answering("An answer is still being written here.", "Stop it, or wait until it is done.")
    if call.tool == "continue":
        known = stored.find_by_type(connection, conversation, "client_result")
        later = messages.find(connection, conversation, 1)[-1]
        if any(each.data.get("call") == call.id for each in known) or later.id != answer.id:
            raise Settled("This request was continued or ended already.", "Read the conversation again.", "call")
    seq = conversations.find_last_seq(connection, conversation) + 1
    result = ClientResult(
        call=call.id,
        tool=call.tool,
        status=taken.reported.status,
        message=taken.message,
        files=list(taken.reported.files),
        images=list(taken.images),
    )
    stored.add(connection, conversation, [stored_events.make_event(seq, answer.id, result)])
    conversations.touch(connection, conversation)
    return seq


def load_continued(database: Database, answer: StoredMessage, files: Sequence[GivenFile] = ()) -> AskedQuestion:
    """Return the question that continues the request of an answer, with the same settings.

    Raise `Misuse` if the request is about files of the client, and it sent none.
    """
    with database.reading() as connection:
        question = messages.get_previous(connection, answer)
        if not files and not question.asked.get("project"):
            raise Misuse(
                "This request is about files that the client sent, and none came with the result.",
                "Send the files as they are now in `contents`.",
                "no_files",
            )
        made = question.asked.get("request") or {}
        first = made.get("question") or question.id
        found = messages.find(connection, answer.conversation)
        calls = stored.find_by_type(connection, answer.conversation, "tool_call_started")
    text = made.get("text") or question.content
    pairs = zip(found[::2], found[1::2], strict=False)
    own = [told for asked, told in pairs if asked.id == first or _is_of_request(asked, first)]
    earlier = [_make_earlier_turn(told, [each.data for each in calls if each.messageId == told.id]) for told in own]
    request = ProjectRequest(text, len(earlier) + 1, tuple(earlier), first)
    return restore_question(question, request, files)


def restore_question(question: StoredMessage, request: ProjectRequest, files: Sequence[GivenFile]) -> AskedQuestion:
    """Return a stored question as it is asked again to continue a request."""
    asked = question.asked
    documents, libraries = asked.get("documents"), asked.get("libraries")
    return AskedQuestion(
        question=f"{_CONTINUE['fr' if detect_question_language(request.text) == 'fr' else 'en']} {request.text}",
        focus=asked.get("focus", "all"),
        scope=Scope(
            owner=question.owner,
            library=asked.get("library"),
            library_owner=asked.get("library_owner"),
            documents=None if documents is None else tuple(documents),
            libraries=None if libraries is None else tuple(LibraryKey(*key) for key in libraries),
        ),
        chat_model=asked.get("chat_model", ""),
        system_model=asked.get("system_model", ""),
        persona=asked.get("persona", ""),
        workspace=asked.get("workspace", ""),
        workspace_instructions=asked.get("workspace_instructions", ""),
        strict=asked.get("strict"),
        project=asked.get("project", ""),
        files=tuple(files),
        request=request,
    )


def tell_results(answer: Mapping[str, Any], results: Sequence[ClientResult]) -> str:
    """Return the text that tells a model about the changes it proposed and the results that clients reported."""
    parts = []
    if changes := answer.get("changes"):
        parts.append(_tell_changes(ProposedChanges.model_validate(changes)))
    for result in results:
        said = [_TOLD[result.status], f"Files: {', '.join(result.files)}." if result.files else ""]
        said.append(result.message.strip()[:_LONGEST])
        parts.append("\n".join(filter(None, said)))
    return "\n\n".join(filter(None, parts))


def load_results(found: Sequence[Any]) -> dict[str, list[ClientResult]]:
    """Return the results among stored events, by the id of the answer that made the call."""
    results: dict[str, list[ClientResult]] = {}
    for event in found:
        try:
            results.setdefault(event.messageId, []).append(ClientResult.model_validate(event.data))
        except ValueError as error:
            log.warning("A stored result is left out: %s", error)
    return results


def _tell_changes(changes: ProposedChanges) -> str:
    proposed = ", ".join(f"{file.path} ({file.action})" for file in changes.files)
    lines = [f"You proposed changes of: {proposed}." if proposed else ""]
    lines += [
        f"Edit {each.number} of {each.path} was refused: {each.message} {each.hint}".strip() for each in changes.refused
    ]
    return "\n".join(filter(None, lines))


def _is_of_request(question: StoredMessage, first: str) -> bool:
    return (question.asked.get("request") or {}).get("question") == first


def _make_earlier_turn(answer: StoredMessage, calls: Sequence[Mapping[str, Any]]) -> EarlierTurn:
    changes = (answer.answer or {}).get("changes")
    made = frozenset(describe_call(each.get("name", ""), each.get("attributes", {})) for each in calls)
    return make_turn(answer.content, ProposedChanges.model_validate(changes) if changes else None, made)


def _list_calls(message: StoredMessage) -> list[ClientCall]:
    return Answer.model_validate(message.answer).calls if message.answer and message.answer.get("calls") else []
