"""What work costs, so that one run of a test can be compared with another."""

import gc
import time
from collections.abc import Callable


def cost(work: Callable[[], object], tries: int = 1) -> float:
    """CPU seconds of this thread, the best of some tries: collecting what other tests left is no part of the work."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(tries):
            start = time.thread_time()
            work()
            best = min(best, time.thread_time() - start)
    finally:
        gc.enable()
    return best
