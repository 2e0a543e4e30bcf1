import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.principal import ALL_SCOPES, TERMINAL, Principal, list_scopes
from pincite.accounts.quota_accounts import (
    QuotaAccount,
    find_account,
    find_network,
    load_guest_key,
    make_guest_account,
    make_person_account,
)
from pincite.errors import Misuse
from pincite.store.database import Database

KEY = b"key"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "unknown"),
        ("", "unknown"),
    ],
)
def test_one_subscriber_is_one_network(address: str, network: str) -> None:
    assert find_network(address) == network


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_a_guest_cannot_change_the_account_by_another_address_of_the_same_network(address: object, other: int) -> None:
    from ipaddress import IPv6Address

    assert isinstance(address, IPv6Address)
    neighbour = IPv6Address(int(address) >> 64 << 64 | other)
    if not (address.ipv4_mapped or neighbour.ipv4_mapped):
        assert make_guest_account(KEY, str(address), "2031-05") == make_guest_account(KEY, str(neighbour), "2031-05")


def test_the_account_of_a_guest_depends_on_month_address_and_key() -> None:
    account = make_guest_account(KEY, "203.0.113.9", "2031-05")
    assert account.is_guest
    others = [
        make_guest_account(KEY, "203.0.113.9", "2031-06"),
        make_guest_account(KEY, "203.0.113.8", "2031-05"),
        make_guest_account(b"other", "203.0.113.9", "2031-05"),
    ]
    assert len({account.id, *(other.id for other in others)}) == 4


def test_the_key_is_made_once(either: Database) -> None:
    with either.writing() as connection:
        key = load_guest_key(connection)
    with either.reading() as connection:
        assert load_guest_key(connection) == key
    assert len(key) == 32


def test_a_person_pays_and_the_terminal_cannot() -> None:
    assert make_person_account(Principal("ada", "owner", ALL_SCOPES)) == QuotaAccount("ada", "owner")
    with pytest.raises(Misuse):
        make_person_account(TERMINAL)


def test_guests_of_one_address_pay_from_one_account_however_often_they_begin_anew(either: Database) -> None:
    guests = [Principal(name, "guest", list_scopes("guest")) for name in ("first", "second")]
    with either.writing() as connection:
        one, other = (find_account(connection, guest, "203.0.113.9", "2031-05") for guest in guests)
        assert one == other
        assert find_account(connection, guests[0], "203.0.113.8", "2031-05") != one
        person = Principal("ada", "member", list_scopes("member"))
        assert find_account(connection, person, "203.0.113.9", "2031-05") == QuotaAccount("ada", "member")
