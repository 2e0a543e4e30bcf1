"""Create the list of removed people, and the triggers that refuse new rows of theirs."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# The tables with rows of a person, and the column with the person's id.
_OWNED = {
    "documents": "owner",
    "sources": "owner",
    "jobs": "owner",
    "conversations": "owner",
    "conversation_links": "owner",
    "messages": "owner",
    "ratings": "owner",
    "personas": "owner",
    "choices": "owner",
    "credit_reservations": "account",
}
_SAID = "the account was deleted"


def upgrade() -> None:
    op.create_table(
        "removed_people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("begun", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
    )
    if op.get_bind().dialect.name == "sqlite":
        for table, column in _OWNED.items():
            _create_trigger(table, column, f"RAISE(ABORT, '{_SAID}')")
        # The last transaction of an answer adds a row, and must not fail.
        _create_trigger("usage", "owner", "RAISE(IGNORE)")
    else:
        _create_functions()


def downgrade() -> None:
    raise NotImplementedError("To downgrade, restore a copy of the database from before the upgrade.")


def _create_trigger(table: str, column: str, action: str) -> None:
    op.execute(
        f"CREATE TRIGGER {table}_of_removed BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM removed_people WHERE id = NEW.{column}) BEGIN SELECT {action}; END"
    )


def _create_functions() -> None:
    # The lock on the person makes a deletion wait for transactions that have added rows, and lets later ones see it.
    look = "PERFORM 1 FROM people WHERE id = NEW.{column} FOR KEY SHARE; "
    look += "IF EXISTS (SELECT 1 FROM removed_people WHERE id = NEW.{column}) THEN {action}; END IF; RETURN NEW;"
    refuse = f"RAISE EXCEPTION '{_SAID}'"
    for name, column, action in (
        ("refuse_removed_owner", "owner", refuse),
        ("refuse_removed_account", "account", refuse),
        ("skip_removed_owner", "owner", "RETURN NULL"),
    ):
        body = look.format(column=column, action=action)
        op.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$")
    for table, name in (
        *((table, f"refuse_removed_{column}") for table, column in _OWNED.items()),
        ("usage", "skip_removed_owner"),
    ):
        op.execute(f"CREATE TRIGGER {table}_of_removed BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")
