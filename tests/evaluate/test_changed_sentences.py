from pincite.evaluate.changed_sentences import change_facts, change_form, change_meaning, find_names

ENGLISH = 'In 2020, revenue rose 12% to $1,234.5 million at Google, which is said to be "large".'
FRENCH = "Le locataire est tenu de payer 1 234,50 € avant le 3 mars 2024 à Bordeaux."


def made(sentence: str, language: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    changes = (
        *change_facts(sentence, language),
        *change_meaning(sentence, language),
        *change_form(sentence, language, "It went on."),
    )
    for kind, text in changes:
        found.setdefault(kind, []).append(text)
    return found


def test_a_sentence_is_changed_in_each_fact_that_it_has() -> None:
    assert {"number", "date", "unit", "name", "direction", "negation"} <= made(ENGLISH, "en").keys()
    assert {"number", "date", "unit", "name", "direction", "negation"} <= made(FRENCH, "fr").keys()


def test_every_change_is_one_change_and_the_same_each_time() -> None:
    for sentence, language in ((ENGLISH, "en"), (FRENCH, "fr")):
        for kind, text in (*change_facts(sentence, language), *change_meaning(sentence, language)):
            assert text != sentence
            before, after = sentence.split(), text.split()
            same = len(set(before) & set(after))
            assert same >= len(set(before)) - 2, kind
        assert list(change_facts(sentence, language)) == list(change_facts(sentence, language))


def test_a_direction_is_turned_round() -> None:
    assert made("Sales rose.", "en")["direction"] == ["Sales fell."]
    assert made("Les prix sont en hausse.", "fr")["direction"] == ["Les prix sont en baisse."]


def test_a_denial_is_made_and_taken_back() -> None:
    assert made("The act is void.", "en")["negation"] == ["The act is not void."]
    assert made("The act is not void.", "en")["negation"] == ["The act is void."]
    assert made("Le permis est obligatoire.", "fr")["negation"] == ["Le permis n'est pas obligatoire."]
    assert made("Le permis n'est pas obligatoire.", "fr")["negation"] == ["Le permis est obligatoire."]


def test_forms_that_say_the_same_are_made() -> None:
    found = made(FRENCH, "fr")
    assert "1,234.50 €" in found["number reformatted"][0]
    assert "2024-03-03" in found["date reformatted"][0]
    assert "1\u202f234,5" in made(ENGLISH, "en")["number reformatted"][0]
    assert made("In May, sales rose.", "en")["clause reordered"] == ["Sales rose, in May."]
    assert made("We sell bread, butter and cheese.", "en")["list reordered"] == ["We sell butter, bread and cheese."]
    assert made("Sales rose.", "en")["sentences reordered"] == ["It went on. Sales rose."]


def test_a_sentence_without_facts_is_only_kept() -> None:
    assert list(change_facts("Hello there.", "en")) == []
    assert list(change_meaning("Hello there.", "en")) == []


def test_a_code_is_changed_in_one_digit() -> None:
    (changed,) = made("The pump K3 is sold.", "en")["code"]
    assert changed.startswith("The pump K")
    assert changed != "The pump K3 is sold."


def test_a_wrong_name_does_not_stand_in_the_sentences_beside() -> None:
    sentence = "He then met Dupont there."
    for near in ("", "Madrid Toyota Garcia Helsinki Novartis Petersen"):
        (changed,) = [text for kind, text in change_facts(sentence, "en", ["Dupont", "Lyon"], near) if kind == "name"]
        assert not set(changed.split()) & set(near.split())


def test_wrong_names_are_taken_from_the_texts_themselves() -> None:
    assert find_names(["He met Dupont there.", "They saw Paris and Lyon.", "In a town, the Town slept."]) == [
        "Dupont",
        "Lyon",
        "Paris",
    ]
