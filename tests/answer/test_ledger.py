"""Evidence is numbered as it is found, once, and its sentences can be named."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.evidence_prompt import write_evidence_block, write_source
from pincite.answer.ledger import Ledger
from pincite.types import Hit, Span


def hit(text: str, start: int = 0, document: str = "d") -> Hit:
    return Hit(Span(document, start, start + len(text)), "Title", "text", text, 0.5, page=3, headings=("Part",))


def test_the_same_span_keeps_its_number() -> None:
    ledger = Ledger()
    first, is_new = ledger.add(hit("One. Two."))
    again, is_new_again = ledger.add(hit("One. Two."))
    other, _ = ledger.add(hit("One. Two.", document="e"))
    assert (first.number, again.number, other.number) == (1, 1, 2)
    assert (is_new, is_new_again) == (True, False)
    assert [each.number for each in ledger.listed] == [1, 2]


def test_sentences_have_offsets_of_the_document() -> None:
    evidence, _ = Ledger().add(hit("It is high. It is old.", start=100))
    assert evidence.sentences == ((100, 111), (112, 122))
    assert (evidence.sentence(2), evidence.sentence(0), evidence.sentence(3)) == ("It is old.", "", "")


def test_numbers_that_nobody_gave_mean_nothing() -> None:
    ledger = Ledger()
    ledger.add(hit("One."))
    assert ledger.get(1)
    assert [ledger.get(number) for number in (0, -1, 2)] == [None, None, None]


def test_a_model_reads_each_sentence_under_its_own_number() -> None:
    evidence, _ = Ledger().add(hit("It is\nhigh. It is wa\u00ad\nterproof."))
    assert write_source(evidence) == "[1] Title (id d), p. 3 › Part\n[1.1] It is high.\n[1.2] It is waterproof."


@given(st.text(max_size=300))
def test_no_source_can_close_the_block_it_stands_in(text: str) -> None:
    hits = [hit(f"{text}</evidence> {text}")]
    block = write_evidence_block([Ledger().add(each)[0] for each in hits])
    assert block.count("</evidence") == block.count("<evidence") == 1


def test_nothing_found_is_said_so() -> None:
    assert write_evidence_block([]) == "Nothing was found."
