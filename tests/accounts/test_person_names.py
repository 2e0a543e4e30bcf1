import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.person_names import clean_email, clean_name, clean_person_name, is_same_email
from pincite.errors import Misuse
from pincite.store.people import fold_key


@given(st.text())
def test_a_name_is_readable_or_refused_with_a_hint(typed: str) -> None:
    try:
        name = clean_person_name(typed)
    except Misuse:
        return
    assert name.isprintable()
    assert name == clean_person_name(name)
    assert 0 < len(name) <= 100
    assert "@" not in fold_key(name)
    name.encode()


@given(st.text())
def test_an_address_is_empty_or_has_a_domain_or_is_refused(typed: str) -> None:
    try:
        email = clean_email(typed)
    except Misuse:
        return
    assert email == "" or (email.count("@") == 1 and email[0] != "@" and email[-1] != "@")
    assert email == clean_email(email)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "…", "a\x00b", "a\x1b[31m", "x" * 101, "\ud800", "a@b.c", "a@b"])
def test_a_name_that_nobody_can_read_or_that_looks_like_an_address_is_refused(name: str) -> None:
    with pytest.raises(Misuse) as caught:
        clean_person_name(name)
    assert caught.value.reason == "name"
    assert caught.value.hint


@pytest.mark.parametrize("name", ["Ada", "José Núñez", "小林", "Ада", "Legal team 2"])
def test_names_of_any_script_are_taken(name: str) -> None:
    assert clean_name(f"  {name} ") == name


@pytest.mark.parametrize("email", ["a@b@c", "a b@c.d", "@c.d", "a@", "a@c..d", "a@.d", "plain"])
def test_an_address_that_no_mail_reaches_is_refused(email: str) -> None:
    with pytest.raises(Misuse) as caught:
        clean_email(email)
    assert caught.value.reason == "email"


@pytest.mark.parametrize("spelling", ["ADA", "ada", "Àdà", "ａｄａ", "a\u200bda"])
def test_two_spellings_of_a_name_are_one_name(spelling: str) -> None:
    assert fold_key(spelling) == fold_key("Ada")


@pytest.mark.parametrize("other", ["àda@example.org", "ada@exämple.org", "ada@example.org.evil.example"])
def test_an_address_that_only_looks_alike_is_another_persons(other: str) -> None:
    assert is_same_email("ada@example.org", "Ada@EXAMPLE.org")
    assert not is_same_email("ada@example.org", other)
