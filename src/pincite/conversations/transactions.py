"""The transactions of conversations: each function happens as a whole or not at all.

A function that reads opens a connection. A function that writes gets the connection of a transaction, which it may
share with others.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.answer.question import AskedQuestion
from pincite.answer.question_workspace import add_workspace
from pincite.conversations import stored_events
from pincite.conversations.answer_payment import settle_abandoned
from pincite.conversations.client_results import PictureStore, load_results, tell_results
from pincite.errors import Answering, LeaseLost, NotFound
from pincite.events import Event, Fault, fold
from pincite.settings_quota import QuotaSettings
from pincite.store import branches, conversations, messages, usage, workspaces
from pincite.store import events as stored
from pincite.store.conversations import StoredConversation
from pincite.store.database import Database
from pincite.store.group_commit import Transaction
from pincite.store.messages import MessageOutcome, StopRequests, StoredMessage
from pincite.types import Exchange, Span

_TITLE = 80  # characters
_EXCHANGES = 50  # the agent uses as many of these as fit into its model's context
_REPLAYED = 500  # events read at once
_INTERRUPTED = Fault(
    code="interrupted",
    message="The program ended while this answer was being written.",
    hint="What was written until then is here; ask again for the rest.",
)


def make_title(question: str) -> str:
    """Return a title: the first question on one line, cut between words."""
    words = " ".join(question.split())
    if len(words) <= _TITLE:
        return words
    cut = words[:_TITLE].rpartition(" ")[0] or words
    return cut[: _TITLE - 1].rstrip(" ,;:.") + "…"


def load_history(
    database: Database, owner: str, conversation: str, replaced: str | None = None, pictures: PictureStore | None = None
) -> tuple[Exchange, ...]:
    """Return the last exchanges of a conversation, without those that are being replaced.

    Those about a project tell which changes were proposed and what clients reported, with the pictures they sent.
    """
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        until = messages.get_question(connection, conversation, replaced).id if replaced is not None else None
        found = messages.find(connection, conversation, 2 * _EXCHANGES, until)
        has_calls = any(
            (answer.answer and answer.answer.get("changes")) or _has_calls(answer) for answer in found[1::2]
        )
        results = load_results(stored.find_by_type(connection, conversation, "client_result")) if has_calls else {}

    def make_exchange(question: StoredMessage, answer: StoredMessage) -> Exchange:
        told, own = answer.answer or {}, results.get(answer.id, [])
        images = [image for result in own for image in result.images]
        return Exchange(
            question.content,
            answer.content,
            told.get("question", ""),
            tell_results(told, own),
            pictures.load(conversation, images) if pictures and images else (),
            _list_cited(told),
        )

    pairs = zip(found[::2], found[1::2], strict=False)
    return tuple(make_exchange(question, answer) for question, answer in pairs if answer.content)


def load_workspace(database: Database, asked: AskedQuestion, conversation: str) -> AskedQuestion:
    """Return a question with the instructions and the libraries of its conversation's workspace, if that has one."""
    with database.reading() as connection:
        found = workspaces.find_by_conversation(connection, asked.scope.owner, conversation)
        return asked if found is None else add_workspace(connection, asked, found.id)


def begin_answer(
    connection: Transaction, asked: AskedQuestion, answer: str, process: str, new: bool, replaced: str | None = None
) -> int:
    """Store a question and an empty answer; return the number of the last event before it.

    With `replaced`, the question is another version of that one, and is shown instead of it.
    """
    owner, conversation, now = asked.scope.owner, asked.conversation, time.time()
    after = at = chosen = 0
    parent = branches.ROOT
    if new:
        conversations.create(connection, owner, make_title(asked.question), conversation)
        if asked.workspace:
            workspaces.add_conversation(connection, owner, asked.workspace, conversation)
    else:
        known = conversations.get(connection, owner, conversation, lock=True)
        if messages.find_running(connection, conversation):
            raise Answering("An answer is still being written here.", "Stop it, or wait until it is done.")
        conversations.touch(connection, conversation)
        after = conversations.find_last_seq(connection, conversation)
        nodes = branches.load_nodes(connection, conversation)
        if replaced is not None:
            old = messages.get_question(connection, conversation, replaced)
            parent = next(node.parent for node in nodes if node.id == old.id)
            chosen = branches.find_last_choice(nodes, parent) + 1
            _rename_replaced(connection, known, old, parent, asked.question)
        else:
            parent = next(reversed(branches.trace_path(nodes)), branches.ROOT)
        at = conversations.find_next_position(connection, conversation)

    def message(id: str, **values: Any) -> StoredMessage:
        return StoredMessage(
            id=id, conversation=conversation, owner=owner, created=now, updated=now, after=after, **values
        )

    messages.add(
        connection,
        [
            message(
                asked.question_id,
                position=at,
                role="user",
                content=asked.question,
                state="done",
                asked=_select_stored(asked),
                parent=parent,
                chosen=chosen,
            ),
            message(
                answer,
                position=at + 1,
                role="assistant",
                content="",
                state="running",
                model=asked.chat_model,
                process=process,
                heartbeat=now,
            ),
        ],
    )
    return after


def store_events(
    connection: Transaction,
    asked: AskedQuestion,
    message: str,
    process: str,
    sent: Sequence[Event],
    ended: MessageOutcome | None = None,
) -> None:
    """Store events, and with the last one how the message ended; `LeaseLost` when another process took it over."""
    if not messages.hold(connection, asked.conversation, message, process):
        raise LeaseLost(f"The answer {message} was deleted, or closed by another process.")
    stored.add(connection, asked.conversation, sent)
    if ended:
        messages.close(connection, message, ended)
        conversations.touch(connection, asked.conversation)
        _charge_usage(connection, asked.scope.owner, ended, message)


def charge_answer(connection: Transaction, owner: str, ended: MessageOutcome) -> None:
    """Record the cost of an answer outside any conversation."""
    _charge_usage(connection, owner, ended)


def load_events(
    database: Database, owner: str, conversation: str, after: int, limit: int = _REPLAYED, brief: bool = False
) -> tuple[list[Event], StoredMessage | None]:
    """Return the next stored events after a number, and the message being written, from one snapshot.

    `brief` leaves out events whose data the last event of a finished message repeats.
    """
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        running = messages.find_running(connection, conversation)
        whole = None if not brief else running.id if running else ""
        nodes = branches.load_nodes(connection, conversation)
        hidden = {node.id for node in nodes} - set(branches.trace_path(nodes))
        return stored.find(connection, conversation, after, limit, whole, hidden), running


def find_last_seq(database: Database, owner: str, conversation: str) -> int:
    """Return the number of a conversation's last event, or 0 if it has none."""
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        return conversations.find_last_seq(connection, conversation)


def find_requests(database: Database, held: Sequence[str]) -> StopRequests:
    """Return the requests of users to stop these messages, from any process."""
    with database.reading() as connection:
        return messages.find_requests(connection, held)


def send_heartbeat(connection: Transaction, held: Sequence[str]) -> None:
    """Record that the writer of several messages is alive."""
    messages.update_heartbeats(connection, held)


def ask_to_stop(connection: Transaction, owner: str, conversation: str) -> bool:
    """Ask the writer of one of the owner's conversations to stop; return False when there is none."""
    return messages.ask_to_stop(connection, owner, conversation)


def ask_to_stop_retrieval(connection: Transaction, owner: str, conversation: str) -> bool:
    """Ask the writer of one of the owner's conversations to search no more; return False when there is none."""
    return messages.ask_to_stop_retrieval(connection, owner, conversation)


def remove_conversation(connection: Transaction, owner: str, conversation: str) -> None:
    """Remove a conversation with all its messages."""
    conversations.remove(connection, owner, conversation)


def choose_version(connection: Transaction, owner: str, message: str) -> str:
    """Show this version of a question, or the one that this answer answers; return the id of the conversation."""
    conversation = messages.get(connection, owner, message).conversation
    conversations.get(connection, owner, conversation, lock=True)
    if messages.find_running(connection, conversation):
        raise Answering("An answer is still being written here.", "Stop it, or wait until it is done.")
    branches.choose_version(connection, conversation, messages.get_question(connection, conversation, message).id)
    return conversation


def list_running(database: Database) -> list[StoredMessage]:
    """Return every message that is being written, in any process."""
    with database.reading() as connection:
        return messages.list_running(connection)


def close_abandoned(connection: Transaction, judged: StoredMessage, quota: QuotaSettings, now: float) -> None:
    """Close a message whose writer is gone: its events make its answer, and it has failed. Give back its credits.

    Nothing happens when the writer has given a sign of life since then.
    """
    conversation = judged.conversation
    try:
        conversations.get(connection, judged.owner, conversation, lock=True)
    except NotFound:
        return
    message = messages.find_running(connection, conversation, lock=True)
    if message is None or (message.id, message.heartbeat) != (judged.id, judged.heartbeat):
        return
    said = stored.find_by_message(connection, conversation, message.id, message.after)
    question = messages.get_previous(connection, message).content
    answer = fold(said, question, message.model)
    seq = conversations.find_last_seq(connection, conversation)
    last = [
        stored_events.make_event(seq + 1, message.id, _INTERRUPTED),
        stored_events.make_event(seq + 2, message.id, answer),
    ]
    stored.add(connection, conversation, last)
    ended = stored_events.make_outcome("failed", answer)
    messages.close(connection, message.id, ended)
    conversations.touch(connection, conversation)
    _charge_usage(connection, message.owner, ended, message.id)
    settle_abandoned(connection, quota, message.id, ended, now)


def _list_cited(told: Mapping[str, Any]) -> tuple[tuple[Span, int], ...]:
    """Return the stretches that a stored answer cites, with their numbers."""
    return tuple((Span(each["document"], each["start"], each["end"]), each["n"]) for each in told.get("citations", ()))


def _has_calls(answer: StoredMessage) -> bool:
    return bool(answer.answer and answer.answer.get("calls"))


def _rename_replaced(
    connection: Transaction, known: StoredConversation, old: StoredMessage, parent: str, question: str
) -> None:
    """Rename a conversation that was named after the first question, of which there is a new version."""
    if parent == branches.ROOT and known.title == make_title(old.content):
        conversations.rename(connection, known.owner, known.id, make_title(question))


def _charge_usage(connection: Transaction, owner: str, ended: MessageOutcome, message: str | None = None) -> None:
    usage.add(connection, owner, ended.model, ended.input_tokens, ended.output_tokens, ended.requests, message)


def _select_stored(asked: AskedQuestion) -> dict[str, Any]:
    """Return the settings of a question that are stored: never the profile or the location."""
    scope = asked.scope
    return {
        "focus": asked.focus,
        "chat_model": asked.chat_model,
        "system_model": asked.system_model,
        "library": scope.library,
        **({"library_owner": scope.library_owner} if scope.library_owner else {}),
        "documents": None if scope.documents is None else list(scope.documents),
        **({"libraries": [[key.owner, key.name] for key in scope.libraries]} if scope.libraries is not None else {}),
        **({"tags": list(scope.tags)} if scope.tags is not None else {}),
        "persona": asked.persona,
        **({"workspace": asked.workspace} if asked.workspace else {}),
        **({"workspace_instructions": asked.workspace_instructions} if asked.workspace_instructions else {}),
        "strict": asked.strict,
        **({"project": asked.project} if asked.project else {}),
        **_select_request(asked),
    }


def _select_request(asked: AskedQuestion) -> dict[str, Any]:
    """Return the request that a question continues, as it is stored with it."""
    request = asked.request
    return {"request": {"text": request.text, "question": request.question}} if request else {}
