import base64

from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.secret_values import hash_secret, make_secret


def test_a_secret_has_32_random_bytes_and_may_stand_in_an_address() -> None:
    secrets = {make_secret() for _ in range(200)}
    assert len(secrets) == 200
    for secret in secrets:
        assert len(base64.urlsafe_b64decode(secret + "=")) == 32


@given(st.text(max_size=300))
def test_whatever_a_browser_sends_has_a_hash_and_never_stands_in_it(sent: str) -> None:
    hashed = hash_secret(sent)
    assert len(hashed) == 64
    assert hashed == hash_secret(sent)
    assert len(sent) < 12 or sent not in hashed
