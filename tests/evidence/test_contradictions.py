import pytest

from pincite.evidence.comparison import Comparison
from pincite.evidence.contradictions import contradictions, doubts
from pincite.evidence.wording import prepare


def reasons(sentence: str, source: str) -> list[str]:
    return [reason for *_, reason in contradictions(Comparison(prepare(sentence), prepare(source)))]


CONTRADICTED = [
    ("Prices fell in May.", "Prices rose in May."),
    ("Les prix baissent.", "Les prix augmentent."),
    ("Aspirin increased the risk of stroke.", "The risk of stroke was reduced by aspirin."),
    ("The payment is due after delivery.", "The payment is due before delivery."),
    ("La carte est payante.", "La carte est délivrée gratuitement."),
    ("L'employeur paie les frais.", "Le salarié paie les frais."),
    ("The vote is open to women.", "The vote is open to men."),
    ("The vaccine is recommended.", "The vaccine is not recommended."),
    ("The vaccine is not recommended.", "The vaccine is recommended."),
    ("Le permis est obligatoire.", "Le permis n'est pas obligatoire."),
    ("Il est possible de payer en ligne.", "Il n'est pas possible de payer en ligne."),
    ("The treaty was legal.", "The treaty was illegal."),
    ("The act is unconstitutional.", "The act is constitutional."),
    ("Beats acquired Apple in 2014.", "Apple acquired Beats in 2014."),
    ("Apple was acquired by Beats.", "Apple acquired Beats."),
    ("The rate went from 5 % to 7 %.", "The rate went from 7 % to 5 %."),
    ("Le taux passe de 5 % à 7 %.", "Le taux passe de 7 % à 5 %."),
    ("5 men and 5 women came.", "5 men and 3 women came."),
    ("The office closes on Monday.", "The office closes on Friday."),
    ("Le versement est mensuel.", "Le versement est annuel."),
]
AGREED = [
    ("Prices increased in May.", "Prices rose in May."),
    ("Beats was acquired by Apple.", "Apple acquired Beats."),
    ("3 women and 5 men came.", "5 men and 3 women came."),
    ("Aucun permis n'est obligatoire.", "Le permis n'est pas obligatoire."),
    ("The vaccine is not advised.", "The vaccine is not recommended."),
    ("The clause was void.", "The clause was void and without effect."),
    ("Costs fell.", "Sales rose. Costs fell."),
]


@pytest.mark.parametrize(("sentence", "source"), CONTRADICTED)
def test_the_opposite_is_a_contradiction(sentence: str, source: str) -> None:
    assert reasons(sentence, source)


@pytest.mark.parametrize(("sentence", "source"), AGREED)
def test_saying_it_otherwise_is_no_contradiction(sentence: str, source: str) -> None:
    assert reasons(sentence, source) == []


def test_a_reason_names_what_each_of_the_two_says() -> None:
    assert "the source says rose, the sentence says fell" in reasons("Sales fell.", "Sales rose.")


def test_a_denial_of_the_same_matter_is_a_doubt_even_where_its_words_differ() -> None:
    source = "The introduction of online voting is not among the plans of the government."
    assert list(doubts(Comparison(prepare("Online voting will be introduced."), prepare(source))))
    aside = "Online voting, which not everybody wanted, will be introduced."
    assert not list(doubts(Comparison(prepare("Online voting will be introduced."), prepare(aside))))
