"""Killed at any moment, started again: nothing is lost and nothing is there twice."""

import hashlib
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import files, pdfs, program
from tests.clock import PATIENCE
from tests.thorough import IS_THOROUGH, mark_slow

DOCUMENTS = 24 if IS_THOROUGH else 12
KINDS = (".pdf", ".docx", ".md", ".txt")
KILLS = 10
# Short passages are quick to embed, and some documents then need several batches.
SMALL = {"PASSAGES__SIZE": "120", "PASSAGES__OVERLAP": "20"}
# Several kills may fall on one document, which is not to be set aside for it.
PATIENT = {**SMALL, "JOBS__ATTEMPTS": str(KILLS + 1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small documents of four kinds in two languages."""
    folder = tmp_path_factory.mktemp("documents")
    for number in range(DOCUMENTS):
        words = pdfs.WORDS_FR if number % 2 else pdfs.WORDS_EN
        text = f"{number}. {words}"
        path = folder / f"{number:02d}{KINDS[number % len(KINDS)]}"
        if path.suffix == ".pdf":
            pdfs.simple(path, words=text)
        elif path.suffix == ".docx":
            path.write_bytes(files.word(partial(_write, text=text)))
        elif path.suffix == ".md":
            path.write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")
        else:
            path.write_text("\n\n".join(f"{part}. {text}" for part in range(12 if number < 8 else 1)))
    return folder


def _write(document: Any, text: str) -> None:
    document.add_paragraph(text)


@pytest.fixture(scope="module")
def undisturbed(folder: Path, models: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The content of the store after one run without interruptions."""
    data = tmp_path_factory.mktemp("undisturbed")
    (data / "models").symlink_to(models)
    done = program.run("add", folder, data=data, **SMALL)
    assert done.returncode == 0, done.stderr
    return contents(data)


@contextmanager
def database(data: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(data / "pincite.db", timeout=30)) as connection:
        yield connection


def contents(data: Path) -> dict[str, Any]:
    """Everything that must not depend on how often the program was killed; what must hold at all is asserted."""
    with database(data) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        assert connection.execute("SELECT count(*) FROM jobs").fetchone() == (0,)
        documents = connection.execute("SELECT name, sha256, status, error, pages, passages FROM documents").fetchall()
        spans = connection.execute(
            'SELECT d.name, p.ordinal, p.start, p."end", p.id FROM passages p JOIN documents d USING (generation)'
        ).fetchall()
        texts = connection.execute("SELECT d.name, t.start, t.text FROM texts t JOIN documents d USING (generation)")
        assert connection.execute("SELECT count(*) FROM generations").fetchone() == (len(documents),)
        words = [row[0] for row in connection.execute("SELECT rowid FROM words ORDER BY rowid")]
        vectors: dict[int, np.ndarray] = {}
        for ids, packed in connection.execute("SELECT passages, vectors FROM vectors"):
            rows = np.frombuffer(packed, np.float16).reshape(-1, 384).astype(np.float32)
            for id, vector in zip(np.frombuffer(ids, np.int64).tolist(), rows, strict=True):
                assert id not in vectors, "a passage has two vectors"
                vectors[id] = vector
        ids = sorted(row[4] for row in spans)
        assert words == ids, "each passage has its words once"
        assert sorted(vectors) == ids, "each passage has its vector"
        kept = {path.name: path for path in (data / "files").rglob("*") if path.is_file()}
        assert set(kept) == {document[1] for document in documents}, "bytes without a document, or half a file"
        assert all(hashlib.sha256(path.read_bytes()).hexdigest() == name for name, path in kept.items())
        return {
            "documents": sorted(documents),
            "spans": sorted(row[:4] for row in spans),
            "texts": sorted(texts),
            "vectors": np.stack([vectors[row[4]] for row in sorted(spans)]),
        }


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert len(found["documents"]) == DOCUMENTS
    assert {document[2] for document in found["documents"]} == {"ready"}
    for name in ("documents", "spans", "texts"):
        assert found[name] == expected[name]
    cosines = (found["vectors"] * expected["vectors"]).sum(axis=1)
    assert cosines.min() > 0.99


def steps_done(data: Path) -> int:
    """How far the work is: documents known, read, and batches embedded."""
    if not (data / "pincite.db").exists():
        return 0
    with database(data) as connection:
        try:
            tables = ("documents", "contents", "vectors")
            return sum(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)
        except sqlite3.OperationalError:
            return 0  # its tables are not made yet


def _is_past(data: Path, moment: float) -> bool:
    return steps_done(data) >= moment


def wait_until(what: Callable[[], bool], process: Any) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and not what():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("kills", [3, mark_slow(KILLS)])
def test_killed_again_and_again_and_started_again_it_ends_as_if_nothing_had_happened(
    folder: Path, home: Path, undisturbed: dict[str, Any], kills: int
) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    # Moments spread over the whole work, each with a delay of its own so that it falls anywhere inside a step.
    moments = [chance.uniform(number, number + 1) * 2.7 * DOCUMENTS / kills for number in range(kills)]
    landed = 0
    for moment in moments:
        process = program.start("add", folder, data=home, **PATIENT)
        wait_until(partial(_is_past, home, moment), process)
        time.sleep(chance.uniform(0, 0.3))
        process.kill()
        _, said = process.communicate()
        # A run that reached its end before the kill must have ended well.
        assert process.returncode in (0, -signal.SIGKILL), said
        landed += process.returncode == -signal.SIGKILL
    assert landed > kills / 2
    done = program.run("add", folder, data=home, **PATIENT)
    assert done.returncode == 0, done.stderr
    assert_same(contents(home), undisturbed)


@pytest.mark.slow
def test_two_processes_that_add_the_same_folder_share_the_work(
    folder: Path, home: Path, undisturbed: dict[str, Any]
) -> None:
    processes = [program.start("add", folder, data=home, **SMALL) for _ in range(2)]
    for process in processes:
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        assert f"{DOCUMENTS} documents ready" in said
    assert_same(contents(home), undisturbed)


def statuses(data: Path) -> set[str]:
    with database(data) as connection:
        return {row[0] for row in connection.execute("SELECT status FROM documents")}


def is_at(data: Path, status: str) -> bool:
    try:
        return status in statuses(data)
    except sqlite3.OperationalError:
        return False


@pytest.mark.parametrize(("step", "left"), [("reading", "queued"), mark_slow("embedding", "searchable")])
def test_ctrl_c_stops_cleanly_says_how_to_go_on_and_the_next_run_does(
    home: Path, tmp_path: Path, step: str, left: str
) -> None:
    if step == "reading":
        path = pdfs.repeated(tmp_path / "long.pdf", 250)
        settings = {"EMBEDDING__PROVIDER": "none"}
    else:
        path = tmp_path / "long.txt"
        path.write_text("\n\n".join(f"{number}. {pdfs.WORDS_EN}" for number in range(150)))
        settings = SMALL
    process = program.start("add", path, data=home, **settings)
    wait_until(lambda: is_at(home, step), process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    assert said.count("Run the same command again") == 1
    assert "Traceback" not in said
    with database(home) as connection:
        assert connection.execute("SELECT state, worker, deaths FROM jobs").fetchall() == [("queued", "", 0)]
    assert statuses(home) == {left}
    assert program.run("add", path, data=home, **settings).returncode == 0
    assert statuses(home) == {"ready"}
