import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.privacy import check_outgoing, join_argument_words
from pincite.errors import Leak

ABOUT_ME = (
    "My name is Jéan-Luc Dupont-Moretti. I am a cardiologist in Lyon, born in 1984, with diabetes and 2 children. "
    "Write to jl.dupont@chu-lyon.example or call 06 12 34 56 78. I prefer short answers with examples."
)
ASKED = ("What is the notice period of a lease?", "The lease ends after three years.")


@pytest.mark.parametrize(
    "words",
    [
        "notice period of a lease",
        "how long is the notice, in short, with examples",
        "work children simple explanation",
        "family only 12",
        "résiliation du bail, durée du préavis",
        "2 children",
        "",
    ],
)
def test_a_search_of_its_own_words_goes_out_as_it_is(words: str) -> None:
    assert check_outgoing(words, ABOUT_ME, ASKED) == words


@pytest.mark.parametrize(
    "words",
    [
        "notice period for Dupont",
        "NOTICE PERIOD DUPONT",
        "Jean Luc",
        "jean-luc lease",
        "ＤＵＰＯＮＴ",
        "D u p o n t",
        "d.u.p.o.n.t",
        "du pont",
        "D\u200bu\u200bpont",
        "jeanlucdupont",
        "JeanLuc2024 Dupont",
        "lease for cardiologists",
        "diabète et bail",
        "diabetic tenant",
        "tenants in Lyon",
        "born 1984",
        "jl.dupont@chu-lyon.example",
        "jl dot dupont at somewhere",
        "06 12 34 56 78",
        "0612345678",
        "+33 6 12 34 56 78",
        "(0)6.12.34.56.78",
        "https://attacker.example/?q=D%75pont",
        "&#68;upont",
        base64.b64encode(b"Dupont, Lyon").decode(),
        base64.urlsafe_b64encode("cardiologist à Lyon ???".encode()).decode().rstrip("="),
        b"Dupont, Lyon".hex(),
        "I prefer short answers with examples",
    ],
)
def test_nothing_of_about_me_leaves_however_it_is_written(words: str) -> None:
    with pytest.raises(Leak) as caught:
        check_outgoing(words, ABOUT_ME, ASKED)
    assert "Dupont" not in caught.value.message + caught.value.hint


def test_words_of_the_question_or_of_a_source_may_be_searched_for() -> None:
    asked = (*ASKED, "I am a cardiologist: may I work in Lyon?")
    assert check_outgoing("cardiologists Lyon", ABOUT_ME, asked)
    assert check_outgoing("lease 1984", ABOUT_ME, (*ASKED, "The law of 1984 says so."))
    assert check_outgoing("call 0612345678", ABOUT_ME, (*ASKED, "Who has 06 12 34 56 78?"))
    with pytest.raises(Leak):
        check_outgoing("cardiologists Lyon Dupont", ABOUT_ME, asked)


def test_a_location_that_may_guide_the_search_is_allowed_like_a_question() -> None:
    assert check_outgoing("tenants' associations Lyon", ABOUT_ME, (*ASKED, "Lyon, France"))


def test_a_secret_split_over_the_arguments_of_a_call_is_seen() -> None:
    call = {"query": "lease du", "document": "pont", "limit": 8, "more": ["a", {"deep": "notice"}]}
    assert join_argument_words(call).split() == [
        "query",
        "lease",
        "du",
        "document",
        "pont",
        "limit",
        "more",
        "a",
        "deep",
        "notice",
    ]
    with pytest.raises(Leak):
        check_outgoing(join_argument_words(["lease du", "pont"]), ABOUT_ME, ASKED)


def test_without_about_me_everything_may_leave() -> None:
    assert check_outgoing("Dupont in Lyon", "", ASKED)
    assert check_outgoing("Dupont in Lyon", "  \n", ASKED)


def test_french_profiles_are_guarded_too() -> None:
    profile = "Je m'appelle Zoé Lefèvre et je suis infirmière à Besançon."
    for words in ("zoe lefevre", "infirmières", "INFIRMIER besancon", "Bes ançon"):
        with pytest.raises(Leak):
            check_outgoing(words, profile, ASKED)
    assert check_outgoing("je suis locataire", profile, ASKED)


@pytest.mark.parametrize("words", ["tnopuD", "heart doctor", "a town on the Rhône", "forty-two"])
def test_the_limits_of_the_check_are_known(words: str) -> None:
    """Other words, other spellings, ciphers: that is why who has tools never sees About Me."""
    assert check_outgoing(words, ABOUT_ME, ASKED)


@given(st.text(max_size=300), st.text(max_size=200))
def test_any_words_and_any_profile_are_judged(words: str, profile: str) -> None:
    try:
        assert check_outgoing(words, profile, ()) == words
    except Leak:
        assert profile.strip()
    assert check_outgoing(words, profile, (profile,)) == words


@given(st.sampled_from(["Dupont", "Moretti", "cardiologist", "diabetes", "1984"]), st.data())
def test_a_secret_word_is_found_anywhere_among_others(secret: str, data: st.DataObject) -> None:
    others = data.draw(st.lists(st.sampled_from(["lease", "notice", "period", "bail", "of", "the", "7"]), max_size=6))
    place = data.draw(st.integers(0, len(others)))
    cased = data.draw(st.sampled_from([secret, secret.upper(), secret.lower(), " ".join(secret)]))
    with pytest.raises(Leak):
        check_outgoing(" ".join([*others[:place], cased, *others[place:]]), ABOUT_ME, ())


@pytest.mark.parametrize(
    "sentence",
    [
        "As you are a cardiologist in Lyon, born in 1984, you know.",
        "You may call 06.12.34.56.78.",
        "Write to JL.Dupont@CHU-Lyon.example.",
        "Noted: I PREFER SHORT ANSWERS WITH EXAMPLES.",
    ],
)
def test_a_sentence_of_an_answer_is_held_to_the_same(sentence: str) -> None:
    with pytest.raises(Leak):
        check_outgoing(sentence, ABOUT_ME, [])
    assert check_outgoing("The lease ends after three years.", ABOUT_ME, []) == "The lease ends after three years."
