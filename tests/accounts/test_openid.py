from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import ECKey, OctKey

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.invitations import invite_person, list_invitations
from pincite.accounts.openid import OpenIdSignIn, begin_openid_sign_in, clean_path, complete_openid_sign_in
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.roles import set_disabled
from pincite.accounts.sign_in_sessions import identify_session
from pincite.errors import IssuerError, Misuse, NotSignedIn, Taken
from pincite.settings import load_settings
from pincite.settings_accounts import AccountSettings
from pincite.store import people
from pincite.store.database import Database
from tests.accounts.conftest import NOW, Team, at_once
from tests.accounts.issuer import CLIENT, SECRET, Issuer, make_key, run_issuer

_RETURN = "https://pincite.example.org/api/accounts/openid/return"
_KEY = make_key()


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with run_issuer(_KEY, NOW) as running:
        running.person = {"sub": "1234", "email": "ada@example.org", "email_verified": True, "name": "Ada"}
        yield running


@pytest.fixture
def one(database: Database, hashing: PasswordHashing) -> Team:
    """A server on SQLite alone, for promises that the database has no part in."""
    return Team(database, hashing)


@pytest.fixture
def client() -> Iterator[httpx2.Client]:
    with httpx2.Client() as made:
        yield made


def _settings(issuer: Issuer, **given: Any) -> AccountSettings:
    chosen = {"mode": "team", "issuer": issuer.url, "client_id": CLIENT, "client_secret": SECRET, "join": True}
    return load_settings(accounts=chosen | given).accounts


def _sign_in(
    team: Team, issuer: Issuer, client: httpx2.Client, now: float = NOW, return_to: str = "/", **given: Any
) -> OpenIdSignIn:
    settings = _settings(issuer, **given)
    begun = begin_openid_sign_in(team.database, settings, client, _RETURN, NOW, return_to)
    brought = issuer.approve(begun.url)
    return complete_openid_sign_in(team.database, settings, client, _RETURN, brought, begun.browser_secret, now)


def _count(team: Team) -> int:
    with team.database.reading() as connection:
        return people.count(connection)


def test_a_person_whom_the_issuer_knows_gets_an_account_and_keeps_it(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    first = _sign_in(team, issuer, client, return_to="/library?x=1")
    person = first.signed.person
    assert (person.name, person.email, person.role) == ("Ada", "ada@example.org", "member")
    assert first.return_to == "/library?x=1"
    assert identify_session(team.database, _settings(issuer), first.signed.secret, NOW).user == person.id
    # The subject decides, whatever the address and the name are by now.
    issuer.person |= {"email": "lovelace@example.org", "name": "Countess"}
    assert _sign_in(team, issuer, client).signed.person == person
    actions = [entry.action for entry in list_audit(team.database, AT_TERMINAL)]
    assert actions == ["sign_in", "sign_in", "account.join"]


def test_an_account_with_the_verified_address_is_linked(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    ada = team.add("Countess", "owner", email="Ada@Example.org")
    assert _sign_in(team, issuer, client).signed.person.id == ada.id
    assert team.get(ada).subject == "1234"
    assert _count(team) == 1


@pytest.mark.parametrize("verified", [False, None, "false", 0, "yes"])
def test_an_address_that_the_issuer_has_not_verified_opens_no_account(
    one: Team, issuer: Issuer, client: httpx2.Client, verified: object
) -> None:
    ada = one.add("Countess", "owner", email="ada@example.org")
    issuer.person["email_verified"] = verified
    signed = _sign_in(one, issuer, client).signed
    assert signed.person.id != ada.id
    assert signed.person.email == ""
    assert one.get(ada).subject is None


def test_an_address_that_only_looks_alike_opens_no_account(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    team.add("Countess", "owner", email="ada@example.org")
    issuer.person["email"] = "àda@example.org"
    with pytest.raises(Taken):
        _sign_in(team, issuer, client)


def test_an_address_that_was_given_to_somebody_new_does_not_open_the_old_account(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    _sign_in(team, issuer, client)
    issuer.person["sub"] = "5678"
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, issuer, client)
    assert caught.value.reason == "subject"


def test_a_disabled_person_stays_out(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    person = _sign_in(team, issuer, client).signed.person
    set_disabled(team.database, AT_TERMINAL, person.id, True, NOW)
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, issuer, client)
    assert caught.value.reason == "disabled"


def test_where_nobody_may_join_an_invitation_or_an_account_is_needed(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, issuer, client, join=False)
    assert caught.value.reason == "join"
    invite_person(team.database, _settings(issuer), AT_TERMINAL, "owner", NOW, "ADA@example.org")
    assert _sign_in(team, issuer, client, join=False).signed.person.role == "owner"
    assert list_invitations(team.database, AT_TERMINAL, NOW) == []


@pytest.mark.parametrize(
    ("email", "joins"),
    [
        ("ada@example.org", True),
        ("ada@EXAMPLE.ORG", True),
        ("ada@example.org.evil.example", False),
        ("ada@sub.example.org", False),
        ("ada@evil.example", False),
        ("", False),
    ],
)
def test_only_people_of_the_named_domains_join(
    one: Team, issuer: Issuer, client: httpx2.Client, email: str, joins: bool
) -> None:
    issuer.person["email"] = email
    try:
        _sign_in(one, issuer, client, domains=["example.org"])
    except NotSignedIn:
        assert not joins
    assert _count(one) == joins


def test_a_name_that_is_taken_gets_a_number(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    team.add("ADA")
    assert _sign_in(team, issuer, client).signed.person.name == "Ada 2"


@pytest.mark.parametrize("name", ["", "…", "\u0000", "x" * 300, 7, None, ["Ada"]])
def test_a_person_without_a_usable_name_gets_one(
    one: Team, issuer: Issuer, client: httpx2.Client, name: object
) -> None:
    issuer.person = {"sub": "1234", "name": name}
    assert _sign_in(one, issuer, client).signed.person.name.startswith("person ")


def test_many_first_sign_ins_of_one_person_at_once_make_one_account(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    results = at_once([partial(_sign_in, team, issuer, client)] * 6)
    assert [result for result in results if not isinstance(result, OpenIdSignIn)] == []
    assert _count(team) == 1


def test_a_sign_in_that_overtakes_another_of_the_same_person_finds_its_account(
    team: Team, issuer: Issuer, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _sign_in(team, issuer, client).signed.person
    # The account was made just after this sign-in looked for its subject, and before it looked for its address.
    monkeypatch.setattr(people, "find_by_subject", lambda *_: None)
    assert _sign_in(team, issuer, client).signed.person == first


def test_the_address_comes_from_the_user_info_where_the_token_has_none(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    issuer.user_info = {"email": "ada@example.org", "email_verified": True}
    assert _sign_in(team, issuer, client).signed.person.email == "ada@example.org"


def test_user_info_of_another_person_is_refused(one: Team, issuer: Issuer, client: httpx2.Client) -> None:
    issuer.user_info = {"sub": "5678", "email": "ada@example.org", "email_verified": True}
    with pytest.raises(NotSignedIn):
        _sign_in(one, issuer, client)


def test_a_secret_in_the_form_and_a_key_on_a_curve_work_too(one: Team, issuer: Issuer, client: httpx2.Client) -> None:
    issuer.discovery["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    issuer.key, issuer.algorithm = ECKey.generate_key("P-256", {"kid": "curve"}), "ES256"
    assert _sign_in(one, issuer, client).signed.person.name == "Ada"


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "another client"},
        {"aud": ["another client"]},
        {"aud": None},
        {"aud": [CLIENT, "another client"], "azp": "another client"},
        {"exp": int(NOW) - 200},
        {"exp": None},
        {"iat": None},
        {"iat": int(NOW) + 10_000},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 300},
        {"sub": "a\u0000b"},
        {"at_hash": "d3Jvbmc"},
    ],
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(
    one: Team, issuer: Issuer, client: httpx2.Client, changed: dict[str, object]
) -> None:
    issuer.changed = changed
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(one, issuer, client)
    assert caught.value.reason == "id_token"
    assert _count(one) == 0


def test_a_token_of_another_key_is_refused(one: Team, issuer: Issuer, client: httpx2.Client) -> None:
    issuer.published = [make_key("first").as_dict(private=False)]
    with pytest.raises(NotSignedIn):
        _sign_in(one, issuer, client)
    issuer.published = []
    with pytest.raises(NotSignedIn):
        _sign_in(one, issuer, client)


def test_a_token_signed_with_a_shared_secret_is_refused(one: Team, issuer: Issuer, client: httpx2.Client) -> None:
    shared = OctKey.import_key(SECRET.ljust(32, "x"), {"kid": "first"})
    issuer.published = [shared.as_dict(private=True), _KEY.as_dict(private=False)]
    issuer.key, issuer.algorithm = shared, "HS256"
    with pytest.raises(NotSignedIn):
        _sign_in(one, issuer, client)


def test_the_issuer_may_change_its_keys_between_two_sign_ins(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    first = _sign_in(team, issuer, client).signed.person
    issuer.key = make_key("second")
    assert _sign_in(team, issuer, client).signed.person.id == first.id


def test_a_sign_in_is_completed_once_in_the_browser_that_began_it(
    team: Team, issuer: Issuer, client: httpx2.Client
) -> None:
    settings = _settings(issuer)
    begun, other = (begin_openid_sign_in(team.database, settings, client, _RETURN, NOW) for _ in range(2))
    assert begun.browser_secret not in repr(begun)
    complete = partial(complete_openid_sign_in, team.database, settings, client, _RETURN)
    brought = issuer.approve(begun.url)
    for browser in ("", other.browser_secret):
        with pytest.raises(NotSignedIn) as caught:
            complete(brought, browser, NOW)
        assert caught.value.reason == "state"
    with pytest.raises(NotSignedIn):
        complete(brought | {"state": "guessed"}, begun.browser_secret, NOW)
    complete(brought, begun.browser_secret, NOW)
    with pytest.raises(NotSignedIn):
        complete(brought, begun.browser_secret, NOW)


def test_a_code_of_another_sign_in_is_refused(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    settings = _settings(issuer)
    mine, stolen = (begin_openid_sign_in(team.database, settings, client, _RETURN, NOW) for _ in range(2))
    brought = issuer.approve(mine.url) | {"code": issuer.approve(stolen.url)["code"]}
    with pytest.raises(IssuerError):
        complete_openid_sign_in(team.database, settings, client, _RETURN, brought, mine.browser_secret, NOW)


@pytest.mark.parametrize(
    ("brought", "reason"),
    [
        ({"error": "access_denied", "error_description": "<b>no</b>"}, "refused"),
        ({"code": ""}, "refused"),
        ({"iss": "https://evil.example"}, "id_token"),
    ],
)
def test_a_return_without_a_code_or_from_another_issuer_signs_nobody_in(
    one: Team, issuer: Issuer, client: httpx2.Client, brought: dict[str, str], reason: str
) -> None:
    settings = _settings(issuer)
    begun = begin_openid_sign_in(one.database, settings, client, _RETURN, NOW)
    with pytest.raises(NotSignedIn) as caught:
        complete_openid_sign_in(
            one.database, settings, client, _RETURN, issuer.approve(begun.url) | brought, begun.browser_secret, NOW
        )
    assert caught.value.reason == reason
    assert "<b>" not in caught.value.message


def test_a_person_who_takes_too_long_begins_again(team: Team, issuer: Issuer, client: httpx2.Client) -> None:
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, issuer, client, now=NOW + 601)
    assert caught.value.reason == "state"


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
@pytest.mark.parametrize("status", [302, 404, 500])
def test_an_issuer_that_fails_is_named_as_such(
    one: Team, issuer: Issuer, client: httpx2.Client, path: str, status: int
) -> None:
    issuer.statuses[path] = status
    with pytest.raises(IssuerError) as caught:
        _sign_in(one, issuer, client)
    assert caught.value.params == {"status": status}
    assert SECRET not in caught.value.message + caught.value.hint
    assert issuer.asked[-1] == path


def test_an_issuer_that_is_down_is_named_as_such(one: Team, client: httpx2.Client) -> None:
    with run_issuer(_KEY, NOW) as gone:
        pass
    with pytest.raises(IssuerError) as caught:
        begin_openid_sign_in(one.database, _settings(gone), client, _RETURN, NOW)
    assert caught.value.reason == "down"


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": None},
        {"jwks_uri": "ftp://x"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": ["https://x"]},
    ],
)
def test_a_discovery_document_that_cannot_be_right_is_refused(
    one: Team, issuer: Issuer, client: httpx2.Client, discovery: dict[str, object]
) -> None:
    issuer.discovery = discovery
    with pytest.raises(IssuerError) as caught:
        _sign_in(one, issuer, client)
    assert caught.value.reason == "discovery"


def test_without_an_issuer_there_is_nothing_to_begin(one: Team, client: httpx2.Client) -> None:
    with pytest.raises(Misuse):
        begin_openid_sign_in(one.database, AccountSettings(), client, _RETURN, NOW)


@given(st.text())
def test_a_path_to_return_to_never_leads_to_another_server(given: str) -> None:
    path = clean_path(given)
    assert path in ("/", given)
    assert urlsplit(urljoin("https://here.example/page", path)).netloc == "here.example"


@pytest.mark.parametrize("elsewhere", ["//evil.example", "/\\evil.example", "https://evil.example", "", "/a\r\nb", "x"])
def test_a_path_that_leads_elsewhere_is_the_start_page(elsewhere: str) -> None:
    assert clean_path(elsewhere) == "/"
