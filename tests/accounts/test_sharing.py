from functools import partial
from typing import Literal

import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.people_groups import add_to_group, create_group, remove_from_group, remove_group
from pincite.accounts.principal import Principal
from pincite.accounts.roles import set_disabled
from pincite.accounts.sharing import (
    ACCESSES,
    check_library_access,
    list_conversation_links,
    list_shares,
    open_conversation_link,
    share_conversation,
    share_library,
    unshare_conversation,
    unshare_library,
)
from pincite.errors import Denied, Misuse, NotFound
from pincite.store import conversations, document_sources, documents, library_shares
from pincite.store.document_sources import StoredSource
from pincite.store.library_shares import Access, LibraryShare, SharedLibrary
from pincite.store.people import StoredPerson
from tests.accounts.conftest import DAY, NOW, Team, at_once, by


@pytest.fixture
def ada(team: Team) -> StoredPerson:
    """A person with the libraries `work` and `home`."""
    ada = team.add("Ada")
    with team.database.writing() as connection:
        for number, library in enumerate(("work", "home")):
            stored, _ = documents.create(connection, ada.id, f"{number}" * 64, f"{library}.txt", 1)
            document_sources.add(connection, StoredSource(ada.id, library, f"/{library}.txt", stored.id, 1, 1.0))
    return ada


def _share(
    team: Team,
    ada: StoredPerson,
    access: Access,
    person: StoredPerson | None = None,
    group: str | None = None,
    caller: Caller | None = None,
    library: str = "work",
) -> LibraryShare:
    given = person.id if person else None
    return share_library(team.database, caller or by(ada), ada.id, library, access, NOW, person=given, group=group)


def _access(team: Team, person: StoredPerson, owner: StoredPerson, library: str = "work") -> Access | Literal[""]:
    """The most that a person may do with a library; "" if it is not there for them."""
    found: Access | Literal[""] = ""
    for needed in ACCESSES:
        try:
            with team.database.reading() as connection:
                check_library_access(connection, person.id, owner.id, library, needed)
        except (NotFound, Denied):
            return found
        found = needed
    return found


def test_a_library_is_private_until_it_is_shared(team: Team, ada: StoredPerson) -> None:
    bob, olga = team.add("Bob"), team.add("Olga", "owner")
    assert _access(team, ada, ada) == "owner"
    # An owner of the server is a stranger to other people's libraries.
    assert [_access(team, one, ada) for one in (bob, olga)] == ["", ""]
    with team.database.reading() as connection, pytest.raises(NotFound):
        check_library_access(connection, bob.id, ada.id, "work", "reader")


@pytest.mark.parametrize("access", ["reader", "writer", "owner"])
def test_a_share_gives_what_it_says_and_for_that_library_alone(team: Team, ada: StoredPerson, access: Access) -> None:
    bob = team.add("Bob")
    _share(team, ada, access, bob)
    assert _access(team, bob, ada) == access
    assert _access(team, bob, ada, "home") == ""
    with team.database.reading() as connection:
        assert library_shares.find_for_person(connection, bob.id) == [SharedLibrary(ada.id, "work", access)]
        assert library_shares.find_for_person(connection, ada.id) == []


def test_a_reader_of_a_library_is_told_that_they_may_do_no_more(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    _share(team, ada, "reader", bob)
    with team.database.reading() as connection, pytest.raises(Denied):
        check_library_access(connection, bob.id, ada.id, "work", "writer")


def test_members_of_a_group_come_and_go_with_what_is_shared_with_it(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    group = create_group(team.database, AT_TERMINAL, "Legal", NOW)
    _share(team, ada, "writer", group=group.id)
    assert _access(team, bob, ada) == ""
    add_to_group(team.database, AT_TERMINAL, group.id, bob.id, NOW)
    assert _access(team, bob, ada) == "writer"
    _share(team, ada, "reader", bob)
    assert _access(team, bob, ada) == "writer"
    remove_from_group(team.database, AT_TERMINAL, group.id, bob.id, NOW)
    assert _access(team, bob, ada) == "reader"
    add_to_group(team.database, AT_TERMINAL, group.id, bob.id, NOW)
    remove_group(team.database, AT_TERMINAL, group.id, NOW)
    assert _access(team, bob, ada) == "reader"


def test_sharing_again_changes_the_share_even_many_times_at_once(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    accesses: list[Access] = ["reader", "writer", "owner"] * 4
    results = at_once([partial(_share, team, ada, access, bob) for access in accesses])
    assert all(isinstance(result, LibraryShare) for result in results)
    found = list_shares(team.database, by(ada), ada.id, "work")
    assert [share.person for share in found] == [bob.id]
    assert _access(team, bob, ada) == found[0].access


def test_only_owners_of_a_library_share_it(team: Team, ada: StoredPerson) -> None:
    bob, eve, olga = team.add("Bob"), team.add("Eve"), team.add("Olga", "owner")
    _share(team, ada, "writer", bob)
    with pytest.raises(Denied):
        _share(team, ada, "reader", eve, caller=by(bob))
    for stranger in (eve, olga):
        with pytest.raises(NotFound):
            _share(team, ada, "owner", eve, caller=by(stranger))
    _share(team, ada, "owner", bob)
    _share(team, ada, "reader", eve, caller=by(bob))
    assert _access(team, eve, ada) == "reader"


def test_a_share_is_taken_back_by_an_owner_or_given_up_by_its_person(team: Team, ada: StoredPerson) -> None:
    bob, cy = team.add("Bob"), team.add("Cy")
    of_bob, of_cy = _share(team, ada, "reader", bob), _share(team, ada, "reader", cy)
    with pytest.raises(Denied):
        unshare_library(team.database, by(bob), ada.id, "work", of_cy.id, NOW)
    assert _access(team, cy, ada) == "reader"
    unshare_library(team.database, by(bob), ada.id, "work", of_bob.id, NOW)
    unshare_library(team.database, by(ada), ada.id, "work", of_cy.id, NOW)
    assert [_access(team, one, ada) for one in (bob, cy)] == ["", ""]
    with pytest.raises(NotFound):
        unshare_library(team.database, by(ada), ada.id, "work", of_cy.id, NOW)


def test_a_library_shared_with_everyone_is_open_to_all_and_to_guests_for_reading(team: Team, ada: StoredPerson) -> None:
    bob, guest = team.add("Bob"), team.add("Guest", "guest")
    made = share_library(team.database, by(ada), ada.id, "work", "writer", NOW, everyone=True)
    assert (made.everyone, made.person, made.group) == (True, None, None)
    assert [_access(team, one, ada) for one in (bob, guest)] == ["writer", "reader"]
    assert [_access(team, one, ada, "home") for one in (bob, guest)] == ["", ""]
    again = share_library(team.database, by(ada), ada.id, "work", "reader", NOW, everyone=True)
    assert list_shares(team.database, by(ada), ada.id, "work") == [again]
    assert list_audit(team.database, AT_TERMINAL)[0].details == {"receiver": "everyone", "access": "reader"}
    with pytest.raises(Denied):
        unshare_library(team.database, by(bob), ada.id, "work", again.id, NOW)
    unshare_library(team.database, by(ada), ada.id, "work", again.id, NOW)
    assert [_access(team, one, ada) for one in (bob, guest)] == ["", ""]


def test_an_owner_by_a_group_may_take_back_the_share_of_that_group(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    group = create_group(team.database, AT_TERMINAL, "Legal", NOW)
    add_to_group(team.database, AT_TERMINAL, group.id, bob.id, NOW)
    made = _share(team, ada, "owner", group=group.id)
    unshare_library(team.database, by(bob), ada.id, "work", made.id, NOW)
    assert _access(team, bob, ada) == ""


def test_shares_that_make_no_sense_are_refused(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    group = create_group(team.database, AT_TERMINAL, "Legal", NOW)
    for person, receiver in ((None, None), (bob, group.id), (ada, None)):
        with pytest.raises(Misuse):
            _share(team, ada, "reader", person, receiver)
    with pytest.raises(NotFound):
        _share(team, ada, "reader", group="nobody")
    with pytest.raises(NotFound) as caught:
        _share(team, ada, "reader", bob, library="none")
    assert "home" not in caught.value.message + caught.value.hint


def test_a_token_that_may_only_read_shares_nothing(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    reader = Caller(Principal(ada.id, "member", frozenset({"read", "ask"}), token="t"))
    with pytest.raises(Denied):
        _share(team, ada, "reader", bob, caller=reader)


def test_sharing_is_recorded_with_whom_and_what(team: Team, ada: StoredPerson) -> None:
    bob = team.add("Bob")
    made = _share(team, ada, "writer", bob)
    entry = list_audit(team.database, AT_TERMINAL)[0]
    # The name of a library is its owner's own words, and the log outlives them.
    assert (entry.action, entry.whose, entry.target) == ("library.share", ada.id, made.id)
    assert entry.details == {"receiver": bob.id, "access": "writer"}


def _talk(team: Team, ada: StoredPerson) -> str:
    with team.database.writing() as connection:
        return conversations.create(connection, ada.id, "A talk").id


def test_a_conversation_is_read_by_a_link_until_it_is_taken_back(team: Team, ada: StoredPerson) -> None:
    talk = _talk(team, ada)
    made = share_conversation(team.database, by(ada), talk, NOW)
    assert made.secret not in repr(made)
    opened = open_conversation_link(team.database, made.secret, NOW + 1000 * DAY)
    assert (opened.conversation, opened.owner) == (talk, ada.id)
    assert list_conversation_links(team.database, by(ada), talk) == [made.stored]
    unshare_conversation(team.database, by(ada), made.stored.id, NOW)
    with pytest.raises(NotFound):
        open_conversation_link(team.database, made.secret, NOW)


def test_a_link_to_a_conversation_may_expire_and_ends_with_its_conversation(team: Team, ada: StoredPerson) -> None:
    talk = _talk(team, ada)
    short, long = (share_conversation(team.database, by(ada), talk, NOW, days) for days in (1, None))
    with pytest.raises(NotFound):
        open_conversation_link(team.database, short.secret, NOW + DAY)
    with team.database.writing() as connection:
        conversations.remove(connection, ada.id, talk)
    with pytest.raises(NotFound):
        open_conversation_link(team.database, long.secret, NOW)
    with pytest.raises(Misuse):
        share_conversation(team.database, by(ada), talk, NOW, 0)


def test_the_links_of_a_disabled_person_do_not_work_until_they_are_enabled(team: Team, ada: StoredPerson) -> None:
    made = share_conversation(team.database, by(ada), _talk(team, ada), NOW)
    set_disabled(team.database, AT_TERMINAL, ada.id, True, NOW)
    with pytest.raises(NotFound):
        open_conversation_link(team.database, made.secret, NOW)
    set_disabled(team.database, AT_TERMINAL, ada.id, False, NOW)
    assert open_conversation_link(team.database, made.secret, NOW) == made.stored


def test_a_link_is_taken_back_only_from_its_own_conversation(team: Team, ada: StoredPerson) -> None:
    talk, other = _talk(team, ada), _talk(team, ada)
    made = share_conversation(team.database, by(ada), talk, NOW)
    with pytest.raises(NotFound):
        unshare_conversation(team.database, by(ada), made.stored.id, NOW, other)
    unshare_conversation(team.database, by(ada), made.stored.id, NOW, talk)


def test_nobody_shares_or_unshares_a_conversation_of_somebody_else(team: Team, ada: StoredPerson) -> None:
    eve, talk = team.add("Eve", "owner"), _talk(team, ada)
    made = share_conversation(team.database, by(ada), talk, NOW)
    with pytest.raises(NotFound):
        share_conversation(team.database, by(eve), talk, NOW)
    with pytest.raises(NotFound):
        list_conversation_links(team.database, by(eve), talk)
    with pytest.raises(NotFound):
        unshare_conversation(team.database, by(eve), made.stored.id, NOW)
    assert open_conversation_link(team.database, made.secret, NOW).conversation == talk


@pytest.mark.parametrize("secret", ["", "x", "\x00\ud800"])
def test_a_link_that_nobody_made_leads_nowhere(team: Team, ada: StoredPerson, secret: str) -> None:
    share_conversation(team.database, by(ada), _talk(team, ada), NOW)
    with pytest.raises(NotFound):
        open_conversation_link(team.database, secret, NOW)
