from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.attribution_data import JudgedClaim, read_material
from tests.evaluate import sets


def test_claims_that_experts_judged_are_read_with_their_sources(tmp_path: Path) -> None:
    found = read_material(sets.attribution(tmp_path / "experts"))
    claims = found.judged["experts"]
    assert claims[0] == JudgedClaim(
        "The lease will end in 2026.", ("The lease ends in 2026, on the last day of May.",), True
    )
    assert [claim.supported for claim in claims] == [True, False]
    assert found.texts == list(dict.fromkeys(source for claim in claims for source in claim.sources))


def test_a_source_without_text_and_a_claim_without_verdict_are_left_out(tmp_path: Path) -> None:
    claim = {"claim_string": "x", "support": "Complete", "evidence": ["[1] https://example.org/"]}
    unjudged = {"claim_string": "x", "support": "N/A", "evidence": ["[1] https://example.org/\n\nSome text."]}
    path = tmp_path / "claims.jsonl"
    sets.lines(path, {"answers": {"one": {"claims": [claim, unjudged]}}}, {"text": "A text."})
    found = read_material(path)
    assert found.judged == {tmp_path.name: []} or not any(found.judged.values())
    assert found.texts == ["A text."]


def test_pairs_of_premise_and_hypothesis_are_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("premise\thypothesis\tlabel_text\nIl pleut.\tIl fait sec.\tcontradiction\nIl pleut.\tOui.\tok\n")
    assert [claim.supported for claim in read_material(path).judged[tmp_path.name]] == [False, True]


def test_any_texts_will_do(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text("One text.")
    (tmp_path / "b.txt").write_text("Another.")
    sets.lines(tmp_path / "c.jsonl", {"_id": "1", "text": "A third."})
    assert sorted(read_material(tmp_path).texts) == ["A third.", "Another.", "One text."]


def test_unusable_data_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="nothing to verify"):
        read_material(tmp_path)
    with pytest.raises(Misuse, match="There is no"):
        read_material(tmp_path / "missing.txt")
    (tmp_path / "broken.jsonl").write_text("{")
    with pytest.raises(Misuse, match="line 1"):
        read_material(tmp_path)
