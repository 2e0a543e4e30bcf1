"""Fit the threshold for refusing a question (`answer/extractive/sufficiency.py`) with leave-one-set-out validation.

python benchmarks/fit_refusals.py FOLDER DIR…   FOLDER stores the databases; each DIR is a set in BEIR form

Unchanged questions should be answered, and questions of other sets refused. Questions without their documents are
reported but not fitted: in a set of frequently asked questions, a similar document often answers too. Questions that
are refused because of a name are left out.
"""

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from pincite.answer.extractive import sufficiency
from pincite.evaluate import refusals
from pincite.evaluate.answers import ask_question
from pincite.settings import load_settings

QUESTIONS, DOCUMENTS = 80, 600
WRONG = 0.01  # share of answerable questions that may be refused, not counting refusals because of a name
RIDGE = 0.1

Floats = NDArray[np.float64]


def collect(folders: list[Path], keep: Path) -> list[dict[str, Any]]:
    """Ask every question, and record the features of its relevance."""
    measured: list[sufficiency.Relevance] = []
    noted: list[sufficiency.Relevance | None] = []
    measure = sufficiency.measure_relevance

    def note(*given: Any) -> sufficiency.Relevance:
        measured.append(measure(*given))
        return measured[-1]

    async def ask_and_note(*given: Any) -> Any:
        measured.clear()
        answer = await ask_question(*given)
        noted.append(measured[-1] if measured else None)
        return answer

    with patch.object(sufficiency, "measure_relevance", note), patch.object(refusals, "ask_question", ask_and_note):
        figures = refusals.evaluate(folders, load_settings(), keep, lambda said: None, QUESTIONS, DOCUMENTS)
    return [detail | {"found": found} for detail, found in zip(figures["details"], noted, strict=True) if found]


def describe(cases: list[dict[str, Any]]) -> tuple[Floats, Floats]:
    """Return the features of each case, and whether it should be answered."""
    found = [case["found"] for case in cases]
    rows = [(1.0, 0.0 if each.is_translated else each.words, each.stands_out, each.is_translated) for each in found]
    return np.array(rows, float), np.array([case["kind"] == refusals.PRESENT for case in cases], float)


def fit(cases: list[dict[str, Any]]) -> tuple[Floats, float]:
    """Return the weights of a logistic regression in which each set counts the same, and its threshold."""
    features, wanted = describe(cases)
    features = features * (1, 1, 10, 1)
    groups = [(case["set"], case["kind"] == refusals.PRESENT) for case in cases]
    shares = np.array([100 / groups.count(group) for group in groups])
    weights = np.zeros(4)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (shares * (wanted - likely)) - RIDGE * np.array([0, *weights[1:]])
        bend = (features.T * (shares * likely * (1 - likely))) @ features + RIDGE * np.eye(4)
        weights = weights + np.linalg.solve(bend, slope)
    scores = features @ weights
    points = [point for point in scores[wanted == 1] if np.mean(scores[wanted == 1] < point) <= WRONG]
    return weights * (1, 1, 10, 1), float(max(points))


def main(keep: Path, folders: list[Path]) -> None:
    """Print the share refused in each set with weights fitted on the others, and the constants fitted on all sets."""
    cases = collect(folders, keep)
    easy = [case for case in cases if case["kind"] != refusals.MISSING]
    for name in dict.fromkeys(case["set"] for case in cases):
        weights, point = fit([case for case in easy if case["set"] != name])
        for kind in refusals.KINDS:
            own = [case for case in cases if case["set"] == name and case["kind"] == kind]
            if own:
                share = np.mean(describe(own)[0] @ weights < point)
                now = np.mean([case["refused"] for case in own])
                print(f"{name}, {kind}: {share:.3f} of {len(own)} refused, by the present constants {now:.3f}")
    weights, point = fit(easy)
    _, words, stands_out, translated = weights
    print(f"_STANDS_OUT {stands_out / words:.1f}, _TRANSLATED {translated / words:.2f}", end=", ")
    print(f"_ENOUGH {(point - weights[0]) / words:.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(each) for each in sys.argv[2:]])
