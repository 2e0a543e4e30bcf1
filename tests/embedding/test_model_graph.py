import json
import subprocess
import sys
from pathlib import Path

from pincite.embedding.e5 import E5Embedder
from tests.clock import PATIENCE

_EMBED = """
import json, sys, threading
from pathlib import Path
calls = []
sys.addaudithook(lambda event, args: calls.append(event) if event.startswith("socket.") else None)
from pincite.embedding import create_embedder
from pincite.settings import EmbeddingSettings
made = create_embedder(EmbeddingSettings(), Path(sys.argv[1]))
made.passages(["one", "two"])
print(json.dumps({
    "calls": calls,
    "reporters": [name for name in sys.modules if "telemetry" in name and "openvino" in name],
    "threads": [thread.name for thread in threading.enumerate()],
    "hidden": "openvino.tools.ovc" in sys.modules,
}))
"""


def test_embedding_reports_nothing_to_anyone(e5: E5Embedder, data: Path) -> None:
    e5.passages(["build it once"])
    done = subprocess.run(
        [sys.executable, "-c", _EMBED, str(data)], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert json.loads(done.stdout) == {"calls": [], "reporters": [], "threads": ["MainThread"], "hidden": False}
