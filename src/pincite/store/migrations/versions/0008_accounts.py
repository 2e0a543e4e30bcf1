"""Create people, sessions, tokens, one-time links, groups, shares and the audit log; drop the unused table `users`."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _reference(column: str, table: str, nullable: bool = False) -> "sa.Column[str]":
    return sa.Column(column, sa.String, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=nullable)


def upgrade() -> None:
    op.drop_table("users")
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("email_key", sa.Text),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("issuer", sa.Text),
        sa.Column("subject", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.UniqueConstraint("name_key"),
        sa.UniqueConstraint("email_key"),
        sa.UniqueConstraint("issuer", "subject"),
        sa.CheckConstraint("role IN ('owner', 'member', 'guest')", name="role"),
    )
    _create_secrets()
    _create_shares()
    op.create_table(
        "audit_log",
        sa.Column("id", _serial, primary_key=True, autoincrement=True),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("whose", sa.String, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index(None, "audit_log", ["whose", "id"])
    op.create_index(None, "audit_log", ["actor", "id"])
    _protect_audit_log()


def downgrade() -> None:
    raise NotImplementedError("To downgrade, restore a copy of the database from before the upgrade.")


def _create_secrets() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        _reference("person", "people"),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
        sa.UniqueConstraint("secret"),
    )
    op.create_index(None, "sessions", ["person"])
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        _reference("person", "people"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("start", sa.String, nullable=False),
        sa.Column("scopes", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
        sa.Column("used", sa.Double),
        sa.UniqueConstraint("secret"),
    )
    op.create_index(None, "access_tokens", ["person"])
    op.create_table(
        "one_time_links",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        _reference("person", "people", nullable=True),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("made_by", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.UniqueConstraint("secret"),
        sa.CheckConstraint("kind IN ('invitation', 'reset')", name="kind"),
        sa.CheckConstraint("(kind = 'reset') = (person IS NOT NULL)", name="person"),
    )
    op.create_index(None, "one_time_links", ["person"])
    op.create_table(
        "sign_in_attempts",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last", sa.Double, nullable=False),
    )
    op.create_index(None, "sign_in_attempts", ["last"])
    op.create_table(
        "openid_requests",
        sa.Column("state", sa.String(64), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("verifier", sa.String, nullable=False),
        sa.Column("return_to", sa.Text, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
    )
    op.create_index(None, "openid_requests", ["expires"])


def _create_shares() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("name_key"),
    )
    op.create_table(
        "group_members",
        _reference("group", "groups"),
        _reference("person", "people"),
        sa.PrimaryKeyConstraint("group", "person"),
    )
    op.create_index(None, "group_members", ["person"])
    op.create_table(
        "library_shares",
        sa.Column("id", sa.String, primary_key=True),
        _reference("owner", "people"),
        sa.Column("library", sa.String, nullable=False),
        _reference("person", "people", nullable=True),
        _reference("group", "groups", nullable=True),
        sa.Column("everyone", sa.Boolean, nullable=False),
        sa.Column("access", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.UniqueConstraint("owner", "library", "person"),
        sa.UniqueConstraint("owner", "library", "group"),
        sa.CheckConstraint("access IN ('reader', 'writer', 'owner')", name="access"),
        sa.CheckConstraint(
            "CASE WHEN person IS NULL THEN 0 ELSE 1 END + "
            'CASE WHEN "group" IS NULL THEN 0 ELSE 1 END + '
            "CASE WHEN everyone THEN 1 ELSE 0 END = 1",
            name="receiver",
        ),
    )
    op.create_index(None, "library_shares", ["person"])
    op.create_index(None, "library_shares", ["group"])
    op.create_index(
        "uq_library_shares_everyone",
        "library_shares",
        ["owner", "library"],
        unique=True,
        sqlite_where=sa.text("everyone"),
        postgresql_where=sa.text("everyone"),
    )
    op.create_table(
        "conversation_links",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        _reference("conversation", "conversations"),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double),
        sa.UniqueConstraint("secret"),
    )
    op.create_index(None, "conversation_links", ["conversation"])
    op.create_index(None, "conversation_links", ["owner"])


def _protect_audit_log() -> None:
    """Let the database refuse to change or remove what the audit log has recorded."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_log_keeps_{verb.lower()} BEFORE {verb} ON audit_log "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_log_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()"
    )
