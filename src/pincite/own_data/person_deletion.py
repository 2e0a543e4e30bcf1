"""Delete everything of a person: documents, conversations, settings, and the account itself.

Every step may be killed and repeated. What has begun is finished by the next call, or when a server starts.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pincite.accounts.audit import Caller
from pincite.accounts.principal import TERMINAL
from pincite.accounts.removal import begin_removal, finish_removal, forget_removals
from pincite.conversations.client_results import PictureStore
from pincite.errors import Busy, NotFound
from pincite.library import Library
from pincite.library.content_writer import TransactionPacer, sweep_generations
from pincite.library.site import remove_unfinished_visits
from pincite.store import (
    audit_log,
    conversations,
    documents,
    job_queue,
    messages,
    owned_rows,
    people,
    removed_people,
    workspaces,
)
from pincite.store.audit_log import RecordedBackup
from pincite.store.lock_order import lock_documents
from pincite.store.process_names import is_gone
from pincite.store.unused_files import lock_file, remove_unused_file

_STOPPING = 5.0  # seconds that running answers have for their end
_LOOK = 0.1  # seconds between two looks whether they have ended
_SERVER = Caller(TERMINAL, "server")
_GUEST_SECONDS = 3600.0  # age of a guest without a session: an answer may still be running


@dataclass(frozen=True, slots=True)
class PersonDeletion:
    """The number of documents and conversations that were deleted, and the backups that still contain them."""

    documents: int
    conversations: int
    backups: tuple[RecordedBackup, ...]


def delete_person(library: Library, caller: Caller, person: str, now: float) -> PersonDeletion:
    """Delete a person with everything that belongs to them; raise `Misuse` for the last owner.

    The caller is the person or an owner of the server. Running answers of the person are stopped first.
    """
    begin_removal(library.database, caller, person, now)
    return _Deletion(library, person).complete(caller, now)


def resume_deletions(library: Library, now: float, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Finish the deletions that a killed process left, and return how many there were."""
    with library.database.reading() as connection:
        unfinished = removed_people.list_unfinished(connection)
    for person in unfinished:
        _Deletion(library, person, should_stop).complete(_SERVER, now)
    forget_removals(library.database, now)
    return len(unfinished)


def delete_lost_guests(library: Library, now: float, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Delete guests whose session has ended, with what they asked: nobody can see it any more. Return their number."""
    with library.database.reading() as connection:
        lost = people.list_lost_guests(connection, now - _GUEST_SECONDS)
    for person in lost:
        begin_removal(library.database, _SERVER, person, now)
        _Deletion(library, person, should_stop).complete(_SERVER, now)
    return len(lost)


class _Deletion:
    """The deletion of one person, which has begun. `should_stop` leaves the rest to the next start."""

    def __init__(self, library: Library, person: str, should_stop: Callable[[], bool] = lambda: False) -> None:
        self._library = library
        self._database = library.database
        self._person = person
        self._should_stop = should_stop

    def complete(self, caller: Caller, now: float) -> PersonDeletion:
        self._stop_answers()
        removed_documents = removed_conversations = 0
        while True:
            removed_conversations += self._remove_conversations()
            removed_documents += self._remove_documents()
            with self._database.writing() as connection:
                workspaces.remove_library_owner(connection, self._person)
                if not owned_rows.remove_owned_rows(connection, self._person):
                    break
        remove_unfinished_visits(self._library.settings.data, self._person)
        self._library.sweep()
        self._erase_words()
        finish_removal(self._database, caller, self._person, now)
        self._database.erase_log()
        with self._database.reading() as connection:
            backups = audit_log.find_backups(connection)
        return PersonDeletion(removed_documents, removed_conversations, tuple(backups))

    def _stop_answers(self) -> None:
        """Ask running answers to stop, in whatever process, and wait a few seconds for their end."""
        with self._database.reading() as connection:
            asked = [each.conversation for each in messages.list_running(connection) if each.owner == self._person]
        for conversation in asked:
            with self._database.writing() as connection:
                messages.ask_to_stop(connection, self._person, conversation)
        ends = time.monotonic() + _STOPPING
        while time.monotonic() < ends:
            self._check_stop()
            with self._database.reading() as connection:
                running = [each for each in messages.list_running(connection) if each.owner == self._person]
            if all(is_gone(each.process.partition(" ")[0]) for each in running):
                return
            time.sleep(_LOOK)

    def _remove_conversations(self) -> int:
        pictures = PictureStore(self._library.settings)
        with self._database.reading() as connection:
            found = conversations.list_ids(connection, self._person)
        for conversation in found:
            self._check_stop()
            pictures.remove(conversation)
            with self._database.writing() as connection:
                try:
                    conversations.remove(connection, self._person, conversation)
                except NotFound:
                    continue  # another process removed it
        with self._database.reading() as connection:
            known = conversations.list_all_ids(connection)
        pictures.remove_unknown(known)
        return len(found)

    def _remove_documents(self) -> int:
        with self._database.reading() as connection:
            found = documents.list_owned(connection, self._person)
        for id, sha256 in found:
            # The content goes first, while the id of the document leads to it: a killed deletion finds it again.
            with self._database.writing() as connection:
                lock_documents(connection, [id])
                job_queue.cancel(connection, id)
                documents.hide(connection, id)
            self._library.passwords.drop(id)
            sweep_generations(self._database, self._library.index, self._should_stop, id)
            self._check_stop()
            with self._database.writing() as connection:
                lock_file(connection, sha256)
                documents.remove(connection, id)
                # The bytes go before the commit: a kill between the two leaves the row, which leads here again.
                remove_unused_file(connection, self._library.files, sha256)
        return len(found)

    def _erase_words(self) -> None:
        """Rewrite the index of words in small steps, because it keeps the words of removed passages until then."""
        pace = TransactionPacer(100, 16, 4_000)
        is_done = False
        while not is_done:
            self._check_stop()
            with pace.writing(self._database, long=True) as connection:
                is_done = self._library.index.erase_removed_words(connection, pace.amount)

    def _check_stop(self) -> None:
        if self._should_stop():
            raise Busy("The server is about to stop.", "The deletion goes on when it starts again.")
