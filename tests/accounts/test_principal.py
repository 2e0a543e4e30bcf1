import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.principal import ROLES, SCOPES, Principal, list_scopes, parse_role, parse_scopes
from pincite.errors import Denied, Misuse


def test_a_guest_may_do_less_than_a_member_and_a_member_less_than_an_owner() -> None:
    assert list_scopes("guest") < list_scopes("member") < list_scopes("owner")
    assert list_scopes("guest") == {"read", "ask"}


@given(st.lists(st.sampled_from([*SCOPES, "", "root", "READ ", "*"])))
def test_scopes_are_those_that_were_named_or_refused(named: list[str]) -> None:
    known = {name.strip().lower() for name in named} - {""}
    try:
        found = parse_scopes(named)
    except Misuse:
        assert not known or not known <= set(SCOPES)
    else:
        assert found == known


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_found_in_any_case(role: str) -> None:
    assert parse_role(f" {role.upper()} ") == role


def test_an_unknown_role_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Misuse) as caught:
        parse_role("admin")
    assert "owner, member, guest" in caught.value.hint


def test_a_request_without_the_scope_is_denied() -> None:
    reader = Principal("ada", "member", frozenset({"read"}), token="t")
    reader.check_scope("read")
    with pytest.raises(Denied) as caught:
        reader.check_scope("write")
    assert caught.value.params == {"scope": "write"}
