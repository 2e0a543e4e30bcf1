from pincite.evaluate.guarantee import measure

ENGLISH = """The council of Marseille approved the budget in March 2021. It grew by 12% to 1,234.5 million euros.
The mayor was not present when the vote began. In April, the opposition asked for a second reading of the text.
The schools, libraries and museums of the city were the first to receive the new funds. Nobody was surprised by this."""
FRENCH = """Le conseil de Bordeaux a approuvé le budget le 3 mars 2021.
Il est en hausse de 12 % et atteint 1 234,5 millions.
Le maire n'est pas venu au vote, qui est obligatoire avant la fin de l'année. En avril, l'opposition a demandé un délai.
Les écoles, musées et théâtres de la ville sont les premiers à recevoir les nouveaux crédits."""


def test_changed_sentences_are_refused_and_reformatted_ones_are_not_in_both_languages() -> None:
    found = measure([ENGLISH, FRENCH], lambda said: None)
    assert set(found) == {"en", "fr"}
    for figures in found.values():
        assert figures["changed"]["all"]["of"] >= 8
        assert figures["changed"]["all"]["verified"] == 0
        assert figures["kept"]["all"]["share"] == 1.0
        assert figures["wrong"] == []


def test_what_went_wrong_is_kept_to_be_looked_at() -> None:
    # One text twice: the first's changed year is the second's own.
    twin = "The bridge was opened by the king in the year 1931. The bridge was opened by the king in the year {}."
    years = [twin.format(year) for year in range(1900, 2000)]
    found = measure(years, lambda said: None)["en"]
    wrong = [pair for pair in found["wrong"] if pair["kind"] in ("number", "date")]
    assert len(wrong) == sum(found["changed"][kind]["verified"] for kind in ("number", "date"))


def test_texts_without_sentences_give_no_figures() -> None:
    assert measure(["12", ""], lambda said: None) == {}
