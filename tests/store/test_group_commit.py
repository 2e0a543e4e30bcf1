"""Writes that come together are committed together, and each is whole or not at all."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, event, text

from pincite.errors import LeaseLost
from pincite.store.database import Database
from pincite.store.group_commit import GroupWriter

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def numbers(database: Database) -> Database:
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE numbers (n INTEGER)"))
    return database


def put(number: int) -> Callable[[Connection], int]:
    def write(connection: Connection) -> int:
        connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": number})
        return number * 10

    return write


def read(database: Database) -> list[int]:
    with database.reading() as connection:
        return list(connection.scalars(text("SELECT n FROM numbers ORDER BY rowid")))


def refuse(connection: Connection) -> None:
    connection.execute(text("INSERT INTO numbers VALUES (-1)"))
    raise LeaseLost("Not yours.")


async def test_a_hundred_writes_at_once_take_few_transactions_and_keep_their_order(numbers: Database) -> None:
    begun: list[Connection] = []
    event.listen(numbers.engine, "commit", begun.append)
    writer = GroupWriter(numbers)
    results = await asyncio.gather(*(writer.write(put(number)) for number in range(100)))
    assert results == [number * 10 for number in range(100)]
    assert read(numbers) == list(range(100))
    assert len(begun) <= 10


async def test_a_write_that_is_refused_undoes_itself_alone(numbers: Database) -> None:
    writer = GroupWriter(numbers)
    results = await asyncio.gather(
        writer.write(put(1)), writer.write(refuse), writer.write(put(2)), return_exceptions=True
    )
    assert results[0] == 10
    assert isinstance(results[1], LeaseLost)
    assert results[2] == 20
    assert read(numbers) == [1, 2]


async def test_a_write_is_committed_before_its_caller_goes_on(numbers: Database) -> None:
    writer = GroupWriter(numbers)

    async def write_and_look(number: int) -> bool:
        await writer.write(put(number))
        return number in read(numbers)

    assert all(await asyncio.gather(*(write_and_look(number) for number in range(20))))


async def test_a_caller_that_leaves_does_not_stop_the_writes_of_others(numbers: Database) -> None:
    writer = GroupWriter(numbers)
    leaving = asyncio.create_task(writer.write(put(1)))
    staying = asyncio.create_task(writer.write(put(2)))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == 20
    assert read(numbers) == [1, 2]
    assert await writer.write(put(3)) == 30
