"""The metadata that all tables share, and the type of their numbered ids.

The migrations create the indexes, with the same conditions on both databases. The tables here name a condition as
`sqlite_where` alone: `postgresql_where` would import the dialect of PostgreSQL, which takes 50 ms, into every command.
"""

from sqlalchemy import BigInteger, Integer, MetaData

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
Serial = BigInteger().with_variant(Integer, "sqlite")
