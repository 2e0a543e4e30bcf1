"""`pincite doctor` tells of a limit only what a real child came up against."""

import os
from typing import Any

import pytest

from pincite.isolation import landlock, sandbox, seccomp
from pincite.isolation.limit_check import check_limits
from pincite.settings import ReadingSettings


def test_a_limit_that_this_system_enforces_is_told_as_enforced() -> None:
    found = {limit.detail.partition(":")[0]: limit for limit in check_limits(ReadingSettings(memory_mb=1500))}
    assert found["environment"].is_enforced
    assert found["memory"].is_enforced
    assert found["files"].is_enforced == (landlock.find_version() > 0)
    has_filter = seccomp.find_architecture() is not None
    assert [found[name].is_enforced for name in ("changes", "network", "programs")] == [has_filter] * 3
    assert all(limit.remedy for limit in found.values())
    assert "PINCITE_PROBE" not in os.environ


def test_a_limit_that_is_not_in_force_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child is told to keep its rights; the doctor has only the child's attempts to go by."""

    def pass_on(given: Any) -> dict[str, str]:
        return dict(given)

    monkeypatch.setattr("pincite.isolation.child_process.clean_environment", pass_on)
    found = {limit.detail.partition(":")[0]: limit for limit in check_limits(ReadingSettings(memory_mb=1500))}
    assert not found["environment"].is_enforced
    assert sandbox.clean_environment({"PINCITE_PROBE": "a key"}).get("PINCITE_PROBE") is None
