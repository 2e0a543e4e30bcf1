"""Define the tables of people, of their ways to sign in, of groups and shares, and of the audit log."""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from pincite.store.schema_metadata import Serial, metadata

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
)

# Who did what to whose, when, from where. Triggers of the database refuse to change or remove a row.
audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=True),
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
