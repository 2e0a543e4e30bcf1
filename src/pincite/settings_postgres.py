"""Define the settings of the section `postgres`: connections, time-outs and other addresses of the same database."""

from typing import Annotated

from pydantic import Field, SecretStr, field_validator

from pincite.settings_section import SettingsSection

_Seconds = Annotated[float, Field(gt=0, le=86_400)]


class PostgresSettings(SettingsSection):
    replica: Annotated[
        SecretStr, Field(description="Address of a read replica for searches; empty is none. Writing never uses it.")
    ] = SecretStr("")
    replica_wait_seconds: Annotated[
        float,
        Field(
            ge=0,
            le=60,
            description="How long a search waits for the replica to have every change that is stored; then it uses "
            "`database`.",
        ),
    ] = 0.05
    direct: Annotated[
        SecretStr,
        Field(
            description="Address of the server itself if `database` is a PgBouncer; empty is none. "
            "Notices between servers and migrations use it."
        ),
    ] = SecretStr("")
    connections: Annotated[
        int, Field(ge=1, le=1000, description="Connections that a process keeps open to each address.")
    ] = 8
    more_connections: Annotated[
        int, Field(ge=0, le=1000, description="Connections beyond these that it opens while it is busy.")
    ] = 24
    pool_seconds: Annotated[_Seconds, Field(description="How long a request waits for a free connection.")] = 30
    connect_seconds: Annotated[
        int, Field(ge=2, le=600, description="How long to wait for the server when a connection is opened.")
    ] = 5
    statement_seconds: Annotated[
        _Seconds,
        Field(description="Longest time for one statement; migrations, backups and building an index have no limit."),
    ] = 60
    lock_seconds: Annotated[_Seconds, Field(description="How long a statement waits for a lock of another.")] = 30
    idle_seconds: Annotated[
        _Seconds, Field(description="A transaction in which nothing happens for so long is ended by the server.")
    ] = 300
    silence_seconds: Annotated[
        int, Field(ge=1, le=3600, description="A server that is silent for so long is taken for lost.")
    ] = 30
    away_seconds: Annotated[
        float,
        Field(ge=0, le=3600, description="How long an answer that is being written waits for a database that is away."),
    ] = 120

    @field_validator("replica", "direct")
    @classmethod
    def _is_postgres(cls, given: SecretStr) -> SecretStr:
        if given.get_secret_value() and not given.get_secret_value().startswith(("postgresql", "postgres:")):
            raise ValueError("it must be an address such as postgresql://user:password@host/name")
        return given
