from typing import Any

import pytest

from pincite.accounts.link_addresses import make_link_address, make_redirect_uri
from pincite.settings import load_settings


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"server": {"host": "::1", "port": 9}}, "http://[::1]:9"),
        ({"accounts": {"url": "https://pincite.example.org/team/"}}, "https://pincite.example.org/team"),
    ],
)
def test_a_link_leads_to_the_server_and_its_secret_is_in_no_request(given: dict[str, Any], address: str) -> None:
    settings = load_settings(**given)
    assert make_link_address(settings, "invitation", "s3cret") == f"{address}/join#s3cret"
    assert make_link_address(settings, "reset", "s3cret") == f"{address}/reset#s3cret"
    assert make_link_address(settings, "conversation", "s3cret") == f"{address}/shared#s3cret"
    assert make_redirect_uri(settings).startswith(f"{address}/api/")
