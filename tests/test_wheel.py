"""The packages that people install: everything is in the wheel, and it answers a question without Node or network."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path, PurePosixPath

import httpx
import pytest
from packaging.metadata import Metadata

from pincite import __version__
from tests.clock import PATIENCE, wait_until

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
PAGE = SRC / "pincite" / "server" / "page"
LARGEST = 12_000_000  # bytes: the page is 6 MB of the wheel, compressed


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source package of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    _build(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def installed(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with Pincite from the wheel alone; only what it depends on comes from the tests' own."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    _pip("--python", str(place / "bin/python"), "install", "--no-deps", "--no-index", str(_find(packages, "*.whl")))
    # A line in a .pth adds a folder, but reads no .pth in it: the checkout installed there for editing stays out.
    site = next(place.glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return place


def test_the_wheel_has_every_file_of_the_package_and_no_other(packages: Path) -> None:
    wheel = _find(packages, "*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    mine = {name for name in names if not name.split("/")[0].endswith(".dist-info")}
    wanted = {
        path.relative_to(SRC).as_posix()
        for path in (SRC / "pincite").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert mine - {"pincite/commit.txt"} == wanted
    assert len(names) == len(set(names))
    assert {"pincite/py.typed", "pincite/server/page/index.html", "pincite/server/page/licenses.md"} <= mine
    assert [name for name in mine if name.startswith("pincite/store/migrations/versions/0001")]
    assert [name for name in mine if name.startswith("pincite/answer/prompts/") and name.endswith(".md")]
    assert not [name for name in names if {"tests", "node_modules", "__pycache__"} & set(PurePosixPath(name).parts)]
    assert wheel.stat().st_size < LARGEST


def test_the_metadata_is_complete_and_valid(packages: Path) -> None:
    with zipfile.ZipFile(_find(packages, "*.whl")) as archive:
        folder = f"pincite-{__version__}.dist-info"
        raw = archive.read(f"{folder}/METADATA")
        assert b"Apache License" in archive.read(f"{folder}/licenses/LICENSE")
        assert b"pincite = pincite.cli:main" in archive.read(f"{folder}/entry_points.txt")
        assert archive.read("pincite/commit.txt").strip()
    found = Metadata.from_email(raw, validate=True)
    assert str(found.version) == __version__
    assert found.license_expression == "Apache-2.0"
    assert found.description_content_type == "text/markdown"
    assert found.description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert {"postgres", "s3", "traces"} <= set(found.provides_extra or [])
    assert "Typing :: Typed" in message_from_bytes(raw).get_all("Classifier", [])


@pytest.mark.slow
def test_the_source_package_builds_the_same_wheel_without_git(packages: Path, tmp_path: Path) -> None:
    with tarfile.open(_find(packages, "*.tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / f"pincite-{__version__}"
    assert not [path for path in unpacked.rglob("*") if path.name in ("tests", "node_modules", ".venv", "ui")]
    _build(unpacked, tmp_path / "again", "wheel")
    assert _list_hashes(_find(tmp_path / "again", "*.whl")) == _list_hashes(_find(packages, "*.whl"))


def test_no_package_is_built_without_the_page(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    shutil.copytree(SRC, checkout / "src", ignore=shutil.ignore_patterns("page", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "pincite.sample.toml"):
        shutil.copy(ROOT / name, checkout / name)
    (checkout / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/package_build.py", checkout / "scripts")
    done = _run_hatchling(checkout, tmp_path / "dist", "wheel")
    assert done.returncode != 0
    assert "The page is not built" in done.stderr
    assert "make page" in done.stderr
    assert not list(tmp_path.glob("dist/*"))


@pytest.mark.slow
def test_the_installed_program_serves_the_page_and_answers_with_a_citation(
    installed: Path, home: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    program = str(installed / "bin/pincite")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PINCITE_DATA": str(home), "NO_COLOR": "1", "COLUMNS": "200"}

    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, check=False)

    at = run(str(installed / "bin/python"), "-c", "import pincite; print(pincite.__file__)")
    assert Path(at.stdout.strip()).is_relative_to(installed)
    assert re.fullmatch(rf"pincite {re.escape(__version__)} \(\S+\)", run(program, "--version").stdout.strip())

    server = subprocess.Popen(
        [program, "serve", "--port", "0"], cwd=empty, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout
        address = server.stdout.readline().split()[3]
        wait_until(lambda: run(program, "health", "--url", address, "--seconds", "60").returncode == 0)
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            _check_page(client)
            sentence = "The lighthouse of Cordouan was completed in 1611 after twenty-seven years of work."
            sent = client.post("/api/documents", files={"file": ("lighthouse.txt", sentence.encode(), "text/plain")})
            assert sent.status_code == 202, sent.text
            document = sent.json()["id"]
            wait_until(lambda: client.get(f"/api/documents/{document}").json()["status"] == "ready")
            answer = client.post("/api/search", json={"message": "When was the lighthouse completed?"}).json()
        assert [cited["document"] for cited in answer["citations"]] == [document]
        assert answer["citations"][0]["quote"] == sentence
        assert [said["support"] for said in answer["sentences"] if said["citations"]] == ["verified"]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=PATIENCE)
    assert not list(empty.iterdir())
    gone = run(program, "health", "--url", address)
    assert gone.returncode == 1
    assert address in gone.stderr


def _check_page(client: httpx.Client) -> None:
    """The page and every script and style that it names are served as they were built."""
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    named = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text)
    assert [name for name in named if name.endswith(".js")]
    for name in named:
        assert client.get(name).content == (PAGE / name.removeprefix("/")).read_bytes()


def _build(root: Path, folder: Path, *targets: str) -> None:
    done = _run_hatchling(root, folder, *targets)
    assert done.returncode == 0, done.stderr


def _run_hatchling(root: Path, folder: Path, *targets: str) -> "subprocess.CompletedProcess[str]":
    wanted = ["-t", ",".join(targets)] if targets else []
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *wanted],
        cwd=root,
        env={name: value for name, value in os.environ.items() if name != "SOURCE_COMMIT"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True, timeout=PATIENCE)


def _find(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def _list_hashes(wheel: Path) -> dict[str, int]:
    """Return a number for the bytes of each file. The list of the files, RECORD, has another order and is left out."""
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: info.CRC for info in archive.infolist() if not info.filename.endswith("/RECORD")}
