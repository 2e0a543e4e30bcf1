"""Fixtures of all tests: a model that is built once, and a library in its own folder."""

import fcntl
import functools
import gc
import inspect
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import httpx2
import hypothesis
import pytest
import typer.main
from sqlalchemy import Engine
from sqlalchemy.util import LRUCache

import pincite.server
from pincite.embedding import create_embedder
from pincite.library import Library, open_library
from pincite.settings import load_settings
from pincite.settings_aliases import NAMES
from pincite.store.database import Database
from tests.databases import database as database
from tests.databases import either as either
from tests.databases import leave_out_second_engine
from tests.databases import postgres as postgres
from tests.databases import postgres_server as postgres_server
from tests.memory_folder import use_memory_folder
from tests.readers import WarmReaders
from tests.s3_server import PROGRAM, RunningS3, start_s3
from tests.thorough import scale_examples

use_memory_folder()

# A busy machine is no failure: no example has a clock of its own. The examples are the same in every run, so that a
# change is judged by its own tests. `make test-slow` tries four times as many (HYPOTHESIS_PROFILE=thorough);
# HYPOTHESIS_PROFILE=explore tries new ones.
_GIVEN: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("quick", **_GIVEN, derandomize=True, max_examples=scale_examples(100))
hypothesis.settings.register_profile("thorough", **_GIVEN, derandomize=True)
hypothesis.settings.register_profile("explore", **_GIVEN)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


# The longest single tests. They begin first, so that no worker is left alone with one at the end.
_LONGEST = ("tests/test_durability.py", "tests/test_docs.py", "tests/test_hostile.py", "tests/server/test_schema.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(_LONGEST))


def pytest_itemcollected(item: pytest.Item) -> None:
    leave_out_second_engine(item)


_LEFT_OUT = pytest.StashKey[int]()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        # Every process of a run leaves out the same tests. What it notes here reaches the one that writes the summary.
        _note_left_out(slow[0].config, len(slow))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _note_left_out(node.config, getattr(node, "workeroutput", {}).get("left_out", 0))


def _note_left_out(config: pytest.Config, count: int) -> None:
    config.stash[_LEFT_OUT] = max(count, config.stash.get(_LEFT_OUT, 0))
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = config.stash[_LEFT_OUT]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.section("left out", sep="=", yellow=True)
        terminalreporter.line(f"{count} SLOW TESTS WERE LEFT OUT. `make test-slow` runs them.", yellow=True)


def pytest_collection_finish() -> None:
    """Take the modules and tests that stay to the end out of the garbage collector's way.

    A worker holds a million objects then, and the program collects garbage after every document that it reads.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside() -> None:
    """A developer's own PINCITE_* variables mean nothing here, nor do the keys and addresses of model providers."""
    outside = ("_API_KEY", "_BASE_URL", "_API_URL")
    for name in [name for name in os.environ if name.startswith("PINCITE_") or name.endswith(outside) or name in NAMES]:
        del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Database], None]]:
    """New SQLite files get their tables by a copy of one file: a migration takes ten times as long.

    The real migration is the value, for tests that are about it.
    """
    file = tmp_path_factory.mktemp("migrated") / "pincite.db"
    migrate = Database.migrate
    made = Database(f"sqlite:///{file}")
    migrate(made)
    made.close()

    one_at_a_time = threading.Lock()

    def copy_tables(self: Database) -> None:
        path = Path(self.engine.url.database or "")
        with one_at_a_time:
            # The program makes the file, empty and private, before it asks for its tables.
            if self.sqlite and path.is_absolute() and (not path.exists() or path.stat().st_size == 0):
                shutil.copyfile(file, path)
        migrate(self)

    Database.migrate = copy_tables  # type: ignore[method-assign]
    yield migrate
    Database.migrate = migrate  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def _commands_made_once() -> Iterator[None]:
    """Typer makes all commands of the program at each call; here a call uses those of the call before it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def _routes_made_once() -> Iterator[None]:
    """An application makes its 180 routes in a quarter of a second; here all applications share those of the first."""
    with pytest.MonkeyPatch.context() as patch:
        for module in vars(pincite.server).values():
            make = getattr(module, "router", None)
            if inspect.isfunction(make) and not inspect.signature(make).parameters:
                patch.setattr(module, "router", functools.cache(make))
        yield


class _SharedStatements(LRUCache[Any, Any]):
    """The compiled statements of all databases of one kind. Each database has its own dialect, which begins a key."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), value)


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    """SQLAlchemy compiles the statements of each database; here one uses those of the databases before it."""
    statements = _SharedStatements(5000)
    shared = property(lambda engine: statements, lambda engine, own: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "_compiled_cache", shared, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _certificates_read_once() -> Iterator[None]:
    """An HTTP client reads the certificates of all authorities, for longer than a request of a test takes."""
    with pytest.MonkeyPatch.context() as patch:
        for library in (httpx, httpx2):
            read_once = functools.cache(library.create_ssl_context)
            patch.setattr(f"{library.__name__}._transports.default.create_ssl_context", read_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def warm_readers() -> Iterator[WarmReaders]:
    """The processes that read documents and pages stay for the next test."""
    readers = WarmReaders()
    with pytest.MonkeyPatch.context() as patch:
        readers.install(patch)
        yield readers
    readers.stop()


@pytest.fixture
def own_readers(warm_readers: WarmReaders, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of the processes themselves: each is started when it is needed and ended when it is closed."""
    warm_readers.uninstall(monkeypatch)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the built-in model as it is kept after first use; processes of one run share it."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "with-model"
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        model = create_embedder(load_settings(data=shared).embedding, shared)
        assert model is not None
        model.passages(["The first passage builds the model."])
    return shared / "models"


@pytest.fixture
def home(tmp_path: Path, models: Path) -> Path:
    """A new data folder that has the model already."""
    data = tmp_path / "home"
    data.mkdir()
    (data / "models").symlink_to(models)
    return data


@pytest.fixture(scope="session")
def s3_server() -> Iterator[RunningS3]:
    """A real S3 server, started once."""
    if not PROGRAM.exists():
        pytest.skip("NOT TESTED ON S3: `make setup` installs the server (moto) into .venv/s3-server")
    running = start_s3()
    yield running
    running.stop()


@pytest.fixture
def bucket(s3_server: RunningS3) -> dict[str, Any]:
    """The section `files` of settings with a new bucket."""
    return s3_server.make_bucket(f"bucket-{uuid.uuid4().hex[:12]}")


@pytest.fixture
def database_address() -> str:
    """The database of the libraries that a test opens; empty is a SQLite file in their folder."""
    return ""


@pytest.fixture
def opened(tmp_path: Path, database_address: str) -> Iterator[Callable[..., Library]]:
    """Opens libraries in the test's folder, with these settings, and closes them at the end."""
    libraries = []

    def open_with(data: Path | None = None, **settings: Any) -> Library:
        library = open_library(
            load_settings(data=data or tmp_path / "data", **{"database": database_address, **settings})
        )
        libraries.append(library)
        return library

    yield open_with
    for library in libraries:
        library.close()


@pytest.fixture
def library(opened: Callable[..., Library]) -> Library:
    """A library whose documents are found by words alone."""
    return opened(embedding={"provider": "none"})
