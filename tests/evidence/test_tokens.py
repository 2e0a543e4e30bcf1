from pincite.evidence.tokens import fold, tokens


def plain(text: str) -> list[str]:
    return [token.plain for token in tokens(text)]


def test_elided_and_contracted_words_are_taken_apart() -> None:
    assert plain("L'État n'a qu'un an.") == ["etat", "ne", "a", "#"]
    assert plain("It doesn’t; they can't, it cannot.") == [
        "it",
        "does",
        "not",
        "they",
        "can",
        "not",
        "it",
        "can",
        "not",
    ]


def test_names_with_digits_stay_whole() -> None:
    assert plain("Covid-19 and H1N1") == ["covid-19", "and", "h1n1"]


def test_the_number_of_an_item_is_no_word_and_moves_nothing() -> None:
    text = "1. Pay the rent.\n2) Leave."
    assert plain(text) == ["pay", "the", "rent", "leave"]
    assert [text[token.start : token.end] for token in tokens(text)] == ["Pay", "the", "rent", "Leave"]


def test_accents_are_folded() -> None:
    assert fold("cœur dépassé") == "coeur depasse"
