import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.evidence.verify import verify

RETOLD = [
    (
        "The lease ends on 31 December 2026 unless it is renewed.",
        "This lease shall terminate on December 31, 2026, unless renewed by the parties in writing.",
    ),
    (
        "Revenue grew 12% to $2.3 million in 2023.",
        "In fiscal 2023, total revenue increased by 12 percent, reaching $2,300,000.",
    ),
    ("The study included 1,234 patients from five hospitals.", "1 234 patients were included across 5 hospitals."),
    (
        "Google bought DeepMind in 2014 for about $500 million.",
        "In January 2014, Google acquired the British start-up DeepMind for a reported $500m.",
    ),
    (
        "According to the report, sales in Europe fell by 4.5 % in Q3.",
        "Sales in Europe decreased 4.5% in the third quarter, the report says.",
    ),
    (
        "The vaccine is not recommended for children under 12.",
        "The vaccine is currently not recommended for use in children below 12 years of age.",
    ),
    ("Le bail prend fin le 31 décembre 2026.", "Le présent bail se termine le 31/12/2026, sauf renouvellement."),
    (
        "Le chiffre d'affaires a augmenté de 12 % en 2023.",
        "En 2023, le chiffre d'affaires est en hausse de 12 %, à 2,3 millions d'euros.",
    ),
    ("Les données sont conservées pendant trois ans.", "La durée de conservation des données est de 3 ans."),
    ("L'employeur peut refuser la demande.", "La demande peut être refusée par l'employeur."),
    ("L'aide est versée chaque mois par la CAF.", "La Caf verse l'aide tous les mois, à terme échu."),
    (
        "Marie Curie a reçu le prix Nobel de physique en 1903.",
        "En 1903, le prix Nobel de physique est décerné à Marie Curie, Pierre Curie et Henri Becquerel.",
    ),
]
NOT_SO = [
    ("Revenue grew 12% to $2.3 billion in 2023.", RETOLD[1][1]),
    ("Revenue grew 13% to $2.3 million in 2023.", RETOLD[1][1]),
    ("Revenue fell 12% to $2.3 million in 2023.", RETOLD[1][1]),
    ("The lease ends on 30 December 2026.", RETOLD[0][1]),
    ("Facebook bought DeepMind in 2014.", RETOLD[3][1]),
    ("The vaccine is recommended for children under 12.", RETOLD[5][1]),
    ("Le bail prend fin le 31 novembre 2026.", RETOLD[6][1]),
    ("Les données sont conservées pendant trois mois.", RETOLD[8][1]),
    ("Les données ne sont pas conservées pendant trois ans.", RETOLD[8][1]),
    ("All patients recovered.", "Some patients recovered."),
    ("The drug must be taken with food.", "The drug may be taken with food."),
    ("The drug causes headaches.", "The drug may cause headaches."),
    ("Only members may vote.", "Members may vote."),
    ("The bank is located in Geneva.", "The bank publishes its results every quarter."),
]


@pytest.mark.parametrize(("sentence", "source"), RETOLD)
def test_a_sentence_that_retells_its_source_is_verified(sentence: str, source: str) -> None:
    assert verify(sentence, source).support == "verified"


@pytest.mark.parametrize(("sentence", "source"), NOT_SO)
def test_a_sentence_that_changes_a_fact_is_not_verified_and_says_why(sentence: str, source: str) -> None:
    verdict = verify(sentence, source)
    assert verdict.support != "verified"
    assert verdict.reasons
    assert verdict.score < verify(source, source).score


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The mill was built in 1975.", "The mill was built in 1976."),
        ("The term is five years.", "The term is three years."),
        ("Le moulin a été construit en 1975.", "Le moulin a été construit en 1976."),
        ("Le délai est de 30 jours.", "Le délai est de 45 jours."),
        ("The lease ends on 3 June 2031.", "The lease ends on 5 June 2031."),
    ],
)
def test_a_number_in_the_place_of_another_is_unsupported(sentence: str, source: str) -> None:
    assert verify(sentence, source).support == "unsupported"


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The stone mill by the river was built in 1975.", "The stone mill by the river was built by monks."),
        ("Le moulin de pierre a été construit en 1975.", "Le moulin de pierre a été construit par des moines."),
        ("The region sold 2.3 million bottles.", "The region sold 2.31 million bottles."),
    ],
)
def test_a_number_that_is_only_missing_or_rounded_leaves_it_partial(sentence: str, source: str) -> None:
    assert verify(sentence, source).support == "partial"


def test_only_one_is_more_than_the_source_says() -> None:
    assert verify("Seul le gérant signe le bail.", "Le gérant signe le bail.").support == "partial"
    assert verify("Le gérant signe le bail.", "Seul le gérant signe le bail.").support == "verified"


def test_a_number_that_is_not_there_is_named() -> None:
    assert "13% is not in the source" in verify(*NOT_SO[1]).reasons


def test_a_contradiction_is_unsupported_and_what_is_half_said_partial() -> None:
    assert verify("Sales fell in Europe.", "Sales rose in Europe.").support == "unsupported"
    half = verify("Sales rose in Europe and the board praised its new director.", "Sales rose in Europe.")
    assert half.support == "partial"
    assert verify("The cat sat on the mat.", "Sales rose in Europe.").support == "unsupported"


def test_a_name_may_come_from_the_context_and_a_number_may_not() -> None:
    context = "Annual report of Acme Industries. Headcount: 512."
    assert verify("Acme bought a factory in Lyon.", "It bought a factory in Lyon.", context).support == "verified"
    assert verify("It bought 512 factories in Lyon.", "It bought factories in Lyon.", context).support != "verified"


def test_a_name_of_the_context_does_not_stand_for_another_of_the_source() -> None:
    context = "How Microsoft and Google compete."
    assert verify("Microsoft bought Nest.", "Google bought Nest.", context).support != "verified"


def test_a_sentence_gathered_from_all_over_a_long_text_is_not_verified() -> None:
    scattered = (
        "The harbour is old. Nobody remembers when it was built. Fishing boats came every spring. "
        "The mayor spoke of money. A new hotel was discussed at length. Trees were planted along the road. "
        "Critics said the budget was small. In the end, the council voted."
    )
    assert verify("The mayor voted money for the old harbour.", scattered).support != "verified"


def test_line_ends_within_a_sentence_change_nothing() -> None:
    sentence, source = RETOLD[3]
    assert verify(sentence, source.replace(" ", "\n")) == verify(sentence, source)


def test_the_number_of_an_item_is_not_part_of_what_it_says() -> None:
    assert verify("2. The tenant pays the rent.", "The tenant pays the rent.").support == "verified"
    assert verify("2.5 tenants pay the rent.", "The tenants pay the rent.").support != "verified"


def test_an_abbreviation_stands_for_the_words_it_is_made_of() -> None:
    said = "The World Health Organization declared the outbreak over."
    assert verify("The WHO declared the outbreak over.", said).support == "verified"


def meaning(vectors: dict[str, list[float]]) -> tuple[list[str], object]:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.extend(texts)
        return np.array([vectors[text] for text in texts], np.float32)

    return asked, embed


def test_meaning_is_not_asked_where_the_words_settle_it() -> None:
    asked, embed = meaning({})
    assert verify("Sales rose in Europe.", "Sales rose in Europe.", meaning=embed).support == "verified"  # type: ignore[arg-type]
    assert asked == []


def test_what_means_the_same_in_another_language_is_partly_supported() -> None:
    sentence, source = "Le loyer est payable d'avance.", "Rent is payable in advance."
    _, alike = meaning({sentence: [1.0, 0.0], source: [0.95, 0.31]})
    _, unlike = meaning({sentence: [1.0, 0.0], source: [0.6, 0.8]})
    assert verify(sentence, source, meaning=alike).support == "partial"  # type: ignore[arg-type]
    assert verify(sentence, source, meaning=unlike).support == "unsupported"  # type: ignore[arg-type]
    assert verify(sentence, source, meaning=alike).score > verify(sentence, source, meaning=unlike).score  # type: ignore[arg-type]


VOCABULARY = (
    "council budget harbour factory engineer contract patient vaccine river museum school tenant lawyer senate "
    "loyer jardin salarié hôpital ouvrier délai décret commune élève médecin chantier montagne navire verger"
)
WORDS = sorted(VOCABULARY.split())
sentence = st.lists(st.sampled_from(WORDS), min_size=2, max_size=12, unique=True).map(" ".join)
amount = st.integers(2, 10**7)


@given(st.text(alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=120))
def test_any_sentence_verifies_itself(text: str) -> None:
    assume(any(len(word) > 1 for word in re.findall(r"[^\W_]+", text)))
    verdict = verify(text, text)
    assert verdict.reasons in ((), ("the source says little of this",))


@given(sentence, amount, sentence)
def test_a_number_may_be_written_otherwise(before: str, number: int, after: str) -> None:
    text = f"{before} {{}} {after}."
    for form in (str(number), f"{number:,}", f"{number:,}".replace(",", "\u202f")):
        assert verify(text.format(form), text.format(number)).support == "verified"


@given(sentence, amount, sentence, st.integers(0, 7), st.integers(1, 9))
def test_a_changed_digit_is_never_verified(before: str, number: int, after: str, place: int, step: int) -> None:
    digits = str(number)
    place %= len(digits)
    changed = digits[:place] + str((int(digits[place]) + step) % 10) + digits[place + 1 :]
    assume(not changed.startswith("0"))
    source = f"{before} {digits} {after}. The year was {changed} then."
    assert verify(f"{before} {changed} {after}.", source).support != "verified"


@given(st.permutations(WORDS), st.integers(2, 9))
def test_sentences_may_be_told_in_another_order(words: list[str], size: int) -> None:
    first, second, third = (" ".join(words[size * i : size * i + size]) for i in range(3))
    assert verify(f"{third}. {first}.", f"{first}. {second}. {third}.").support == "verified"


@given(sentence, st.sampled_from(WORDS))
def test_a_word_that_takes_another_ones_place_is_not_verified(text: str, other: str) -> None:
    words = text.split()
    assume(other not in words)
    source = f"The {' '.join(words)} went on."
    assert verify(source.replace(words[0], other, 1), source).support != "verified"
