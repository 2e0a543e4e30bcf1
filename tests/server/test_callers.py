import pytest
from starlette.datastructures import Headers

from pincite.server.callers import read_bearer, read_session_cookie


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ("pincite_session=abc", "abc"),
        ("other=1; pincite_session=abc; more=2", "abc"),
        ('settings={"theme": "dark"}; pincite_session=abc', "abc"),
        ("broken; =; pincite_session=abc", "abc"),
        ("pincite_session=own; pincite_session=of-another-path", "own"),
        ("pincite_session=", ""),
        ("xpincite_session=abc", ""),
        ("pincite_session2=abc", ""),
        ("", ""),
    ],
)
def test_the_session_is_found_among_the_cookies_of_other_programs(sent: str, found: str) -> None:
    assert read_session_cookie(Headers({"Cookie": sent})) == found


@pytest.mark.parametrize(
    ("sent", "found"),
    [("Bearer pin_x", "pin_x"), ("bearer  pin_x ", "pin_x"), ("Basic pin_x", ""), ("pin_x", ""), ("Bearer", "")],
)
def test_a_token_is_read_from_its_header(sent: str, found: str) -> None:
    assert read_bearer(Headers({"Authorization": sent})) == found
