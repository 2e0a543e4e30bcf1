"""Define the tables, the same on SQLite and PostgreSQL.

Times are seconds since the epoch. Every row has an owner, if only through its document.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite assigns row ids only to a column declared exactly INTEGER.
_Serial = BigInteger().with_variant(Integer, "sqlite")

people = Table(
    "people",
    metadata,
    # The owner of rows in other tables is one of these ids; without accounts it is the setting `owner`.
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    # Name and e-mail folded by `text.folding.fold_text`, so that two spellings of one name are one person.
    Column("name_key", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("email_key", Text),
    Column("role", String, nullable=False),
    Column("disabled", Boolean, nullable=False),
    # The argon2id hash of the password; empty if the person has none.
    Column("password", Text, nullable=False),
    # The person's id at an OpenID issuer.
    Column("issuer", Text),
    Column("subject", Text),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("name_key"),
    UniqueConstraint("email_key"),
    UniqueConstraint("issuer", "subject"),
    CheckConstraint("role IN ('owner', 'member', 'guest')", name="role"),
)


def _make_person_column(name: str = "person", nullable: bool = False) -> Column[str]:
    return Column(name, String, ForeignKey("people.id", ondelete="CASCADE"), nullable=nullable)


# Of every secret below (`secret`) only the SHA-256 is stored, as 64 hexadecimal digits.
sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret", String(64), nullable=False),
    _make_person_column(),
    Column("address", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("used", Double, nullable=False),
    UniqueConstraint("secret"),
    Index(None, "person"),
)

access_tokens = Table(
    "access_tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret", String(64), nullable=False),
    _make_person_column(),
    Column("name", Text, nullable=False),
    # The first characters of the token, by which a person recognises it.
    Column("start", String, nullable=False),
    # Separated by spaces.
    Column("scopes", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),
    Column("used", Double),
    UniqueConstraint("secret"),
    Index(None, "person"),
)

# Invitations and password resets. `person` is set for a reset; name, e-mail and role are those of an invitation.
one_time_links = Table(
    "one_time_links",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("kind", String, nullable=False),
    _make_person_column(nullable=True),
    Column("email", Text, nullable=False),
    Column("role", String, nullable=False),
    Column("made_by", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    UniqueConstraint("secret"),
    CheckConstraint("kind IN ('invitation', 'reset')", name="kind"),
    CheckConstraint("(kind = 'reset') = (person IS NOT NULL)", name="person"),
    Index(None, "person"),
)

# Failed sign-ins of one name or one address.
sign_in_attempts = Table(
    "sign_in_attempts",
    metadata,
    Column("key", String, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last", Double, nullable=False),
    Index(None, "last"),
)

# Sign-ins at an OpenID issuer that have begun. `browser` is the hash of a cookie, `state` that of the state.
openid_requests = Table(
    "openid_requests",
    metadata,
    Column("state", String(64), primary_key=True),
    Column("browser", String(64), nullable=False),
    Column("nonce", String, nullable=False),
    Column("verifier", String, nullable=False),
    Column("return_to", Text, nullable=False),
    Column("expires", Double, nullable=False),
    Index(None, "expires"),
)

groups = Table(
    "groups",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("created", Double, nullable=False),
    UniqueConstraint("name_key"),
)


def _make_group_column(nullable: bool = False) -> Column[str]:
    return Column("group", String, ForeignKey("groups.id", ondelete="CASCADE"), nullable=nullable)


group_members = Table(
    "group_members",
    metadata,
    _make_group_column(),
    _make_person_column(),
    PrimaryKeyConstraint("group", "person"),
    Index(None, "person"),
)

# A library, named by its owner and its name, is shared with one person, one group, or everyone on the server. The
# shares of a library are removed with its last source.
library_shares = Table(
    "library_shares",
    metadata,
    Column("id", String, primary_key=True),
    _make_person_column("owner"),
    Column("library", String, nullable=False),
    _make_person_column(nullable=True),
    _make_group_column(nullable=True),
    Column("everyone", Boolean, nullable=False),
    Column("access", String, nullable=False),
    Column("created", Double, nullable=False),
    UniqueConstraint("owner", "library", "person"),
    UniqueConstraint("owner", "library", "group"),
    CheckConstraint("access IN ('reader', 'writer', 'owner')", name="access"),
    CheckConstraint(
        "CASE WHEN person IS NULL THEN 0 ELSE 1 END + "
        'CASE WHEN "group" IS NULL THEN 0 ELSE 1 END + '
        "CASE WHEN everyone THEN 1 ELSE 0 END = 1",
        name="receiver",
    ),
    Index(None, "person"),
    Index(None, "group"),
)
# One share with everyone for each library.
Index(
    "uq_library_shares_everyone",
    library_shares.c.owner,
    library_shares.c.library,
    unique=True,
    sqlite_where=library_shares.c.everyone,
    postgresql_where=library_shares.c.everyone,
)

# Who did what to whose, when, from where. Triggers of the database refuse to change or remove a row.
audit_log = Table(
    "audit_log",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("time", Double, nullable=False),
    # Ids of people, without a foreign key: the log outlives them. Empty is nobody who is signed in.
    Column("actor", String, nullable=False),
    Column("action", String, nullable=False),
    Column("whose", String, nullable=False),
    # The id of the session, token, group, library … that was acted on.
    Column("target", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("details", JSON, nullable=False),
    Index(None, "whose", "id"),
    Index(None, "actor", "id"),
    sqlite_autoincrement=True,
)

# People whose deletion has begun. Triggers of the database refuse new rows of their owner, so that a request that was
# made before cannot leave anything behind. A row is removed a while after its deletion has finished.
removed_people = Table(
    "removed_people",
    metadata,
    Column("id", String, primary_key=True),
    Column("begun", Double, nullable=False),
    Column("finished", Double),
)

documents = Table(
    "documents",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("kind", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("language", String, nullable=False),
    Column("status", String, nullable=False),
    Column("error", Text, nullable=False),
    Column("problems", JSON, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("passages", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("date", String(10)),
    Column("analysis", Integer, nullable=False),
    Column("cut", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    # The code of the error in `error`, for programs.
    Column("error_code", String, nullable=False, server_default=""),
    # The title that a user gave; empty if `title` is the one that was read.
    Column("given_title", Text, nullable=False, server_default=""),
    # The visible content; null until the document was read.
    Column("generation", BigInteger),
    UniqueConstraint("owner", "sha256"),
    CheckConstraint("status IN ('queued', 'reading', 'searchable', 'embedding', 'ready', 'failed')", name="status"),
    Index(None, "owner", "status"),
    Index(None, "language"),
    Index(None, "generation"),
)

# The content of a document from one reading. It is visible if its document refers to it; any other is being written, or
# waits to be removed, a few rows at a time. It has no foreign key, because it outlives its document until it is
# removed.
generations = Table(
    "generations",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("document", String, nullable=False),
    # The process that writes it; empty if none does.
    Column("writer", String, nullable=False),
    Index(None, "document"),
    sqlite_autoincrement=True,
)


def _make_document_column() -> Column[str]:
    return Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), nullable=False)


def _make_generation_column() -> Column[int]:
    return Column("generation", BigInteger, ForeignKey("generations.id", ondelete="CASCADE"), nullable=False)


sources = Table(
    "sources",
    metadata,
    Column("owner", String, nullable=False),
    Column("library", String, nullable=False),
    Column("location", Text, nullable=False),
    _make_document_column(),
    Column("size", BigInteger, nullable=False),
    Column("modified", Double, nullable=False),
    PrimaryKeyConstraint("owner", "library", "location"),
    Index(None, "document"),
)

contents = Table(
    "contents",
    metadata,
    _make_generation_column(),
    Column("part", Integer, nullable=False),
    Column("blocks", LargeBinary, nullable=False),
    PrimaryKeyConstraint("generation", "part"),
)

texts = Table(
    "texts",
    metadata,
    _make_generation_column(),
    Column("start", Integer, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("generation", "start"),
)

pages = Table(
    "pages",
    metadata,
    _make_generation_column(),
    Column("number", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("width", Double, nullable=False),
    Column("height", Double, nullable=False),
    Column("boxes", LargeBinary, nullable=False),
    # The page number as printed, if it differs from `number`.
    Column("label", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("generation", "number"),
)

concordances = Table(
    "concordances",
    metadata,
    _make_generation_column(),
    Column("part", Integer, nullable=False),
    # The version of the code that made it during reading; 0 if it was made later from rows, which contain less about a
    # page.
    Column("version", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("generation", "part"),
)

passages = Table(
    "passages",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    _make_generation_column(),
    Column("ordinal", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("headings", JSON, nullable=False),
    Column("first_page", Integer, nullable=False),
    Column("last_page", Integer, nullable=False),
    UniqueConstraint("generation", "ordinal"),
    # The index stores words and vectors under these ids, so an id must never be used twice.
    sqlite_autoincrement=True,
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("owner", String, nullable=False),
    _make_document_column(),
    Column("step", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("worker", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("turn", BigInteger, nullable=False, server_default="0"),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Column("not_before", Double, nullable=False, server_default="0"),
    Column("done", Integer, nullable=False, server_default="0"),
    Column("total", Integer, nullable=False, server_default="0"),
    UniqueConstraint("document", "step"),
    CheckConstraint("step IN ('read', 'embed')", name="step"),
    CheckConstraint("state IN ('queued', 'running')", name="state"),
    Index(
        "ix_jobs_queued",
        "step",
        "priority",
        "turn",
        "id",
        sqlite_where=text("state = 'queued'"),
        postgresql_where=text("state = 'queued'"),
    ),
    Index(
        "ix_jobs_running",
        "lease_until",
        sqlite_where=text("state = 'running'"),
        postgresql_where=text("state = 'running'"),
    ),
    Index(None, "owner", "priority", "step", "turn"),
    sqlite_autoincrement=True,
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Index(None, "owner", "updated", "id"),
)


def _make_conversation_column() -> Column[str]:
    return Column("conversation", String, ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False)


# Anybody with the link may read the conversation, until the row is removed or expires.
conversation_links = Table(
    "conversation_links",
    metadata,
    Column("id", String, primary_key=True),
    Column("secret", String(64), nullable=False),
    _make_conversation_column(),
    Column("owner", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),
    UniqueConstraint("secret"),
    Index(None, "conversation"),
    Index(None, "owner"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", String, primary_key=True),
    _make_conversation_column(),
    Column("owner", String, nullable=False),
    Column("position", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("content", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("asked", JSON, nullable=False),
    Column("answer", JSON(none_as_null=True)),
    Column("model", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    # The number of the conversation's last event before the first of this message.
    Column("after", Integer, nullable=False),
    # The process that writes it, its last heartbeat, and whether a user asked to stop it or its searches.
    Column("process", String, nullable=False),
    Column("heartbeat", Double, nullable=False),
    Column("stopping", Boolean, nullable=False),
    Column("stopping_retrieval", Boolean, nullable=False, server_default=false()),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("conversation", "position"),
    CheckConstraint("role IN ('user', 'assistant')", name="role"),
    CheckConstraint("state IN ('running', 'done', 'stopped', 'failed')", name="state"),
)

_RUNNING = text("state = 'running'")
Index("ix_messages_running", messages.c.conversation, postgresql_where=_RUNNING, sqlite_where=_RUNNING)

events = Table(
    "events",
    metadata,
    _make_conversation_column(),
    Column("seq", Integer, nullable=False),
    Column("message", String, nullable=False),
    Column("type", String, nullable=False),
    Column("data", JSON, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("conversation", "seq"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("message", String, ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String, nullable=False),
    Column("value", Integer, nullable=False),
    Column("comment", Text, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("message", "owner"),
    CheckConstraint("value IN (-1, 1)", name="value"),
)

usage = Table(
    "usage",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("owner", String, nullable=False),
    # Usage stays when its conversation is removed; it contains no text of it.
    Column("message", String, ForeignKey("messages.id", ondelete="SET NULL")),
    Column("model", String, nullable=False),
    Column("role", String, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("role IN ('chat', 'system')", name="role"),
    Index(None, "owner", "created"),
    Index(None, "message"),
)

personas = Table(
    "personas",
    metadata,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("name", Text, nullable=False),
    Column("instructions", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    UniqueConstraint("owner", "name"),
)

choices = Table(
    "choices",
    metadata,
    Column("owner", String, nullable=False),
    Column("key", String, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("owner", "key"),
)

calibrations = Table(
    "calibrations",
    metadata,
    Column("model", String, primary_key=True),
    Column("agreed", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("passed", Integer, nullable=False),
    Column("doubted", Integer, nullable=False),
    Column("unjudged", Integer, nullable=False),
    Column("version", String, nullable=False),
    Column("when", Double, nullable=False),
)

# Amounts of credits are integers, in millionths of a credit. `account` is the id of a person, or of a guest, who has no
# row in `people`; empty after the person was removed. `month` is a month in UTC, as 2031-05.

# The sum of the bookings and of the open reservations of an account in a month.
credit_balances = Table(
    "credit_balances",
    metadata,
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("spent", BigInteger, nullable=False),
    Column("reserved", BigInteger, nullable=False),
    PrimaryKeyConstraint("account", "month"),
    CheckConstraint("spent >= 0 AND reserved >= 0", name="amounts"),
    Index(None, "month"),
)

credit_reservations = Table(
    "credit_reservations",
    metadata,
    Column("id", String, primary_key=True),
    Column("account", String, nullable=False),
    # The role of the person, which decides the allowance.
    Column("role", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("amount", BigInteger, nullable=False),
    # `returned`: nothing was spent, or the process that held it ended.
    Column("state", String, nullable=False),
    Column("holder", String, nullable=False),
    Column("lease_until", Double, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("state IN ('open', 'settled', 'returned')", name="state"),
    CheckConstraint("amount >= 0", name="amount"),
    Index(None, "account"),
    Index(None, "state", "holder"),
)

# The cost of an answer, one row for each model, and one for its requests to the web.
credit_bookings = Table(
    "credit_bookings",
    metadata,
    Column("reservation", String, ForeignKey("credit_reservations.id"), nullable=False),
    Column("model", String, nullable=False),
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("reservation", "model"),
    CheckConstraint("amount >= 0", name="amount"),
    Index(None, "account", "month"),
)

# The month's allowance of one account, in place of the one of its role; null is no limit.
quota_overrides = Table(
    "quota_overrides",
    metadata,
    Column("account", String, primary_key=True),
    Column("amount", BigInteger),
    CheckConstraint("amount >= 0", name="amount"),
)

quota_warnings = Table(
    "quota_warnings",
    metadata,
    # Empty for the whole server.
    Column("account", String, nullable=False),
    Column("month", String(7), nullable=False),
    Column("percent", Integer, nullable=False),
    Column("created", Double, nullable=False),
    PrimaryKeyConstraint("account", "month", "percent"),
)

referral_codes = Table(
    "referral_codes",
    metadata,
    Column("person", String, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("code", String, nullable=False),
    Column("created", Double, nullable=False),
    UniqueConstraint("code"),
)

# The primary key lets a person redeem one code. Ids outlive people: a removed person still counts for the other.
referral_redemptions = Table(
    "referral_redemptions",
    metadata,
    Column("redeemer", String, primary_key=True),
    Column("referrer", String, nullable=False),
    # The credits that each of the two gets in every month.
    Column("redeemer_amount", BigInteger, nullable=False),
    Column("referrer_amount", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
    CheckConstraint("redeemer <> referrer", name="people"),
    Index(None, "referrer"),
)

# A move of the whole store to another database. The source gets a row with the role `source`, which ends as `moved`:
# from then on the source refuses changes. The target gets one with the role `target`, which ends as `complete`: until
# then nobody may use the target. Both have the same id.
moves = Table(
    "moves",
    metadata,
    Column("id", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("state", String, nullable=False),
    # The address of the other database, without a password.
    Column("other", Text, nullable=False),
    # What is copied so far, and what has to be put back when everything is.
    Column("progress", JSON, nullable=False),
    Column("started", Double, nullable=False),
    Column("ended", Double),
    CheckConstraint("role IN ('source', 'target')", name="role"),
    CheckConstraint("state IN ('copying', 'moved', 'complete')", name="state"),
)

# The rows that changed while a move copies the others, noted by triggers: a table and the key, as a JSON list.
move_changes = Table(
    "move_changes",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("changed", String, nullable=False),
    Column("key", Text, nullable=False),
    sqlite_autoincrement=True,
)

# The limits of requests in a minute, shared by all servers. A bucket is the time at which it is full again.
rate_buckets = Table(
    "rate_buckets",
    metadata,
    Column("key", String, primary_key=True),
    Column("full_at", Double, nullable=False),
)

# Passwords of documents that wait to be read by a worker elsewhere, encrypted; removed when the reading is over.
document_passwords = Table(
    "document_passwords",
    metadata,
    Column("document", String, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("encrypted", String, nullable=False),
)
