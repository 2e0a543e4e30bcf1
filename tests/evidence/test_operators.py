import pytest

from pincite.evidence.operators import MAY, MUST, NOT, ONLY
from pincite.evidence.wording import prepare


def said(text: str) -> dict[str, int]:
    """What is said right before each word of a text, of those of which something is."""
    return {word.plain: word.said.directly for word in prepare(text).words if word.said.directly}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The vaccine is not recommended.", "recommended"),
        ("It doesn't work.", "work"),
        ("They cannot fly.", "fly"),
        ("There is no treatment.", "treatment"),
        ("It was sold without permission.", "permission"),
        ("He failed to appear.", "appear"),
        ("Le permis n'est pas obligatoire.", "obligatoire"),
        ("Il ne travaille plus.", "travaille"),
        ("On ne l'a jamais prouvé.", "prouve"),
        ("Aucune preuve.", "preuve"),
        ("Vendu sans autorisation.", "autorisation"),
        ("Il refuse de payer.", "payer"),
        ("Pas de frais.", "frais"),
        ("Il a renoncé à signer.", "signer"),
    ],
)
def test_a_denial_is_of_the_word_it_stands_before(text: str, word: str) -> None:
    assert said(text)[word] == NOT


@pytest.mark.parametrize(
    "text", ["Not only women came.", "Non seulement Paris.", "See no. 5 there.", "Il est né ici.", "NO levels rose."]
)
def test_what_only_looks_like_a_denial_is_none(text: str) -> None:
    assert NOT not in said(text).values()


def test_may_must_and_only_are_told_apart() -> None:
    assert said("It may rain.")["rain"] == MAY
    assert said("Il pourrait pleuvoir.")["pleuvoir"] == MAY
    assert said("You must pay.")["pay"] == MUST
    assert said("Le locataire doit payer.")["payer"] == MUST
    assert said("Only members vote.")["members"] == ONLY
    assert said("Il ne concerne que les mineurs.")["mineurs"] == ONLY


def test_a_denial_ends_with_its_clause() -> None:
    assert "growing" not in said("The plan is not final, but growing.")
