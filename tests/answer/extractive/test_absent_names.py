"""A name, code or year that a question asks about is found in whatever form a passage has it, and missed otherwise."""

import pytest

from pincite.answer.extractive.absent_names import CorpusStatistics, list_missing, list_unrelated, name_subjects
from pincite.types import Evidence, Span


def evidence(text: str, title: str = "", name: str = "") -> Evidence:
    return Evidence(1, Span("d", 0, len(text)), title, "text", text, name=name)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does EUROPE do?", "The European law says so."),
        ("Where was Charles Babbage born?", "Babbage was born in London."),
        ("What is the cost of Covid-19?", "The covid 19 crisis cost much."),
        ("Que dit Élodie ?", "ELODIE est venue et dit non."),
        ("How many Panthers won?", "The panther won twice."),
        ("What were the sales of J&J in FY23?", "Johnson & Johnson sold more in 2023."),
        ("AMD R&D expense", "AMD spent more on research and development than before."),
        ("At what CO2 level does it start?", "It starts at a CO₂ level of 900 ppm."),
        ("Who is the CEO of it?", "Its chief executive officer told so."),
        ("What was the EPS?", "Diluted earnings per share rose to 3 dollars."),
        ("Qui est le PDG ?", "Le président-directeur général a démissionné."),
        ("How many ferries sank in 1986?", "The season 1985/86 saw two of them sink."),
        ("How many ferries sank in 1999?", "airline\tlost_85_99\nNordic Wings\t4"),
        ("How many ferries sank in 1999?", "airline\tlost_1985_99\nNordic Wings\t4"),
        ("How many ferries sank in 1985?", "airline\tlost_85_99\nNordic Wings\t4"),
        ("Who sailed in 1987?", "Class of '87."),
    ],
)
def test_a_name_is_there_in_other_spelling_and_inflection(question: str, text: str) -> None:
    assert list_missing(question, [evidence(text)]) == []


@pytest.mark.parametrize(
    "text",
    [
        "From 10-12 weeks to 1985-90.",
        "Rooms 11/12 and 2012a",
        "1912/13",
        "a_2120",
        "Signed on 2009-12-30.",
        "Signed in 2015-12.",
        "fig_12",
        "scan_2009_12_30",
        "scan_10_12_30",
    ],
)
def test_two_digits_alone_are_no_year(text: str) -> None:
    assert list_missing("Who sailed in 2012?", [evidence(text)]) == ["2012"]


def test_words_that_begin_with_the_letters_of_an_abbreviation_by_chance_are_not_its_words() -> None:
    assert list_missing("What did IBM sell?", [evidence("It sold more in both markets.")]) == ["IBM"]
    assert list_missing("What did the UK say?", [evidence("Some useful kitchens say so.")]) == ["UK"]
    assert list_missing("Who is the CFO of it?", [evidence("Its chief executive officer told so.")]) == ["CFO"]


def test_a_name_in_another_language_is_missing_if_no_document_has_it_and_none_in_the_passages_means_the_same() -> None:
    report = evidence("The net sales of Costco in the United Kingdom, Canada and Japan rose in the year 2021. " * 3)
    question = "Quelles sont les ventes de {} au cours de cette année ?"
    near = {"Royaume-Uni": 0.94, "Carrefour": 0.85}

    def missing(name: str, mentions: int = 0) -> list[str]:
        known = CorpusStatistics(
            lambda word, document="": mentions, nearest=None, compare=lambda one, others: near[one] if others else 0.0
        )
        return list_missing(question.format(name), [report], known)

    assert missing("Carrefour") == ["Carrefour"]
    assert missing("Carrefour", mentions=1) == []
    assert missing("Royaume-Uni") == []
    assert list_missing(question.format("Carrefour"), [report]) == []  # without an embedder nobody can tell


@pytest.mark.parametrize(("nearness", "absent"), [(0.6, ["netflix"]), (0.94, [])])
def test_so_is_a_name_typed_in_lower_case(nearness: float, absent: list[str]) -> None:
    history = evidence("Le projet a été créé en 1993 par Ian Murdock, alors étudiant à Purdue. " * 3)
    known = CorpusStatistics(
        lambda word, document="": 0, {"netflix": 1.0}.get, nearest=None, compare=lambda one, others: nearness
    )
    assert list_missing("in what year was the netflix project made", [history], known) == absent


def test_the_title_and_the_file_name_count_for_a_passage() -> None:
    text = "Revenue was 3 billion."
    assert list_missing("What was Costco's revenue?", [evidence(text)]) == ["Costco"]
    assert list_missing("What was Costco's revenue?", [evidence(text, title="Costco, annual report")]) == []
    assert list_missing("What was Costco's revenue?", [evidence(text, name="COSTCO_2021_10K.pdf")]) == []


def test_a_year_that_no_passage_has_is_missing() -> None:
    assert list_missing("What was the rent in 1999?", [evidence("The rent in 2001 was 900 euros.")]) == ["1999"]


def test_between_two_languages_names_are_spelt_differently_and_codes_are_not() -> None:
    text = "Le port de Londres est le plus grand du pays, et il est ouvert toute l'année pour les navires."
    assert list_missing("What is the size of the port of London and what is it for?", [evidence(text)]) == []
    assert list_missing("What is the size of the port in 1999 and what is it for?", [evidence(text)]) == ["1999"]


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("What was the revenue of General Motors?", "General and administrative expenses rose.", ["General Motors"]),
        ("What does John Smith earn?", "John Baker earns 40,000 euros.", ["John Smith"]),
        ("What is the population of Austria?", "The population of Australia is 27 million.", ["Austria"]),
        ("How many people work at Intel?", "Artificial intelligence grows.", ["Intel"]),
        ("How big is Paris?", "A comparison of pineapples.", ["Paris"]),
        ("What must I NOT do?", "You must stop.", []),
        ("What does E07 mean?", "The desk is open from 07:00.", ["E07"]),
        ("What were the sales in Q423?", "Sales rose in 2023.", []),
        ("Does it support H264?", "It has 64 GB of memory.", ["H264"]),
    ],
)
def test_a_name_is_not_there_because_half_of_it_or_its_beginning_is(
    question: str, text: str, missing: list[str]
) -> None:
    found = [Evidence(1, Span("d", 0, len(text)), "Notes", "text", text)]
    assert list_missing(question, found) == missing


def counts(**passages: int) -> CorpusStatistics:
    """An index that has these words in so many passages."""
    return CorpusStatistics(lambda word, document="": passages.get(word.casefold(), 0))


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("How many rooms has Wynn Las Vegas?", "The Grand has 500 rooms in Las Vegas.", ["Wynn Las Vegas"]),
        ("How many rooms has Grand Las Vegas?", "The Grand has 500 rooms in Las Vegas.", []),
        ("What did Hilton Hotels earn?", "Our Hotels division earned more: its hotels are full.", ["Hilton Hotels"]),
        ("What does John Smith earn?", "Adam Smith earns 40,000 euros.", ["John Smith"]),
        ("What does John Smith earn?", "Mr Smith earns 40,000 euros.", []),
    ],
)
def test_the_word_that_tells_a_name_from_others_must_be_there(question: str, text: str, missing: list[str]) -> None:
    known = counts(las=9, vegas=9, grand=3, hotels=7, smith=2)
    assert list_missing(question, [evidence(text)], known) == missing


def test_the_first_word_is_a_name_where_the_passages_write_it_with_a_capital() -> None:
    text = "The card is a Visa, and Visa owns the network."
    assert name_subjects("Visa headcount", [evidence(text)]) == ["Visa"]
    assert name_subjects("Visa rules for visitors", [evidence(f"{text} A visa is needed.")]) == []
    assert name_subjects("Owners of the network", [evidence(text)]) == []


def test_the_first_word_that_no_passage_has_is_a_name_where_it_mostly_has_a_capital() -> None:
    vocabulary = CorpusStatistics(capitals={"Intel": 0.7, "Explain": 0.0}.__getitem__)
    text = "Research and development cost 4 billion in 2022."
    assert list_missing("Intel research and development 2022", [evidence(text)], vocabulary) == ["Intel"]
    assert list_missing("Explain the cost of research in 2022", [evidence(text)], vocabulary) == []
    assert list_missing("Intel research and development 2022", [evidence(text)]) == []


@pytest.mark.parametrize(
    "question",
    ["Combien de postes sont prévus en 2025 ?", "Puis-je travailler ailleurs ?", "Existe-t-il une indemnité ?"],
)
def test_a_question_word_is_no_name_where_a_list_of_questions_begins_with_it(question: str) -> None:
    shares = {"Combien": 0.0, "Puis": 0.2, "Existe": 0.16}
    asked = "Combien coûte la carte ?\nDouze euros.\n\nPuis-je emprunter ?\nOui.\n\nExiste-t-il un prêt ? Oui."
    assert list_missing(question, [evidence(asked + " 2025")], CorpusStatistics(capitals=shares.get)) == []
    assert name_subjects(question, [evidence(asked)], CorpusStatistics(capitals=shares.get)) in ([], ["2025"])


@pytest.mark.parametrize("mark", ["- ", "3 ", "3) ", "(a) ", "– "])
def test_a_capital_at_the_beginning_of_an_item_makes_no_name(mark: str) -> None:
    asked = f"{mark}Existe-t-il un prêt ?\nOui.\n{mark}Existe-t-il une bourse ?"
    shares = CorpusStatistics(capitals={"Existe": 0.16}.get)
    assert name_subjects("Existe-t-il une indemnité ?", [evidence(asked)], shares) == []


def test_an_unknown_word_that_begins_sentences_with_a_capital_is_a_name() -> None:
    vocabulary = CorpusStatistics(capitals=dict[str, float]().get)
    assert name_subjects("Tarnwick revenue", [evidence("Tarnwick sold more.", "Tarnwick plc")], vocabulary) == [
        "Tarnwick"
    ]


def test_a_year_of_another_document_is_no_year_of_the_company() -> None:
    report = Evidence(1, Span("report", 0, 9), "Tarnwick", "text", "Revenue of Tarnwick rose to 412 million in 2024.")
    stations = Evidence(2, Span("stations", 0, 9), "Stations", "text", "The station was opened in 2021.")
    known = CorpusStatistics(count=lambda word, document="": int(document == "report" and word == "Tarnwick"))
    shown, found = ["report", "stations"], [report, stations]
    assert list_unrelated("What was the revenue of Tarnwick in 2021?", shown, found, known) == ["2021"]
    assert list_unrelated("What was the revenue of Tarnwick in 2024?", shown, found, known) == []
    assert list_unrelated("Which station was opened in 2021?", shown, found, known) == []


def test_words_from_within_a_question_have_their_capitals_for_a_reason() -> None:
    assert list_missing("Visa", [evidence("Cards are free.")], is_phrase=True) == ["Visa"]
    assert list_missing("Visa", [evidence("Cards are free.")]) == []


def test_the_letters_that_number_a_table_are_no_french() -> None:
    table = "(a) Net sales\n(b) Cost\n(c) Gross margin\n(d) Other\n(l) Total of the year and of the quarter to date"
    assert list_missing("What are the net sales of Kellogg in the year?", [evidence(table)]) == ["Kellogg"]


@pytest.mark.parametrize(
    "text", ["Article 12 – Fees\nNone.", "12. Fees\nNone.", "Under art. 12 it is free.", "12.1 None."]
)
def test_a_part_of_a_document_is_there_if_its_number_stands_with_a_noun_or_opens_a_line(text: str) -> None:
    assert list_missing("What does Article 12 of the rules say?", [evidence(text)]) == []


@pytest.mark.parametrize("text", ["Adopted on 12 October.", "It costs 12 euros.", "Article 2 – Fees", "Article 121"])
def test_a_part_of_a_document_is_missed_where_its_number_counts_something_else(text: str) -> None:
    found = [evidence(f"Article 1 – Rules\nIt is free.\n{text}")]
    assert list_missing("What does Article 12 of the rules say?", found) == ["Article 12"]
