from pincite.evidence.comparison import Comparison
from pincite.evidence.wording import prepare


def compared(sentence: str, source: str, context: str = "") -> Comparison:
    return Comparison(prepare(sentence), prepare(source), prepare(context) if context else None)


def pairs(found: Comparison) -> dict[str, str]:
    words, source = found.sentence.words, found.source.words
    return {words[i].plain: source[j].plain for i, j in found.paired.items() if words[i].weight}


def test_words_meet_their_forms_and_synonyms() -> None:
    found = pairs(compared("The firm increases wages.", "Wages were increased by the company."))
    assert found == {"firm": "company", "increases": "increased", "wages": "wages"}


def test_of_two_equal_words_the_one_with_the_same_neighbours_is_meant() -> None:
    found = compared("The red house burned.", "A blue house stood. The red house burned.")
    house = next(i for i, word in enumerate(found.sentence.words) if word.plain == "house")
    assert found.source.words[found.paired[house]].sentence == 1


def test_a_gap_shows_what_stands_instead() -> None:
    found = compared("The council of Lyon met.", "The council of Nice met.")
    (gap,) = found.gaps
    claimed, given = found.rivals(gap)
    assert [found.sentence.words[i].text for i in claimed] == ["Lyon"]
    assert [found.source.words[j].text for j in given] == ["Nice"]


def test_what_the_context_alone_says_counts_less() -> None:
    found = compared("Acme bought a factory.", "It bought a factory.", "Acme")
    assert list(found.loosely.values()) == [0.8]


def test_a_derived_word_counts_unless_it_is_an_opposite() -> None:
    assert (
        compared("They negotiated.", "The negotiation lasted.").paired
        or compared("They negotiated.", "The negotiation lasted.").loosely
    )
    opposite = compared("The employee paid.", "The employer paid.")
    assert not opposite.loosely
