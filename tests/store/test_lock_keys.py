from sqlalchemy import text

from pincite.index.postgres_index import PostgresIndex
from pincite.store import lock_keys
from pincite.store.credits import lock_credits
from pincite.store.database import Database
from pincite.store.exclusive_work import work_alone
from pincite.store.move_records import hold_move


def test_no_two_kinds_of_work_have_the_same_key() -> None:
    keys = [value for name, value in vars(lock_keys).items() if name.isupper()]
    assert len(keys) == len(set(keys)) > 5


def test_a_question_reserves_credits_while_segments_are_merged(postgres: Database) -> None:
    with postgres.writing() as merging, postgres.writing() as asking:
        PostgresIndex().merge(merging)
        asking.execute(text("SET LOCAL lock_timeout = 200"))
        lock_credits(asking)


def test_a_move_begins_while_a_server_cleans_up(postgres: Database) -> None:
    with work_alone(postgres, "cleanup") as is_alone, hold_move(postgres):
        assert is_alone


def test_a_move_begins_at_once_when_another_has_ended(postgres: Database) -> None:
    for _ in range(30):
        with hold_move(postgres):
            pass
