import pytest

from pincite.evaluate.code_guarantee import measure_guarantee

ENGLISH = """The council of Marseille approved the budget in March 2021. It grew by 12% to 1,234.5 million euros.
The mayor was not present when the vote began. In April, the opposition asked for a second reading of the text.
The schools, libraries and museums of the city were the first to receive the new funds. Nobody was surprised by this."""
FRENCH = """Le conseil de Bordeaux a approuvé le budget le 3 mars 2021.
Il est en hausse de 12 % et atteint 1 234,5 millions.
Le maire n'est pas venu au vote, qui est obligatoire avant la fin de l'année. En avril, l'opposition a demandé un délai.
Les écoles, musées et théâtres de la ville sont les premiers à recevoir les nouveaux crédits."""


@pytest.mark.parametrize("code", ["en", "fr"])
def test_code_refuses_a_changed_fact_and_no_sentence_in_another_form(code: str) -> None:
    figures = measure_guarantee([ENGLISH, FRENCH], lambda said: None)[code]
    assert figures["fact"]["all"]["of"] >= 6
    assert figures["fact"]["all"]["refused"] == figures["fact"]["all"]["of"]
    assert figures["form"]["all"]["refused"] == 0
    assert figures["form"]["unchanged"]["verified"] == figures["sentences"]
    assert figures["wrong"] == []


@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_changed_meaning_is_left_to_the_judge_and_never_verified(code: str) -> None:
    meaning = measure_guarantee([ENGLISH, FRENCH], lambda said: None)[code]["meaning"]
    assert meaning["negation"]["of"] >= 2
    assert meaning["all"]["verified"] == 0
    assert meaning["all"]["unchecked"] == meaning["all"]["of"]


def test_a_form_that_was_refused_is_kept_to_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pincite.evaluate.changed_sentences._change_spacing", lambda sentence: sentence.replace("12%", "13%")
    )
    figures = measure_guarantee([ENGLISH], lambda said: None)["en"]
    wrong = [pair for pair in figures["wrong"] if pair["change"] == "form"]
    assert figures["form"]["quotes and spaces"]["refused"] == len(wrong) == 1
    assert "13" in wrong[0]["why"]


def test_soft_hyphens_do_no_harm() -> None:
    soft = ENGLISH.replace("council", "coun\u00adcil").replace("opposition", "oppo\u00ad\nsition")
    figures = measure_guarantee([soft, "\u00ad \u00ad.", "A \u00ad b c d e f \u00ad."], lambda said: None)["en"]
    assert figures["sentences"] >= 5
    assert figures["form"]["all"]["refused"] == 0


def test_texts_without_sentences_give_no_figures() -> None:
    assert measure_guarantee(["12", ""], lambda said: None) == {}
