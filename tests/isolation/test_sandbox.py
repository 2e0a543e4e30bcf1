"""A task that tries to get out of the isolated process. What this system cannot enforce is skipped, and said so."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import files, pdfs
from tests.thorough import keep_some

from pincite.errors import Unreadable
from pincite.isolation import inputs, landlock, seccomp
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.probe import FAMILIES
from pincite.isolation.sandbox import clean_environment
from pincite.reading import ocr, read
from pincite.reading.source import Source
from pincite.settings import ReadingSettings

MEMORY_MB = 1500
SECRET = "PINCITE_TEST_KEY"

needs_landlock = pytest.mark.skipif(
    not landlock.find_version(), reason="THE KERNEL HAS NO LANDLOCK: that files are kept from readers is not tested."
)
needs_signals = pytest.mark.skipif(
    landlock.find_version() < 6, reason="LANDLOCK IS OLDER THAN 6: that readers cannot signal is not tested."
)
needs_seccomp = pytest.mark.skipif(
    seccomp.find_architecture() is None,
    reason="THERE IS NO FILTER OF CALLS HERE: that readers cannot call is not tested.",
)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("outside") / "another-document.txt"
    file.write_text("Of another user.")
    return file


def probe(outside: Path, **limits: object) -> dict[str, bool]:
    """Return the results of attempts in a real child process, by the name of the attempt."""
    given = ReadingSettings.model_validate({"memory_mb": MEMORY_MB, **limits})
    allowed = outside.with_name("allowed.txt")
    allowed.write_text("This one may be read.")
    with IsolatedProcess(given) as child:
        request = {"outside": str(outside), "variable": SECRET, "memory_mb": MEMORY_MB}
        found: dict[str, bool] = json.loads(child.run("probe", 60, allowed, **request))
    return found


@pytest.fixture(scope="module")
def reader(outside: Path) -> Iterator[dict[str, bool]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SECRET, "sk-secret")
        yield probe(outside)


@pytest.fixture(scope="module")
def parser(outside: Path) -> dict[str, bool]:
    return probe(outside, ocr="")


def test_a_reader_sees_no_variable_that_it_does_not_need(reader: dict[str, bool]) -> None:
    assert not reader["see_variable"]


def test_a_reader_gets_no_more_memory_than_its_limit(reader: dict[str, bool]) -> None:
    assert not reader["allocate"]


@needs_landlock
@pytest.mark.parametrize("attempt", ["read_file", "list_folder", "read_parent"])
def test_a_reader_reads_no_file_but_its_input(reader: dict[str, bool], attempt: str) -> None:
    assert not reader[attempt]


@needs_seccomp
@pytest.mark.parametrize("attempt", ["write_file", "change_mode"])
def test_a_reader_changes_no_file(reader: dict[str, bool], attempt: str) -> None:
    assert not reader[attempt]


@needs_seccomp
@pytest.mark.parametrize("family", FAMILIES)
def test_a_reader_opens_no_socket(reader: dict[str, bool], family: str) -> None:
    assert not reader[family]


@needs_signals
def test_a_reader_sends_no_signal_to_the_program(reader: dict[str, bool]) -> None:
    assert not reader["signal_parent"]


@needs_seccomp
def test_programs_are_started_where_ocr_needs_them_alone(reader: dict[str, bool], parser: dict[str, bool]) -> None:
    assert not parser["start_program"]


def test_the_same_attempts_succeed_without_the_sandbox(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests above would pass for other reasons."""
    from pincite.isolation.probe import try_all

    monkeypatch.setenv(SECRET, "sk-secret")
    found = try_all({"outside": str(outside), "variable": SECRET, "memory_mb": 1})
    assert {name for name, succeeded in found.items() if not succeeded} <= {"AF_INET6", "AF_NETLINK", "read_parent"}


@pytest.fixture(scope="module")
def shared() -> Iterator[IsolatedProcess]:
    with IsolatedProcess(ReadingSettings(memory_mb=3000)) as child:
        yield child


@pytest.mark.parametrize("name", keep_some([*files.samples(), "a.pdf"], one_in=5))
def test_every_format_is_read_inside_as_outside(shared: IsolatedProcess, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "a.pdf":
        pdfs.simple(path, pages=2)
    else:
        path.write_bytes(files.samples()[name])
    assert shared.read(Source(path, name)) == read(Source(path, name))


@pytest.mark.skipif(not ocr.is_available("eng"), reason="There is no tesseract here.")
def test_text_is_recognised_inside(shared: IsolatedProcess, tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(files.printed("Invoice number 4711"))
    assert "4711" in shared.read(Source(tmp_path / "scan.png", "scan.png", ocr="eng")).text


def test_a_file_too_large_to_be_copied_is_read_by_a_child_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "LARGEST", 100)
    small, large = tmp_path / "small.txt", tmp_path / "large.txt"
    small.write_text("A few words.")
    large.write_text("Many words, again and again. " * 20)
    with IsolatedProcess(ReadingSettings()) as child:
        for path in (small, large, small):
            assert child.read(Source(path, path.name)).text == path.read_text().rstrip() or path == large
        assert child.read(Source(large, large.name)).text.startswith("Many words")


def test_a_document_does_not_see_the_one_before_it(shared: IsolatedProcess, tmp_path: Path) -> None:
    long, short = tmp_path / "long.txt", tmp_path / "short.txt"
    long.write_text("Confidential. " * 100)
    short.write_text("Public.")
    assert "Confidential" in shared.read(Source(long, "long.txt")).text
    assert shared.read(Source(short, "short.txt")).text.strip() == "Public."


def test_a_file_that_is_gone_is_told(shared: IsolatedProcess, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be opened"):
        shared.read(Source(tmp_path / "gone.pdf", "gone.pdf"))


def test_an_environment_keeps_what_python_needs_and_no_key() -> None:
    given = {
        "PATH": "/bin",
        "LANG": "fr_FR.UTF-8",
        "LC_ALL": "C",
        "PYTHONPATH": "/src",
        "TESSDATA_PREFIX": "/data",
        "OPENAI_API_KEY": "sk-1",
        "PINCITE_PROVIDERS__X__KEY": "sk-2",
        "HTTPS_PROXY": "http://u:p@proxy",
        "AWS_SECRET_ACCESS_KEY": "x",
        "SSH_AUTH_SOCK": "/tmp/agent",
        "HOME": "/home/me",
        "DATABASE_URL": "postgres://",
    }
    kept = clean_environment(given)
    assert {name: kept[name] for name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "TESSDATA_PREFIX")} == {
        name: given[name] for name in ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "TESSDATA_PREFIX")
    }
    assert not {"sk-1", "sk-2", "http://u:p@proxy", "x", "/tmp/agent", "/home/me", "postgres://"} & set(kept.values())
