"""Compare made vectors with real ones: does a question find its nearest as easily among them?

    python benchmarks/local_dimension.py --sets FOLDER... --folder DIR [--embedded 40000] [--longest 150]

The English texts are cut and embedded as `scale.py` does it. Three hundred of them are questions; the others are the
real vectors, and a tenth of these, repeated and moved by `repeated_text.py`, are as many made ones. Printed for growing
numbers: the local intrinsic dimension around a question (maximum likelihood over its ten nearest, median of all
questions), and the difference between the inner products of the 10th and the 100th nearest (median).
"""

import argparse
from pathlib import Path

import numpy as np
from repeated_text import RepeatedText, Vectors, find_near, move_vectors
from scale import describe_machine

_QUESTIONS = 300
_SIZES = (1_000, 3_000, 10_000)


def measure(vectors: Vectors, questions: Vectors) -> tuple[float, float]:
    """Return the local dimension around the questions, and the distance from their 10th to their 100th nearest."""
    dimensions, gaps = [], []
    for question in questions:
        products = vectors @ question
        best = np.sort(np.partition(products, len(products) - 100)[-100:])[::-1]
        distances = np.maximum(np.sqrt(np.maximum(2 - 2 * best[:10], 0)), 1e-6)
        dimensions.append(-1 / np.mean(np.log(distances[:-1] / distances[-1])))
        gaps.append(best[9] - best[99])
    return float(np.median(dimensions)), float(np.median(gaps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--embedded", type=int, default=40_000)
    parser.add_argument("--longest", type=int, default=150)
    given = parser.parse_args()
    print(describe_machine())
    english = RepeatedText(given.sets, given.folder, given.embedded, given.longest).texts[0]
    vectors = english.vectors[: english.embedded]
    questions, real = vectors[:_QUESTIONS], vectors[_QUESTIONS:]
    base = real[: len(real) // 10]
    bases = np.arange(len(real)) % len(base)
    moved = move_vectors(base, find_near(base), bases, np.random.default_rng(1))
    moved[: len(base)] = base
    print("vectors    real: dimension, gap    made: dimension, gap")
    for size in [each for each in _SIZES if each < len(real)] + [len(real)]:
        figures = [
            f"{dimension:9.1f}  {gap:.4f}" for dimension, gap in (measure(x[:size], questions) for x in (real, moved))
        ]
        print(f"{size:7}    {figures[0]}        {figures[1]}")


if __name__ == "__main__":
    main()
