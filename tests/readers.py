"""Keep isolated processes warm between tests: starting one takes longer than most of what it is asked to read."""

import os
import sys
from collections import defaultdict
from collections.abc import Hashable
from pathlib import Path

import pytest

from pincite.isolation.child_process import IsolatedProcess, _Child
from pincite.isolation.sandbox import clean_environment

_KEPT = 2  # of one kind: more are seldom at work at once


class WarmReaders:
    """Takes a child when its user closes it, and gives it to the next user with the same limits and environment.

    The child is a real one, under all its limits, and serves no more tasks than any other.
    """

    def __init__(self) -> None:
        self._close = IsolatedProcess.close
        self._fresh_child = IsolatedProcess._fresh_child
        self._waiting: defaultdict[Hashable, list[_Child]] = defaultdict(list)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        def close(process: IsolatedProcess) -> None:
            if not self._take(process):
                self._close(process)

        def fresh_child(process: IsolatedProcess, path: Path) -> _Child:
            if process._child is None:
                process._child = self._give(_describe(process))
            return self._fresh_child(process, path)

        patch.setattr(IsolatedProcess, "close", close)
        patch.setattr(IsolatedProcess, "_fresh_child", fresh_child)

    def uninstall(self, patch: pytest.MonkeyPatch) -> None:
        """For tests that are about the child itself."""
        patch.setattr(IsolatedProcess, "close", self._close)
        patch.setattr(IsolatedProcess, "_fresh_child", self._fresh_child)

    def stop(self) -> None:
        for children in self._waiting.values():
            for child in children:
                child.stop()
        self._waiting.clear()

    def _take(self, process: IsolatedProcess) -> bool:
        child = process._child
        if child is None or child._file or child.is_at_work or child.is_swollen or child._stopped.is_set():
            return False
        waiting = self._waiting[_describe(process)]
        if len(waiting) >= _KEPT or child.served >= process._tasks_per_child or not child.is_alive():
            return False
        process._child = None
        waiting.append(child)
        return True

    def _give(self, kind: Hashable) -> _Child | None:
        try:
            return self._waiting[kind].pop()
        except IndexError:
            return None


def _describe(process: IsolatedProcess) -> Hashable:
    """All that a child is started with."""
    limits = process._limits
    environment = tuple(sorted(clean_environment(os.environ).items()))
    return limits.memory_mb, bool(limits.ocr), limits.longest_seconds, environment, sys.executable
