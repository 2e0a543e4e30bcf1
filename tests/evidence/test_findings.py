from pincite.evidence.comparison import Comparison
from pincite.evidence.findings import Findings, findings
from pincite.evidence.wording import prepare


def found(sentence: str, source: str) -> Findings:
    return findings(Comparison(prepare(sentence), prepare(source)))


def test_what_stands_in_the_source_is_covered_wherever_it_stands() -> None:
    scattered = "The harbour closed. It rained. The mayor slept. Trees fell. The budget grew."
    assert found("The harbour budget closed.", scattered).coverage == 1.0
    assert found("The harbour budget closed.", scattered).gathered < 1.0
    assert found("The harbour budget closed.", scattered).anchored < 0.7


def test_what_is_not_in_the_source_is_named() -> None:
    missing = found("In 2021 Acme sold 12 boats.", "In 2020 it sold boats.").missing
    assert missing == ("2021 is not in the source", "Acme is not in the source", "12 is not in the source")


def test_a_word_put_for_another_is_shown_with_it() -> None:
    replaced = found("The council approved the museum.", "The council approved the airport.").replaced
    assert replaced == ("where the source says “airport”, the sentence says “museum”",)


def test_saying_more_than_the_source_is_noticed() -> None:
    assert found("Aspirin helps.", "Aspirin may help.").stronger
    assert found("Only adults may enter.", "Adults may enter.").stronger
    assert not found("Aspirin may help.", "Aspirin helps.").stronger


def test_a_contradiction_about_something_else_is_none() -> None:
    source = "Sales of bread fell by half in the north. The council approved a large new museum near the harbour."
    assert found("The council approved a large new museum near the harbour, and spirits rose.", source).against == ()
