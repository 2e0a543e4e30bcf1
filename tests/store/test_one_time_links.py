from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from pincite.errors import NotFound
from pincite.store import one_time_links, openid_requests, people
from pincite.store.database import Database
from pincite.store.openid_requests import OpenIdRequest


def test_a_link_is_taken_once_of_many_at_the_same_moment(either: Database) -> None:
    with either.writing() as connection:
        made = one_time_links.create(connection, "invitation", "h" * 64, "ada", 1.0, 100.0, email="bob@example.org")
    start = Barrier(8)

    def take(_: int) -> bool:
        start.wait()
        with either.writing() as connection:
            found = one_time_links.take(connection, "invitation", "h" * 64, 2.0)
        assert found in (None, made)
        return found is not None

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(8))) == 1


def test_a_link_is_found_by_its_kind_until_it_expires(either: Database) -> None:
    with either.writing() as connection:
        made = one_time_links.create(connection, "invitation", "h" * 64, "ada", 1.0, 100.0)
        assert one_time_links.find_by_secret(connection, "invitation", "h" * 64, 99.0) == made
        assert one_time_links.find_by_secret(connection, "reset", "h" * 64, 99.0) is None
        assert one_time_links.find_by_secret(connection, "invitation", "h" * 64, 100.0) is None
        assert one_time_links.take(connection, "invitation", "h" * 64, 100.0) is None
        with pytest.raises(NotFound):
            one_time_links.remove(connection, "invitation", "", 2.0)
        assert one_time_links.remove_expired(connection, 100.0) == 1
        assert one_time_links.find(connection, "invitation", 2.0) == []


def test_an_invitation_is_found_by_its_address_and_no_similar_one(either: Database) -> None:
    with either.writing() as connection:
        made = one_time_links.create(connection, "invitation", "h" * 64, "", 1.0, 100.0, email="Bob@example.org")
        for other in ("bób@example.org", "bob@example.com", ""):
            assert one_time_links.take_for_email(connection, other, 2.0) is None
        assert one_time_links.take_for_email(connection, "bob@EXAMPLE.org", 2.0) == made
        assert one_time_links.take_for_email(connection, "bob@example.org", 2.0) is None


def test_the_resets_of_a_person_go_with_the_person(either: Database) -> None:
    with either.writing() as connection:
        for name in ("ada", "bob"):
            people.create(connection, name, "member", 1.0, id=name)
            one_time_links.create(connection, "reset", name.ljust(64, "h"), "", 1.0, 100.0, person=name)
        people.remove(connection, "ada")
        assert [link.person for link in one_time_links.find(connection, "reset", 2.0)] == ["bob"]
        one_time_links.remove_resets(connection, "bob")
        assert one_time_links.find(connection, "reset", 2.0) == []


def test_a_sign_in_at_an_issuer_is_taken_once_by_its_browser(either: Database) -> None:
    request = OpenIdRequest("s" * 64, "b" * 64, "nonce", "verifier", "/", 100.0)
    with either.writing() as connection:
        openid_requests.create(connection, request)
        assert openid_requests.take(connection, "s" * 64, "x" * 64, 2.0) is None
        assert openid_requests.take(connection, "s" * 64, "b" * 64, 100.0) is None
        assert openid_requests.take(connection, "s" * 64, "b" * 64, 2.0) == request
        assert openid_requests.take(connection, "s" * 64, "b" * 64, 2.0) is None
        openid_requests.create(connection, request)
        assert openid_requests.remove_expired(connection, 100.0) == 1
