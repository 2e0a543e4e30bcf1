"""Fold the text of a column in SQL in the same way as `text.folding.fold_in_place` folds text in Python.

So the words of a search are found whatever their case and accents.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, func

from pincite.text.folding import ACCENTED, UNACCENTED, fold_in_place

FUNCTION = "pincite_folded"  # the name under which SQLite calls `fold_in_place`


def fold_column(connection: Connection, column: ColumnElement[str]) -> ColumnElement[str]:
    """Return the folded column; PostgreSQL folds it with `lower` and `translate`."""
    if connection.dialect.name == "sqlite":
        folded: Any = getattr(func, FUNCTION)(column)
        return folded  # type: ignore[no-any-return]
    return func.lower(func.translate(column, ACCENTED, UNACCENTED))


def split_search_words(words: str | None) -> list[str]:
    """Return the folded words of a search, each once."""
    return list(dict.fromkeys(fold_in_place(words or "").split()))
