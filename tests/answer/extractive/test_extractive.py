"""With no model set, a question is answered with the best passages, quoted exactly, or not at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import events
from pincite.answer.extractive import ExtractiveAnswerer, decline_chat
from pincite.answer.services import Services
from pincite.evaluate.shown_passages import list_shown
from pincite.store import document_text
from pincite.types import Exchange
from tests import pdfs
from tests.answer.extractive.shelves import PONT, TEXTS, Broken, answered, shelf
from tests.turns import ask, final, keep, of_type, open_test_services


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Read once: to ask changes nothing."""
    made = shelf(tmp_path_factory.mktemp("shelf"))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who designed the Garrow Bridge?", "The Garrow Bridge was designed by Eleanor Whitfield"),
        ("When did the Garrow Bridge open?", "opened to traffic on 14 June 1934"),
        ("How long is the main span of the bridge?", "a main span of 218 metres"),
        ("How much did the bridge cost?", "The total cost was £412,000"),
        ("Why was the bridge closed in 1987?", "because corrosion had weakened the hangers"),
        ("Can cyclists use the bridge?", "Cyclists may use the footpath"),
        ("Are lorries over 18 tonnes allowed?", "Lorries over 18 tonnes are not allowed"),
        ("Qui a construit le pont de Gravelle ?", "par l'ingénieur Paul Séjourné"),
        ("Quand le pont de Gravelle a-t-il été construit ?", "construit en 1897"),
        ("Combien ont coûté les travaux de 2015 ?", "ont coûté 2,4 millions d'euros"),
        ("Pourquoi la passerelle a-t-elle été fermée ?", "parce que les câbles étaient rouillés"),
        ("Qu'est-ce que le pont de Gravelle ?", "est un pont suspendu"),
    ],
)
def test_the_sentence_that_answers_is_lit_in_the_first_passage(services: Services, question: str, said: str) -> None:
    answer = answered(services, question)
    assert not answer.refused
    first = answer.passages[0]
    assert said in " ".join(first.text[start:end] for start, end in first.lit)
    assert not first.more
    assert sum(not passage.more for passage in answer.passages) <= 3


def test_an_answer_says_where_it_comes_from_and_claims_nothing_of_its_own(services: Services) -> None:
    answer = answered(services, "Who designed the Garrow Bridge?")
    opening, place, first = answer.sentences[:3]
    assert (opening.text, opening.support) == ("Found in your documents:", None)
    assert (place.text, place.support) == ("**The Garrow Bridge** · History", None)
    assert (first.support, first.basis, first.citations) == ("verified", "quote", [1])
    french = answered(services, "Qui a construit le pont de Gravelle ?")
    assert french.sentences[0].text == "Trouvé dans vos documents :"


@pytest.mark.parametrize(
    "question", ["Who designed the Garrow Bridge?", "Quelles pièces faut-il pour une dérogation ?"]
)
def test_every_sentence_is_quoted_and_stands_in_its_passage(services: Services, question: str) -> None:
    answer = answered(services, question)
    assert {(each.support, each.basis) for each in answer.sentences if each.support} == {("verified", "quote")}
    for citation in answer.citations:
        with services.library.database.reading() as connection:
            text = document_text.read_text(connection, citation.document, citation.start, citation.end)
        assert text == citation.quote
        assert all(citation.start <= start < end <= citation.end for start, end in citation.lit)
    assert {each.n for each in answer.passages} == {each.n for each in answer.citations}
    assert answer.invented == 0


@pytest.mark.parametrize(
    ("question", "lead", "items"),
    [
        (
            "Which documents are required for an abnormal load?",
            "To obtain a permit for an abnormal load",
            ["- the vehicle registration certificate", "- a route plan", "- proof of insurance"],
        ),
        (
            "Quelles pièces faut-il pour une dérogation ?",
            "Pour obtenir une dérogation",
            ["- la carte grise", "- une attestation", "- le plan"],
        ),
        ("How do I report a fault?", "How to report a fault", ["1. Call", "2. Give", "3. Stay"]),
    ],
)
def test_a_list_is_shown_with_what_leads_it_in_item_by_item(
    services: Services, question: str, lead: str, items: list[str]
) -> None:
    lines = [line for line in answered(services, question).answer.split("\n") if line]
    at = next(place for place, line in enumerate(lines) if line.startswith(lead))
    assert [line[: len(item)] for line, item in zip(lines[at + 1 :], items, strict=False)] == items


REPORT = """# Annual report of Corvel Cycles

Corvel Cycles sold 12,400 bicycles in 2023. The annual report of Corvel Cycles is for its owners.

## Governance

### The board

Seven people meet nine times a year.

## Sales

| Year | Bicycles | Bells |
|------|----------|-------|
| 2022 | 11,500   | 800   |
| 2023 | 12,400   | 950   |
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does “Annual report of Corvel Cycles” say about “Governance”?", "Seven people meet nine times a year."),
        ("What does it say about “The board”?", "Seven people meet nine times a year."),
        ("What is “Bells” for “2023”?", "2023 12,400 950"),
    ],
)
def test_a_heading_or_a_label_in_quotation_marks_is_what_is_shown(tmp_path: Path, question: str, said: str) -> None:
    """The page suggests such questions on a document."""
    parts = answered(shelf(tmp_path, {"report.md": REPORT}), question).passages
    first = [each for each in parts if each.n == parts[0].n]
    lit = [each.text[start:end] for each in first for start, end in each.lit]
    assert said in [*lit, *(" ".join(each.rows[place]) for each in first for place in each.lit_rows)]


def test_a_table_is_drawn_with_its_heads_and_the_row_that_answers_lit(services: Services) -> None:
    answer = answered(services, "What was the toll income in 2019?")
    first = next(each for each in answer.passages if each.form == "table")
    assert first.heads == [["Year", "Vehicles per day", "Toll income"]]
    assert [first.rows[place] for place in first.lit_rows] == [["2019", "14,200", "3,100,000"]]
    assert "| 2019 | 14,200 | 3,100,000 [1] |" in answer.answer
    assert {sentence.support for sentence in answer.sentences} == {None, "verified"}


def test_a_passage_is_shown_whole_in_the_order_of_its_text_and_counts_as_one(services: Services) -> None:
    answer = answered(services, "What was the toll income in 2019?")
    text, table = answer.passages[:2]
    assert (table.form, text.form) == ("table", "text")
    assert text.start < table.start
    assert (table.n, table.part_of) == (text.n, text.part_of)
    (cited,) = [each for each in answer.citations if each.n == table.n]
    assert (cited.start, cited.end) == (text.start, table.end)
    assert all(table.start <= start < end <= table.end for start, end in cited.lit)
    assert len({each.n for each in answer.passages}) == len(answer.citations)
    assert (table.lit_rows, text.lit) == ([0], [])
    (shown, *_) = list_shown(answer)
    assert (table.start, table.end) in shown.spans
    assert (text.start, text.end) in shown.spans


def test_three_passages_are_shown_however_many_parts_the_first_has(tmp_path: Path) -> None:
    steps = "".join(f"Start pump {n} with this command:\n\n```sh\npump --start {n}\n```\n\n" for n in range(4))
    texts = {"steps.md": f"# Pumps\n\n{steps}", "a.md": "# A\n\nThe pumps start by hand in winter.\n"}
    texts["b.md"] = "# B\n\nNobody starts the pumps on a Sunday.\n"
    answer = answered(shelf(tmp_path, texts), "How do the pumps start?")
    shown = [passage for passage in answer.passages if not passage.more]
    assert {passage.name for passage in shown} == set(texts)
    assert sum(passage.name == "steps.md" for passage in shown) > 1


def test_a_command_is_shown_with_the_line_that_introduces_it(tmp_path: Path) -> None:
    text = "# The pump\n\nIt is blue.\n\nStart the pump with this command:\n\n```sh\npump --start\nwait [3]\n```\n"
    answer = answered(shelf(tmp_path, {"pump.md": text}), "Which command starts the pump?")
    first = next(passage for passage in answer.passages if passage.form == "code")
    assert (first.lead, first.text) == ("Start the pump with this command:", "pump --start\nwait [3]")
    assert "```\npump --start\nwait [3]\n```" in answer.answer
    assert answer.answer.count("Start the pump with this command:") == 1
    assert first.lit == [(0, len(first.text))]
    assert all(each.support in (None, "verified") for each in answer.sentences)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the boiling point of nitrogen?", "I found nothing"),
        ("Quel est le salaire du maire de Bordeaux ?", "Aucun document ne mentionne Bordeaux."),
        ("Who won the chess championship in Reykjavik?", "No document mentions Reykjavik."),
        ("Kubernetes security practices", "No document mentions Kubernetes."),
        ("Redige une lettre au syndicat", "Je n’ai rien trouvé"),
        ("Gardening practices", "I found nothing"),
    ],
)
def test_a_question_the_documents_do_not_answer_is_refused(services: Services, question: str, said: str) -> None:
    answer = answered(services, question)
    assert answer.refused
    assert answer.answer.startswith(said)
    assert not any(sentence.citations for sentence in answer.sentences)
    assert answer.sentences[0].silent


def test_a_name_that_no_document_has_is_said_and_the_nearest_passages_are_offered(tmp_path: Path) -> None:
    report = "# Costco 2022\n\nRevenue of Costco was 227 billion dollars in 2022."
    services = shelf(tmp_path, {"costco.md": report, "notes.md": "# Notes\n\nThe shop in Dax sells an apple pie."})
    answer = answered(services, "What was the revenue of Microsoft in 2022?")
    assert answer.refused
    assert answer.missing == ["Microsoft"]
    assert answer.answer.startswith("No document mentions Microsoft.")
    assert "227" not in answer.answer
    assert any("227 billion" in passage.text for passage in answer.passages)
    assert all(passage.more for passage in answer.passages)


def test_a_name_that_stands_in_other_passages_alone_is_said_to_be_in_none_of_those_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.answer.tools.found_evidence._QUOTED", 1)
    report = "# Costco 2022\n\nRevenue was 227 billion dollars in the year 2022 for the company and its shops."
    texts = {"costco.md": report, "notes.md": "# Notes\n\nThe Orchard grows fruit."}
    made = open_test_services(tmp_path, texts, answers={"evidence": 1})
    services = Services(made.library, made.search, None)
    answer = answered(services, "What revenue had the company called Orchard in the year 2022 with its shops?")
    assert answer.refused
    assert answer.answer.startswith("None of the passages on this subject mentions Orchard.")


def test_a_figure_of_one_company_is_never_given_for_another_that_some_document_names(tmp_path: Path) -> None:
    report = "# Costco 2022\n\nRevenue was 227 billion dollars in the year 2022 for the company and its shops."
    services = shelf(tmp_path, {"costco.md": report, "notes.md": "# Notes\n\nThe Orchard grows fruit."})
    answer = answered(services, "What revenue had the company called Orchard in the year 2022 with its shops?")
    assert answer.refused
    assert answer.missing == ["Orchard"]
    assert answer.answer.startswith("None of the passages on this subject mentions Orchard.")


def test_a_name_need_not_stand_in_the_passage_where_its_document_has_it_elsewhere(tmp_path: Path) -> None:
    filler = "\n\n".join(
        f"Part {number} of the rules speaks of the boats, the sails and the oars." for number in range(60)
    )
    text = f"# Rules\n\nThese are the rules of the Orchard club.\n\n{filler}\n\n## Fees\n\nThe yearly fee is 40 euros."
    services = shelf(tmp_path, {"rules.md": text, "notes.md": "# Notes\n\nThe Orchard grows fruit."})
    assert not answered(services, "How much is the yearly fee of the Orchard club?").refused


def test_emphasis_of_markdown_is_not_shown_as_signs(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"dam.md": "# The dam\n\n*An invented place.*\n\nThe dam is 41 m _high_."})
    answer = answered(services, "How high is the dam?")
    assert "An invented place." in answer.passages[0].text
    assert not set("*_-") & set(answer.passages[0].text)


def test_a_document_named_for_somebody_need_not_name_them_in_each_passage(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"Costco_2022.md": "Revenue was 227 billion dollars, more than ever before."})
    assert not answered(services, "What was the revenue of Costco?").refused


def test_one_who_is_named_nowhere_is_not_answered_about(tmp_path: Path) -> None:
    services = shelf(
        tmp_path, {"a.md": "# Ada\n\nAda Byron was born in London.", "b.md": "# Rome\n\nIn Rome nobody is born."}
    )
    assert answered(services, "Where was Charles Babbage born?").refused
    assert not answered(services, "Where was Ada Byron born?").refused


def test_a_named_document_is_summarised_in_its_own_order(services: Services) -> None:
    answer = answered(services, "Résume le pont de Gravelle")
    quoted = [sentence.text for sentence in answer.sentences if sentence.support]
    places = [PONT.replace("\n", " ").find(text) for text in quoted]
    assert len(places) >= 3
    assert places == sorted(places)
    assert min(places) >= 0
    assert [passage.headings for passage in answer.passages] == [[], ["Circulation"], ["Entretien"]]


def test_a_summary_begins_with_what_the_document_begins_with_figures_and_all(tmp_path: Path) -> None:
    text = (
        "# Annual report\n\nRevenue rose 12 % to €1,234.5 million in 2023, from €1,102 million in 2022. Costs fell.\n\n"
        "Maria Keller was appointed chief executive on 1 June 2023. It employs 4,500 people in six countries.\n"
    )
    services = shelf(tmp_path, {"report.md": text})
    answer = final(ask(services, "Summarise the annual report"))
    quoted = [sentence.text for sentence in answer.sentences if sentence.support]
    assert quoted[0].startswith("Revenue rose 12 %")


def test_a_summary_has_the_first_sentence_of_prose_of_each_section(tmp_path: Path) -> None:
    text = (
        "# The relay handbook\n\n31 May 2022\n\n"
        "This handbook explains how the relay is installed and run by its owner.\n\n"
        "## Programs\n\n- Google Earth, which many people ask about every year in the forum.\n- VoIP\n\n"
        "## Setting up\n\nVersion 3.2\n\nThe relay needs two cores and a disk of forty gigabytes. It is small.\n\n"
        "## References\n\nLamport, L. The part-time parliament was published in a journal in 1998.\n"
    )
    services = shelf(tmp_path, {"relay.md": text})
    answer = answered(services, "Summarise the relay handbook")
    assert [passage.text for passage in answer.passages] == [
        "This handbook explains how the relay is installed and run by its owner.",
        "The relay needs two cores and a disk of forty gigabytes.",
    ]
    assert len({passage.n for passage in answer.passages}) == 2


def test_a_summary_has_sentences_that_stand_and_a_list_that_is_a_whole_section(tmp_path: Path) -> None:
    joining = "Joining costs nothing. It is open to everybody who lives in the parish of Gravelle."
    lent = "The library never lends these:\n\n- the maps of the parish\n- the papers of the last month"
    fees = "The table shows all fees of the library by person.\n\n| Person | Fee |\n|---|---|\n| Child | 0 |"
    text = f"# Rules\n\n## Joining\n\n{joining}\n\n## Not lent\n\n{lent}\n\n## Fees\n\n{fees}\n"
    answer = answered(shelf(tmp_path, {"rules.md": text}), "Summarise the rules")
    assert [passage.headings for passage in answer.passages] == [["Joining"], ["Not lent"]]
    assert answer.passages[0].text == joining
    assert "these:\n\n- the maps of the parish\n- the papers" in answer.passages[1].text


def test_a_summary_of_a_document_without_prose_has_its_first_lines(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"menu.md": "# The menu\n\n- Soup of the day\n- Cake\n"})
    assert "Soup of the day" in answered(services, "Summarise the menu").answer


def test_which_document_is_meant_is_asked_when_there_are_several_and_not_when_there_is_one(
    services: Services, tmp_path: Path
) -> None:
    assert answered(services, "Summarise this document").answer == "Which document should be summarised?"
    assert answered(services, "Résume ce document").answer == "Quel document faut-il résumer ?"
    one = shelf(tmp_path / "one", {"pont.md": PONT})
    assert len(answered(one, "Résume ce document").citations) >= 3


def test_two_documents_are_compared_each_under_its_name(services: Services) -> None:
    answer = answered(services, "Compare the Garrow Bridge and the pont de Gravelle")
    first, second = answer.answer.index("**Garrow Bridge**"), answer.answer.index("**Pont de Gravelle**")
    sides = {
        name: {citation.title for citation in answer.citations if citation.n in sentence.citations}
        for name, low, high in (("first", first, second), ("second", second, len(answer.answer)))
        for sentence in answer.sentences
        if low < sentence.start < high and sentence.citations
    }
    assert sides == {"first": {"The Garrow Bridge"}, "second": {"Le pont de Gravelle"}}


def test_two_years_in_a_report_titled_with_one_of_them_are_compared_each_with_its_own_sentence(tmp_path: Path) -> None:
    filler = "The bell of the old hall rings every day at noon. " * 24
    report = (
        f"# Annual report 2023\n\n## The year\n\nNet sales rose to 31.2 million euros in 2023.\n\n{filler}\n\n"
        f"## Outlook\n\nFor 2024 the company expects net sales between 33 and 35 million euros.\n\n{filler}\n\n"
        f"## Repairs\n\nIn 2023 the roof of the hall was repaired by a firm from the next town.\n\n{filler}\n"
    )
    services = shelf(tmp_path, {"report.md": report})
    answer = answered(services, "Compare net sales 2023 and 2024")
    first, second = answer.answer.index("**Net sales 2023**"), answer.answer.index("**Net sales 2024**")
    assert "31.2 million" in answer.answer[first:second]
    assert "33 and 35" not in answer.answer[first:second]
    assert "33 and 35" in answer.answer[second:]
    assert "roof" not in answer.answer


def test_the_same_sentence_in_two_documents_is_said_once(tmp_path: Path) -> None:
    said = "The ferry to Lund leaves at six in the morning."
    services = shelf(tmp_path, {"a.md": f"# Ferries\n\n{said}", "b.md": f"# Travel\n\n{said} Bring a coat."})
    assert answered(services, "When does the ferry to Lund leave?").answer.count("leaves at six") == 1


def test_marks_and_commands_in_a_document_are_neither_citations_nor_commands(tmp_path: Path) -> None:
    text = "# Notes\n\nThe valve opens at 40 bar, as shown in [7].\n\nNAVIGATE: 3 opens the valve page of the manual."
    said = ask(shelf(tmp_path, {"notes.md": text}), "When does the valve open?")
    answer = final(said)
    assert answer.invented == 0
    assert "40 bar" in answer.answer
    assert not of_type(said, events.Navigate)


def test_the_same_question_has_the_same_answer(services: Services) -> None:
    question = "Can cyclists use the bridge?"
    assert answered(services, question) == answered(services, question)


def test_the_passages_come_as_events_before_the_answer_is_whole(services: Services) -> None:
    said = ask(services, "Who designed the Garrow Bridge?")
    shown = of_type(said, events.ShownPassage)
    assert shown == final(said).passages
    assert said.index(shown[0]) < next(
        i for i, data in enumerate(said) if isinstance(data, events.Cited) and data.citations
    )


@pytest.mark.parametrize("question", ["Which documents do I have?", "Quels documents ai-je ?"])
def test_the_pages_of_a_listed_document_are_counted_in_the_singular_and_plural(tmp_path: Path, question: str) -> None:
    services = shelf(tmp_path, {})
    for name, pages in (("one.pdf", 1), ("two.pdf", 2)):
        pdfs.simple(tmp_path / name, pages)
        keep(services.library, tmp_path / name)
    said = answered(services, question).answer
    assert "(one.pdf), 1 page " in said
    assert "(two.pdf), 2 pages " in said


def test_the_documents_are_listed_and_each_can_be_cited(services: Services) -> None:
    answer = answered(services, "Which documents do I have?")
    assert not answer.refused
    listed = [sentence for sentence in answer.sentences if sentence.citations]
    assert sorted(sentence.text for sentence in listed) == [
        "- **Le pont de Gravelle** (pont.md)",
        "- **The Garrow Bridge** (bridge.md)",
    ]
    assert {citation.title for citation in answer.citations} == {"Le pont de Gravelle", "The Garrow Bridge"}


def test_an_embedder_that_fails_leaves_the_words(services: Services) -> None:
    answer = answered(Services(services.library, services.search, Broken()), "Can cyclists use the bridge?")
    assert "Cyclists may use the footpath" in answer.answer


@pytest.mark.parametrize(
    ("message", "said"),
    [("Tell me a story", "cannot hold a conversation"), ("Raconte une histoire", "ne sais pas tenir")],
)
def test_without_tools_it_says_what_it_cannot_do_and_what_to_set(message: str, said: str) -> None:
    told = decline_chat(message)
    assert said in told
    assert "models.chat" not in told
    assert "settings" in told or "réglages" in told


def test_only_tools_that_are_offered_are_called() -> None:
    question = "Compare the first report and the second report"
    calls, _ = ExtractiveAnswerer().respond(question, frozenset({"search_documents"}), ())
    assert {call.tool for call in calls} == {"search_documents"}


@pytest.mark.parametrize("question", ["Show me pictures of the bridge", "Montre-moi des vidéos du pont"])
def test_pictures_need_the_web_and_it_says_so(services: Services, question: str) -> None:
    answer = answered(services, question)
    assert answer.refused
    assert "web.search_url" in answer.answer


@pytest.mark.parametrize(
    ("question", "absent", "said"),
    [
        (
            "Compare the Garrow Bridge and the Severn Crossing",
            "Severn Crossing",
            "No document mentions Severn Crossing.",
        ),
        ("Compare le pont de Gravelle et le viaduc de Millau", "Millau", "Aucun document ne mentionne Millau."),
    ],
)
def test_a_comparison_with_one_side_absent_shows_the_other_and_says_so(
    services: Services, question: str, absent: str, said: str
) -> None:
    answer = answered(services, question)
    assert (answer.refused, answer.missing) == (False, [absent])
    assert said in answer.answer
    assert {passage.part for passage in answer.passages if not passage.more} != {""}
    assert [sentence.text.strip() for sentence in answer.sentences if sentence.silent] == [said]


def test_a_comparison_of_two_absent_names_is_refused(services: Services) -> None:
    answer = answered(services, "Compare Visa and Mastercard")
    assert (answer.refused, answer.missing) == (True, ["Visa", "Mastercard"])


@pytest.mark.parametrize("question", ["Compare bridge.md and pont.md", "Compare bridge.md with report_2021_FY.md"])
def test_a_comparison_of_two_files_shows_both(tmp_path: Path, question: str) -> None:
    report = "# Corvel Cycles\n\nCorvel Cycles sold 3,000 bicycles. The board met six times.\n"
    services = shelf(tmp_path, {**TEXTS, "report_2021_FY.md": report})
    answer = answered(services, question)
    assert (answer.refused, answer.missing) == (False, [])
    assert len({passage.document for passage in answer.passages if not passage.more}) == 2
    services.close()


def test_a_summary_of_what_no_document_mentions_is_refused(services: Services) -> None:
    answer = answered(services, "Summarise the Severn Bridge")
    assert (answer.refused, answer.missing) == (True, ["Severn Bridge"])
    assert not answered(services, "Summarise the Garrow Bridge").refused


def test_a_list_of_the_documents_lights_nothing(services: Services) -> None:
    answer = answered(services, "Which documents do I have?")
    assert [(each.lit, each.boxes, each.quote) for each in answer.citations] == [([], [], "")] * 2


@pytest.mark.parametrize("greeting", ["Hello, ", "Hello ", "Good morning! ", "Thanks. "])
def test_a_greeting_before_a_question_changes_nothing(tmp_path: Path, greeting: str) -> None:
    services = shelf(tmp_path)
    answer = answered(services, f"{greeting}who designed the Garrow Bridge?")
    assert not answer.refused
    assert "Eleanor Whitfield" in answer.answer


@pytest.mark.parametrize("question", ["En combien de temps ?", "Combien a-t-il coûté ?"])
def test_a_short_question_with_combien_is_about_the_subject_of_the_last(tmp_path: Path, question: str) -> None:
    mill = "# Le moulin de Brune\n\nLe moulin de Brune a été bâti entre 1810 et 1812. Il a coûté 9 000 francs."
    asked = "# Questions sur Tarnix\n\n- Combien coûte une licence ?\n- Combien de temps prend l'installation ?"
    services = shelf(tmp_path, {"moulin.md": mill, "questions.md": asked})
    past = (Exchange("Quand le moulin de Brune a-t-il été bâti ?"),)
    answer = final(ask(services, question, history=past))
    assert not answer.refused
    assert answer.passages[0].title == "Le moulin de Brune"
