from pincite.store import choices
from pincite.store.database import Database


def test_what_somebody_chose_is_kept_until_it_is_taken_back(either: Database) -> None:
    with either.writing() as connection:
        for value in ("http://one", "http://two"):
            choices.keep(connection, "ada", choices.SEARCH_URL, value)
    with either.reading() as connection:
        assert choices.get(connection, "ada", choices.SEARCH_URL) == "http://two"
        assert choices.get(connection, "eve", choices.SEARCH_URL) == ""
        assert choices.get(connection, "ada", "other") == ""
    with either.writing() as connection:
        choices.keep(connection, "ada", choices.SEARCH_URL, "")
    with either.reading() as connection:
        assert choices.get(connection, "ada", choices.SEARCH_URL) == ""
