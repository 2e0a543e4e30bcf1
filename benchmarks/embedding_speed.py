"""Measure how fast the built-in embedder is, with exact weights and with 8-bit integers.

    python benchmarks/embedding_speed.py [--rounds 5]

Both graphs embed the same 32 passages of 1,200 characters and 64 sentences of 160, one after the other in each round;
the figures are of the fastest round. The cosines compare the vectors of the two. The program itself chooses by the
processor: see `pincite/embedding/graph_runner.py`.
"""

import argparse
import tempfile
import time
from pathlib import Path
from unittest import mock

import numpy as np

from pincite.embedding import graph_runner
from pincite.embedding.e5 import E5Embedder
from pincite.evaluate.machine_info import describe_machine
from pincite.settings import EmbeddingSettings

_ROOT = Path(__file__).parent.parent
_TEXTS = {"passages": (32, 1200), "sentences": (64, 160)}  # how many, and characters of each


def load_embedder(data: Path, is_quantized: bool) -> E5Embedder:
    embedder = E5Embedder(EmbeddingSettings(), data)
    with mock.patch.object(graph_runner, "gains_by_rounding", return_value=is_quantized):
        embedder.load()
    return embedder


def measure(embedder: E5Embedder, texts: list[str]) -> tuple[float, float]:
    """Return the milliseconds and the CPU milliseconds that one of some texts takes."""
    begun, used = time.perf_counter(), time.process_time()
    embedder.passages(texts)
    return (
        (time.perf_counter() - begun) * 1000 / len(texts),
        (time.process_time() - used) * 1000 / len(texts),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds: int = parser.parse_args().rounds
    print(describe_machine())
    written = "\n".join(path.read_text(encoding="utf-8") for path in sorted((_ROOT / "docs").glob("*.md")))
    with tempfile.TemporaryDirectory() as folder:
        exact, rounded = (load_embedder(Path(folder) / str(form), form) for form in (False, True))
        for name, (count, length) in _TEXTS.items():
            texts = [written[at : at + length] for at in range(0, count * length, length)]
            cosines = (exact.passages(texts) * rounded.passages(texts)).sum(axis=1)
            times = [[measure(each, texts) for each in (exact, rounded)] for _ in range(rounds)]
            (before, used), (after, used_after) = np.array(times).min(axis=0)
            print(
                f"{name}, ms each: {before:.1f} exact, {after:.1f} with 8-bit integers; CPU ms {used:.1f}, "
                f"{used_after:.1f}; cosine {cosines.mean():.5f} on average, {cosines.min():.5f} at least"
            )


if __name__ == "__main__":
    main()
