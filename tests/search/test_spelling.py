"""A misspelt word finds what it means, and it is said; a word that is spelt well is left alone."""

from pathlib import Path

import pytest

from pincite.answer.services import Services
from pincite.search.spelling import correct_words
from pincite.store import documents
from pincite.types import Scope
from tests.turns import open_test_services

TEXTS = {
    "finland.md": "# Finland\n\nThe population of Finland is 5.6 million. Helsinki has 680,000 inhabitants.\n",
    "streaming.md": "# Streaming\n\nNetflix had 283 million subscribers. Costco sells its cards.\n",
    "bail.md": "# Le bail\n\nLe locataire doit souscrire une assurance habitation. La résiliation est possible.\n\n"
    "L'appartement est meublé. Le bail est résilié après un préavis de trois mois.\n",
    "names.md": "# Names\n\nA domain is registered for a year. Le signet est relié.\n",
}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Services:
    return open_test_services(tmp_path_factory.mktemp("spelling"), TEXTS)


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("populaton of finlnd", "population of Finland"),
        ("How many subscribers does netflx have?", "How many subscribers does Netflix have?"),
        ("Netlfix subscribers", "Netflix subscribers"),
        ("Faut-il une assurence habitation ?", "Faut-il une assurance habitation ?"),
        ("L'appartment est-il meublé ?", "L'appartement est-il meublé ?"),
        ("Que dit le bail sur la ressiliation ?", "Que dit le bail sur la résiliation ?"),
        ("What does Cosco sell?", "What does Costco sell?"),
        ("Que dit le bial ?", "Que dit le bail ?"),
    ],
)
def test_a_misspelt_word_is_read_as_the_nearest_that_a_document_has(services: Services, asked: str, read: str) -> None:
    found = services.search.correct(asked, Scope())
    assert found.question == read
    assert [(each.written, each.read) for each in found.words]
    assert all(each.written in asked and each.read in read for each in found.words)


@pytest.mark.parametrize(
    "asked",
    [
        "What is the population of Finland?",
        "population Helsinki inhabitants",
        "Kubernetes and Docker",  # absent, and near nothing
        'Where does "finlnd" stand?',
        "Où lit-on « assurence » ?",
        "NETFLX is what?",  # an acronym, for all that is known
        "netflx42 and net_flx and a.netflx",
        "https://example.org/netflx",
        "netflx@example.org",
        "5.7 million",
        "Net",  # too short to tell
        "Do I sign the lease tomorrow? Le signer demain ?",  # spelt correctly, and near "domain" and "signet"
        "Peut-on le résilier ?",  # another form of a word is no misspelling
        "",
    ],
)
def test_other_words_stay_as_they_are(services: Services, asked: str) -> None:
    found = services.search.correct(asked, Scope())
    assert found.question == asked
    assert found.words == ()


def test_a_word_that_is_known_to_be_spelt_well_is_never_changed(services: Services) -> None:
    database, index = services.library.database, services.library.index
    found = correct_words("netflx finlnd", database, index, Scope(), lambda word: word == "netflx")
    assert found.question == "netflx Finland"


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Que dit le bial ?", "Que dit le bail ?"),
        ("Is there a boil?", "Is there a boil?"),  # bail is as near, but no two letters are swapped
        ("Is there a lion?", "Is there a lion?"),
    ],
)
def test_a_short_word_is_corrected_if_letters_are_swapped_and_it_is_none(tmp_path: Path, asked: str, read: str) -> None:
    services = open_test_services(tmp_path, {**TEXTS, "meat.md": "# Meat\n\nThe loin is sold by weight.\n"})
    database, index = services.library.database, services.library.index
    assert correct_words(asked, database, index, Scope(), lambda word: word == "lion").question == read


def test_the_nearest_word_is_one_of_the_documents_in_scope(services: Services) -> None:
    with services.library.database.reading() as connection:
        bail = next(d.id for d in documents.find(connection, "local") if d.name == "bail.md")
    assert services.search.correct("netflx assurence", Scope(documents=(bail,))).question == "netflx assurance"


def test_of_two_words_as_near_the_more_frequent_is_read(tmp_path: Path) -> None:
    texts = {f"{n}.md": f"# Hall {n}\n\nThe casting of part {n} is done here.\n" for n in range(3)}
    services = open_test_services(tmp_path, {**texts, "odd.md": "# Paint\n\nThe coating is green.\n"})
    assert services.search.correct("caating", Scope()).question == "casting"


def test_a_pasted_page_is_not_corrected(services: Services) -> None:
    page = "netflx " * 50
    assert services.search.correct(page, Scope()).question == page
