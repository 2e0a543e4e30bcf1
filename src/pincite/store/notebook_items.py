"""Store the things that are kept in notebooks, in an order that their owner chooses."""

import time
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from pincite.errors import NotFound
from pincite.store import notebooks
from pincite.store.notebook_schema import notebook_items
from pincite.store.sql_folding import fold_column, split_search_words

ItemKind = Literal["sentence", "answer", "passage", "text"]


@dataclass(frozen=True, slots=True)
class NewItem:
    """A thing to keep: its words, a comment, the question it answers, and its proof at this moment."""

    kind: ItemKind
    text: str
    comment: str = ""
    question: str = ""
    conversation: str = ""
    message: str = ""
    proof: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredItem:
    """The row of a kept thing."""

    id: str
    owner: str
    notebook: str
    position: int
    kind: ItemKind
    text: str
    comment: str
    question: str
    conversation: str
    message: str
    proof: Mapping[str, Any]
    created: float
    updated: float


def add(connection: Connection, owner: str, notebook: str, given: NewItem) -> StoredItem:
    """Add a thing at the end of a notebook."""
    notebooks.get(connection, owner, notebook, lock=True)
    last = connection.scalar(select(func.max(notebook_items.c.position)).where(notebook_items.c.notebook == notebook))
    now = time.time()
    position = 0 if last is None else last + 1
    made = StoredItem(
        id=uuid.uuid4().hex,
        owner=owner,
        notebook=notebook,
        position=position,
        kind=given.kind,
        text=given.text,
        comment=given.comment,
        question=given.question,
        conversation=given.conversation,
        message=given.message,
        proof=dict(given.proof),
        created=now,
        updated=now,
    )
    connection.execute(insert(notebook_items).values(asdict(made)))
    notebooks.touch(connection, notebook)
    return made


def get(connection: Connection, owner: str, notebook: str, item: str) -> StoredItem:
    """Return a thing in one of the owner's notebooks; raise `NotFound` if there is none."""
    query = select(notebook_items).where(*_make_condition(owner, notebook), notebook_items.c.id == item)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such thing in the notebook.", "It may have been removed.", "item")
    return StoredItem(*row)


def find(connection: Connection, owner: str, notebook: str) -> list[StoredItem]:
    """Return the things in one of the owner's notebooks, in their order."""
    query = select(notebook_items).where(*_make_condition(owner, notebook))
    ordered = query.order_by(notebook_items.c.position, notebook_items.c.id)
    return [StoredItem(*row) for row in connection.execute(ordered)]


def find_by_words(connection: Connection, owner: str, words: str, limit: int) -> list[StoredItem]:
    """Return the owner's kept things whose text, comment or question contains all words, the newest first."""
    wanted = split_search_words(words)
    columns = (notebook_items.c.text, notebook_items.c.comment, notebook_items.c.question)
    folded = [fold_column(connection, column) for column in columns]
    conditions = [or_(*(text.contains(word, autoescape=True) for text in folded)) for word in wanted]
    if not conditions:
        return []
    query = select(notebook_items).where(notebook_items.c.owner == owner, and_(*conditions))
    ordered = query.order_by(notebook_items.c.created.desc(), notebook_items.c.id).limit(limit)
    return [StoredItem(*row) for row in connection.execute(ordered)]


def change(connection: Connection, owner: str, notebook: str, item: str, text: str, comment: str) -> StoredItem:
    """Change the words and the comment of a thing."""
    notebooks.get(connection, owner, notebook, lock=True)
    get(connection, owner, notebook, item)
    values = {"text": text, "comment": comment, "updated": time.time()}
    connection.execute(update(notebook_items).where(notebook_items.c.id == item).values(values))
    notebooks.touch(connection, notebook)
    return get(connection, owner, notebook, item)


def set_proof(connection: Connection, item: str, proof: Mapping[str, Any]) -> None:
    """Store the proof of a thing whose pins were moved to their words. The time of its last change stays."""
    connection.execute(update(notebook_items).where(notebook_items.c.id == item).values(proof=dict(proof)))


def move(connection: Connection, owner: str, notebook: str, item: str, place: int) -> None:
    """Move a thing to another place in its notebook, counted from 0; a place past the end is the end."""
    notebooks.get(connection, owner, notebook, lock=True)
    get(connection, owner, notebook, item)
    before = {each.id: each.position for each in find(connection, owner, notebook)}
    order = [each for each in before if each != item]
    order.insert(min(place, len(order)), item)
    for position, each in enumerate(order):
        if before[each] != position:
            change = update(notebook_items).where(notebook_items.c.id == each)
            connection.execute(change.values(position=position))
    notebooks.touch(connection, notebook)


def transfer(connection: Connection, owner: str, notebook: str, item: str, target: str) -> None:
    """Move a thing to the end of another notebook of the owner."""
    for each in sorted({notebook, target}):  # in one order, so that two transfers do not wait for each other
        notebooks.get(connection, owner, each, lock=True)
    get(connection, owner, notebook, item)
    last = connection.scalar(select(func.max(notebook_items.c.position)).where(notebook_items.c.notebook == target))
    values = {"notebook": target, "position": 0 if last is None else last + 1}
    connection.execute(update(notebook_items).where(notebook_items.c.id == item).values(values))
    notebooks.touch(connection, notebook)
    notebooks.touch(connection, target)


def remove(connection: Connection, owner: str, notebook: str, item: str) -> None:
    """Remove a thing from a notebook; raise `NotFound` if there is none."""
    notebooks.get(connection, owner, notebook, lock=True)
    get(connection, owner, notebook, item)
    connection.execute(delete(notebook_items).where(notebook_items.c.id == item))
    notebooks.touch(connection, notebook)


def _make_condition(owner: str, notebook: str) -> tuple[Any, ...]:
    return notebook_items.c.owner == owner, notebook_items.c.notebook == notebook
