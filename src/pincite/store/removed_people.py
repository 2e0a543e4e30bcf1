"""Store the ids of people whose deletion has begun, so that it is finished and nothing of theirs is added meanwhile."""

from sqlalchemy import Connection, delete, select, update

from pincite.store.account_schema import removed_people
from pincite.store.upsert import insert_if_absent


def begin(connection: Connection, person: str, now: float) -> bool:
    """Note that the deletion of a person begins; return False if it had begun before."""
    return insert_if_absent(connection, removed_people, {"id": person, "begun": now, "finished": None})


def has_begun(connection: Connection, person: str) -> bool:
    """Whether the deletion of a person has begun."""
    return connection.scalar(select(removed_people.c.id).where(removed_people.c.id == person)) is not None


def finish(connection: Connection, person: str, now: float) -> None:
    """Note that nothing of a person is left."""
    connection.execute(update(removed_people).where(removed_people.c.id == person).values(finished=now))


def list_unfinished(connection: Connection) -> list[str]:
    """Return the people whose deletion has begun and not finished, the first one first."""
    query = select(removed_people.c.id).where(removed_people.c.finished.is_(None))
    return list(connection.scalars(query.order_by(removed_people.c.begun, removed_people.c.id)))


def forget_finished(connection: Connection, before: float) -> int:
    """Remove the ids of people whose deletion finished before a time, and return how many there were."""
    old = delete(removed_people).where(removed_people.c.finished < before)
    return connection.execute(old).rowcount
