"""A question that is answered without a model loads nothing that only models, readers or servers need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.library import open_library
from pincite.settings import load_settings
from tests.program import environment
from tests.thorough import mark_slow
from tests.turns import DAM, keep

LEASE = "# The lease\n\nThe rent of the boat house is 812 euros a month. The lease ends in 2041.\n"
# The framework that runs models with what it brings, OpenVINO and its tokenizer, readers of files with their processes
# and drawings, migrations, the dialect of the other database, servers.
HEAVY = {
    *("pydantic_ai", "pydantic_graph", "griffe", "genai_prices", "opentelemetry"),
    *("openvino", "sentencepiece", "alembic", "pypdfium2", "lxml", "fastapi", "uvicorn"),
    *("pincite.reading.finish", "pincite.reading.drawing", "pincite.library.ingestion"),
    "sqlalchemy.dialects.postgresql",
}
PROGRAM = (
    "import sys, json\nfrom pincite.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
    "sys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a library about a dam and a lease, searched by words."""
    folder = tmp_path_factory.mktemp("quick")
    library = open_library(load_settings(data=folder / "data", embedding={"provider": "none"}))
    for name, text in (("dam.md", DAM), ("lease.md", LEASE)):
        (folder / name).write_text(text, encoding="utf-8")
        keep(library, folder / name)
    library.close()
    return folder / "data"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "How high is the dam?"], "33 m high"),
        mark_slow(["ask", "How high is the dam?"], "33 m high"),
        mark_slow(["ask", "How high is the dam?", "--focus", "documents", "--strict"], "33 m high"),
        (["ask", "How high is the dam and what is the rent of the boat house?"], "812 euros"),
        mark_slow(["ask", "Compare the dam and the lease"], "812 euros"),
        mark_slow(["ask", "Which documents do I have?"], "The lease"),
        mark_slow(["ask", "Thanks!"], "welcome"),
        (["ask", "How high is the dam?", "--json"], "33 m high"),
    ],
    ids=" ".join,
)
def test_a_question_without_a_model_imports_neither_the_framework_nor_an_engine(
    data: Path, arguments: list[str], said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments, "--no-server"],
        env=environment(data, EMBEDDING__PROVIDER="none"),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert said in done.stdout, done.stderr
    imported = set(json.loads(done.stderr.splitlines()[-1]))
    assert "sqlalchemy" in imported
    assert not HEAVY & imported
    # The parts of a divided question may lead to web pages, which child processes read.
    assert "pincite.isolation" not in imported or said == "812 euros"
    # A program that reads JSON is shown nothing on the way.
    assert ("rich.console" in imported) == ("--json" not in arguments)
