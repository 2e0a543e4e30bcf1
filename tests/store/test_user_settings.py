from pincite.store import user_settings
from pincite.store.database import Database


def test_a_choice_is_kept_until_it_is_taken_back(either: Database) -> None:
    with either.writing() as connection:
        for value in ("http://one", "http://two"):
            user_settings.set_choice(connection, "ada", user_settings.SEARCH_URL, value)
    with either.reading() as connection:
        assert user_settings.get_choice(connection, "ada", user_settings.SEARCH_URL) == "http://two"
        assert user_settings.get_choice(connection, "eve", user_settings.SEARCH_URL) == ""
        assert user_settings.get_choice(connection, "ada", "other") == ""
    with either.writing() as connection:
        user_settings.set_choice(connection, "ada", user_settings.SEARCH_URL, "")
    with either.reading() as connection:
        assert user_settings.get_choice(connection, "ada", user_settings.SEARCH_URL) == ""
