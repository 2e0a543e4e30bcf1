"""The names a report is about are told from other words, in English and French."""

import pytest

from pincite.agent.report.subject import list_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is known about the Garrow Bridge?", ["Garrow Bridge"]),
        ("Que sait-on du pont de Gravelle ?", ["Gravelle"]),
        ("How did AWS and Netflix grow in 2023?", ["AWS", "Netflix", "2023"]),
        ("Who signs the lease? What does Mr Duval pay?", ["Mr Duval"]),
        ("What must a tenant know?", []),
        ("Comment résilier un bail meublé ?", []),
        ("", []),
    ],
)
def test_names_codes_and_years_are_found(question: str, names: list[str]) -> None:
    assert list_names(question) == names
