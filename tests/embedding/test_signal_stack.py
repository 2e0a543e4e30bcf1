"""Ctrl-C works after embedding models are removed in any order."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.embedding.e5 import E5Embedder
from pincite.embedding.signal_stack import SignalStack, get_signal_stack, keep_signal_stack

_REMOVE_TWO = """
import faulthandler, signal, sys
from pathlib import Path
from pincite.embedding.graph_runner import EmbeddingEngine
from pincite.embedding.weights import find_wheel_file, read_weights

faulthandler.enable()
signal.signal(signal.SIGINT, lambda *_: print("interrupted"))
engines = [EmbeddingEngine(read_weights(find_wheel_file()), find_wheel_file(), Path(sys.argv[1]), 1) for _ in range(2)]
while engines:
    del engines[0]
signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no signal stack for OpenVINO")
def test_a_signal_is_handled_after_two_models_are_removed_in_the_order_they_were_loaded(
    e5: E5Embedder, data: Path
) -> None:
    e5.load()
    (models,) = {each.parent for each in data.rglob("multilingual-e5-small-*")}
    ran = subprocess.run([sys.executable, "-c", _REMOVE_TWO, models], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "interrupted\n"), ran.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no signal stack for OpenVINO")
def test_the_stack_before_is_given_back() -> None:
    before, memory = get_signal_stack(), ctypes.create_string_buffer(65536)
    other = SignalStack(ctypes.addressof(memory), 0, len(memory))
    with keep_signal_stack():
        assert ctypes.CDLL(None).sigaltstack(ctypes.byref(other), None) == 0
    after = get_signal_stack()
    assert before is not None
    assert after is not None
    assert (before.address, before.flags) == (after.address, after.flags) != (other.address, other.flags)
