import pytest

from pincite.evidence.borrowed import borrowed
from pincite.evidence.comparison import Comparison
from pincite.evidence.verify import verify
from pincite.evidence.wording import prepare

BORROWED = [
    ("The Graz shop has 40 staff.", "The Graz shop has 30 staff and the Porto shop has 40 staff."),
    ("The Orla tower is 88 metres high.", "The Orla tower is 120 metres high. The Venn tower is 88 metres high."),
    ("Ms Hale earned 51 000 euros.", "Ms Hale earned 46 000 euros. Ms Prior earned 51 000 euros."),
    ("Tessal's revenue was 12 million.", "Tessal's revenue was 15 million. Ormond's revenue was 12 million."),
    (
        "The Porto site opened in 2016 and employs 300 people.",
        "The Porto site was closed in 2018. The Graz site opened in 2016 and employs 300 people.",
    ),
    ("Tessal earned 12 million.", "Tessal earned 15 million. Its rival Ormond earned 12 million."),
    ("Ms Hale earned 51 000 euros.", "Ms Hale earned 46 000 euros. That year Ms Prior earned 51 000 euros."),
    ("La tour Orla mesure 88 mètres.", "La tour Orla mesure 120 mètres. La tour Venn mesure 88 mètres."),
    ("Mme Hale a gagné 51 000 euros.", "Mme Hale a gagné 46 000 euros. Mme Prior a gagné 51 000 euros."),
    ("Le site de Porto a ouvert le 3 mai 2016.", "Le site de Porto a fermé. Le site de Graz a ouvert le 3 mai 2016."),
]
OWN = [
    ("The Orla tower weighs 900 tonnes.", "The Orla tower is of steel. This tower weighs 900 tonnes."),
    ("Tessal was founded in 1990.", "Founded by Hale in 1990, Tessal has 40 people in three towns."),
    ("The Orla tower was built in 1961.", "The Orla tower is 120 metres high. It was built in 1961 by Swiss masons."),
    ("La tour Orla date de 1961.", "La tour Orla mesure 120 mètres. Elle date de 1961, comme la gare de Graz."),
    ("The Orla tower was built in 1961.", "The Orla tower is 120 metres high. The tower was built in 1961."),
    (
        "The Orla tower (120 m) is higher than the Venn tower (88 m).",
        "The Orla tower is 120 metres high. The Venn tower is 88 metres high.",
    ),
    ("The Venn tower is 88 metres high.", "The Orla tower is 120 metres high. The Venn tower is 88 metres high."),
]


def reasons(sentence: str, source: str) -> list[str]:
    return list(borrowed(Comparison(prepare(sentence), prepare(source))))


@pytest.mark.parametrize(("sentence", "source"), BORROWED)
def test_a_number_that_the_next_sentence_says_of_another_is_not_verified(sentence: str, source: str) -> None:
    assert verify(sentence, source).support != "verified"
    assert reasons(sentence, source)


@pytest.mark.parametrize(("sentence", "source"), OWN)
def test_a_number_that_is_said_of_the_same_one_is_its_own(sentence: str, source: str) -> None:
    assert reasons(sentence, source) == []


def test_the_reason_names_the_other() -> None:
    assert "the source says 88 metres of Venn" in reasons(*BORROWED[1])
