import pytest

from pincite.text import language
from pincite.text.language import detect_document_language

FRENCH = "Le conseil a examiné le budget annuel et constaté que les frais de déplacement avaient baissé dans la région."
ENGLISH = "The committee reviewed the annual budget and found that the cost of travel had fallen in every region."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FRENCH, "fr"),
        (ENGLISH, "en"),
        ("Der Ausschuss prüfte den jährlichen Haushalt und stellte fest, dass die Reisekosten gesunken waren.", "de"),
        ("El comité examinó el presupuesto anual y constató que los gastos de viaje habían disminuido.", "es"),
        ("委员会审查了年度预算，发现每个地区的差旅费用都有所下降，并同意再次开会。", "zh"),
        ("Rapport d'activité annuel", "fr"),
        ("Annual report of the company", "en"),
        ("Oui, non.", ""),
        ("12 33 44 / 55 % 1 200,50 - 44.5 (33)" * 20, ""),
        ("", ""),
    ],
)
def test_the_language_is_named_or_left_open_when_there_is_too_little(text: str, code: str) -> None:
    assert detect_document_language(text) == code


def test_a_foreign_cover_does_not_decide_for_a_long_document() -> None:
    assert detect_document_language(ENGLISH + "\n" + FRENCH * 200) == "fr"


def test_prose_is_recognised_without_loading_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("the model was loaded")

    monkeypatch.setattr(language, "_load_identifier", refuse)
    assert detect_document_language(FRENCH) == "fr"
    assert detect_document_language(ENGLISH) == "en"


def test_a_few_words_that_another_language_shares_do_not_decide() -> None:
    # "de", "en", "er" and "om" are frequent in Dutch too.
    assert detect_document_language("De er glade for at en av dem er hjemme, og de vet om det nå.") == "no"
