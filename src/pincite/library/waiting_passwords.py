"""Keep the passwords of encrypted documents until a worker has read them.

On SQLite a password is in the memory of the process that took it, and nowhere else. On PostgreSQL the worker may be on
another machine: there it is stored, encrypted with a key made from the password of the database address, which every
server and worker has and the database itself does not hold. It is removed when the reading is over.
"""

import hashlib
import json
import logging
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.store import document_passwords
from pincite.store.database import Connection, Database

if TYPE_CHECKING:
    from joserfc.jwk import OctKey

log = logging.getLogger(__name__)

_METHOD = {"alg": "dir", "enc": "A256GCM"}


class WaitingPasswords:
    """The passwords of documents that wait to be read: shared with other processes if the database has a password."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._secret = "" if database.sqlite else database.engine.url.password or ""
        self._in_memory: dict[str, str] = {}  # used on SQLite, and without a password in the database address

    def put(self, connection: Connection, document: str, password: str) -> None:
        """Keep a password, in the transaction in which the document is queued: before the job can be seen."""
        if not self._secret:
            self._in_memory[document] = password
            return
        from joserfc import jwe

        told = json.dumps({"document": document, "password": password}).encode()
        document_passwords.put(connection, document, jwe.encrypt_compact(_METHOD, told, self._key))

    def get(self, document: str) -> str | None:
        """Return the password of a document, or None if none was given."""
        if not self._secret:
            return self._in_memory.get(document)
        with self._database.reading() as connection:
            encrypted = document_passwords.find(connection, document)
        return self._decrypt(document, encrypted) if encrypted else None

    def drop(self, document: str) -> None:
        """Forget the password of a document."""
        self._in_memory.pop(document, None)
        if self._secret:
            with self._database.writing() as connection:
                document_passwords.remove(connection, document)

    def _decrypt(self, document: str, encrypted: str) -> str | None:
        from joserfc import jwe
        from joserfc.errors import JoseError

        try:
            # Only the method of `put`: an attacker who writes rows cannot choose another one.
            opened = jwe.decrypt_compact(encrypted, self._key, algorithms=list(_METHOD.values()))
            told = json.loads(opened.plaintext or b"{}")
        except (JoseError, ValueError):
            log.warning(
                "The password of document %s was stored by a server whose database address has another password.",
                document,
            )
            return None
        return str(told["password"]) if told.get("document") == document else None

    @cached_property
    def _key(self) -> "OctKey":
        from joserfc.jwk import OctKey

        # Slow on purpose: a password of a database may be one that can be guessed.
        made = hashlib.scrypt(self._secret.encode(), salt=b"pincite document passwords", n=2**14, r=8, p=1, dklen=32)
        return OctKey.import_key(made)
