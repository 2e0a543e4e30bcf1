"""No path that anybody writes leads out of the project's folder."""

import os
import socket
import threading
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import Misuse, NotFound
from pincite.projects.paths import PathRefused, clean_path, open_file, open_folder, resolve_path

OUTSIDE = b"This is outside."

UPS = [
    "..",
    ".. ",
    " ..",
    "...",
    "..;",
    "..\0",
    "..\t",
    "..\r\n",
    "..%00",
    "%2e%2e",
    "%2E%2e",
    ".%2e",
    "%252e%252e",
    "%25252e%25252e",
    "%c0%ae%c0%ae",
    "%uff0e%uff0e",
    "．．",
    "‥",
    "․․",
    ".．",
    "\u200b..",
    ".\u200b.",
    "..\ufeff",
    "\u202e..",
    "．\u200d．",
    "..::$DATA",
]
SEPARATORS = ["/", "\\", "//", "/./", "\\/", "%2f", "%5c", "%252f", "／", "＼", "∕"]
BEGINNINGS = ["", "/", "./", "sub/", "sub\\", "missing/"]
ESCAPES = [
    start + (up + separator) * depth + "secret.txt"
    for start, (up, separator), depth in zip(
        BEGINNINGS * 1000, product(UPS, SEPARATORS), [1, 2, 3, 12] * 1000, strict=False
    )
] + [start + f"{up}/" * depth + "secret.txt" for start, up, depth in product(BEGINNINGS, UPS, [1, 2])]
ABSOLUTE = [
    start + rest
    for start, rest in product(
        [
            "/",
            "//",
            "///",
            "\\",
            "\\\\",
            "\\\\?\\",
            "\\\\.\\",
            "C:",
            "c:\\",
            "C:/",
            "file://",
            "FILE:///",
            "~/",
            "~root/",
        ],
        ["{outside}", "etc/passwd", "server\\share\\secret.txt", "..\\secret.txt"],
    )
] + [
    "http://localhost/secret.txt",
    "$HOME/.ssh/id_rsa",
    "%USERPROFILE%\\secret.txt",
    "`pwd`/../secret.txt",
    "$(pwd)/..",
]
INSIDE_GIT = [
    f"{folder}/{name}"
    for folder, name in product(
        [
            ".git",
            ".GIT",
            ".Git",
            "git~1",
            "GIT~1",
            ".git ",
            ".git.",
            ".git. .",
            ".gi\u200ct",
            "．git",
            ".ｇｉｔ",
            ".git::$INDEX",
        ],
        ["config", "hooks/pre-commit"],
    )
]
LINKS = [
    f"{link}{rest}"
    for link, rest in product(
        [
            "out",
            "out-file",
            "sub/up",
            "chain",
            "loop",
            "self",
            "nowhere",
            "root",
            "proc",
            "device",
            "sub/back/../../out",
        ],
        ["", "/secret.txt", "/../secret.txt", "/sub/../../secret.txt", "/etc/passwd", "\\secret.txt", "/."],
    )
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file, links to everywhere, and a secret beside the folder and above it."""
    outside = tmp_path_factory.mktemp("outside")
    root = outside / "a" / "project"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(OUTSIDE)
    for place in (outside, outside / "a", *outside.parents[:1]):
        (place / "secret.txt").write_bytes(OUTSIDE)
    (root / "sub" / "inside.txt").write_bytes(b"This is inside.")
    for name, target in {
        "out": outside,
        "out-file": outside / "secret.txt",
        "sub/up": Path("../.."),
        "chain": root / "out",
        "loop": root / "other-loop",
        "other-loop": root / "loop",
        "self": root / "self",
        "nowhere": outside / "later.txt",
        "root": Path("/"),
        "proc": Path("/proc/self/root"),
        "device": Path("/dev/zero"),
        "sub/back": root,
        "inner": root / "sub" / "inside.txt",
        "inner-folder": Path("sub"),
        "hooks": root / ".git",
    }.items():
        (root / name).symlink_to(target)
    return root


def find_leak(root: Path, written: str) -> str:
    """Return how a path leads out of the folder, or "" if it does not."""
    try:
        place = resolve_path(root, written)
    except Misuse as refused:
        return "" if refused.hint and refused.reason else "The refusal does not say why."
    real = Path(os.path.realpath(place))
    if not real.is_relative_to(root) or ".." in place.parts:
        return f"It leads to {real}."
    try:
        with open_file(root, written) as file:
            return "The file outside was read." if file.read(100) == OUTSIDE else ""
    except Misuse:
        return ""


def test_there_are_five_hundred_attempts() -> None:
    assert len({*ESCAPES, *ABSOLUTE, *INSIDE_GIT, *LINKS}) > 500


@pytest.mark.parametrize("written", [*dict.fromkeys(ESCAPES), *ABSOLUTE, *INSIDE_GIT, *LINKS], ids=ascii)
def test_no_attempt_leads_out(root: Path, written: str) -> None:
    assert find_leak(root, written.replace("{outside}", str(root.parents[1] / "secret.txt"))) == ""


@given(st.text(st.sampled_from("./\\.%2efC:~ abs\0．／‥\u200b"), max_size=24))
@example("sub/back/sub/back/../../secret.txt")
@example("/" * 5000)
def test_no_text_at_all_leads_out(root: Path, written: str) -> None:
    assert find_leak(root, written) == ""


@given(st.text(max_size=60))
def test_a_cleaned_path_is_relative_and_stays_as_it_is(written: str) -> None:
    try:
        cleaned = clean_path(written)
    except PathRefused:
        return
    assert clean_path(cleaned) == cleaned
    assert not cleaned.startswith("/")
    assert not {"", ".", ".."} & set(cleaned.split("/"))


@pytest.mark.parametrize(
    ("written", "cleaned"),
    [
        ("src/main.py", "src/main.py"),
        ("/src/main.py", "src/main.py"),
        ("///src//main.py", "src/main.py"),
        ("./src/./main.py", "src/main.py"),
        ("src\\main.py", "src/main.py"),
        ("\\src\\main.py", "src/main.py"),
        ("src/", "src"),
        ("a b/déjà vu.md", "a b/déjà vu.md"),
        ("100%/a%20b.txt", "100%/a%20b.txt"),
        (".github/workflows/test.yml", ".github/workflows/test.yml"),
        (".gitignore", ".gitignore"),
        ("a..b/..c", "a..b/..c"),
        ("notes.", "notes."),
    ],
)
def test_usual_paths_have_one_form(written: str, cleaned: str) -> None:
    assert clean_path(written) == cleaned


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "path_empty"),
        ("   ", "path_name"),
        ("/", "path_empty"),
        ("./.", "path_empty"),
        ("a/../b", "path_outside"),
        ("..", "path_outside"),
        ("%2e%2e/a", "path_outside"),
        ("C:\\a", "path_absolute"),
        ("\\\\server\\share", "path_absolute"),
        ("file:///etc/passwd", "path_absolute"),
        ("~/a", "path_absolute"),
        ("a\0b", "path_name"),
        ("a\nb", "path_name"),
        ("a\u202eb", "path_name"),
        ("\ud800", "path_name"),
        ("x" * 256, "path_name"),
        ("é" * 128, "path_name"),
        ("x/" * 3000, "path_name"),
        (".git/config", "path_name"),
    ],
    ids=ascii,
)
def test_a_refusal_names_its_reason(written: str, reason: str) -> None:
    with pytest.raises(PathRefused) as caught:
        clean_path(written)
    assert caught.value.reason == reason
    assert caught.value.code == "misuse"
    assert caught.value.hint


def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    for written in ("inner", "inner-folder/inside.txt", "sub/back/sub/inside.txt"):
        assert resolve_path(root, written) == root / "sub" / "inside.txt"
        with open_file(root, written) as file:
            assert file.read() == b"This is inside."


def test_a_link_to_the_folder_of_git_is_refused(root: Path) -> None:
    with pytest.raises(PathRefused, match="Git's own folder"):
        resolve_path(root, "hooks/config")


def test_a_file_that_does_not_exist_yet_has_a_place_but_cannot_be_opened(root: Path) -> None:
    assert resolve_path(root, "new/deep/file.txt") == root / "new" / "deep" / "file.txt"
    with pytest.raises(NotFound) as caught:
        open_file(root, "new/deep/file.txt")
    assert caught.value.reason == "file"


def test_a_file_is_no_folder_and_a_folder_is_no_file(root: Path) -> None:
    with pytest.raises(PathRefused, match="is a file, not a folder"):
        resolve_path(root, "sub/inside.txt/more")
    with pytest.raises(Misuse, match="is a folder") as caught:
        open_file(root, "sub")
    assert caught.value.reason == "is_folder"


def test_pipes_and_sockets_are_refused_without_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for name in ("pipe", "socket"):
            for use in (resolve_path, open_file):
                with pytest.raises(PathRefused) as caught:
                    use(tmp_path, name)
                assert caught.value.reason == "path_special"


def test_a_name_in_another_unicode_form_is_another_file(tmp_path: Path) -> None:
    composed, decomposed = "caf\u00e9.txt", "cafe\u0301.txt"
    (tmp_path / decomposed).write_text("decomposed")
    with open_file(tmp_path, decomposed) as file:
        assert file.read() == b"decomposed"
    with pytest.raises(NotFound):
        open_file(tmp_path, composed)


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A folder `root/sub` with a file, and a folder outside with a file of the same name."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_bytes(OUTSIDE)
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "root" / "sub" / "a.txt").write_bytes(b"This is inside.")
    return tmp_path / "root"


@pytest.mark.parametrize("swapped", ["sub", "sub/a.txt"])
def test_a_link_put_in_the_way_while_a_file_is_opened_leads_nowhere(
    race: Path, swapped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = os.open
    place = race / swapped

    def swap_and_open(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == place.name and not place.is_symlink():
            place.rename(race / "moved")
            place.symlink_to(race.parent / "outside" / ("a.txt" if swapped.endswith(".txt") else ""))
        return really_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swap_and_open)
    with pytest.raises(PathRefused) as caught:
        open_file(race, "sub/a.txt")
    assert caught.value.reason == "path_link"


def test_a_folder_that_is_swapped_all_the_time_never_leads_out(race: Path) -> None:
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            (race / "sub").rename(race / "kept")
            (race / "sub").symlink_to(race.parent / "outside")
            (race / "sub").unlink()
            (race / "kept").rename(race / "sub")

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        read = set()
        for _ in range(500):
            try:
                with open_file(race, "sub/a.txt") as file:
                    read.add(file.read())
            except Misuse:
                continue
    finally:
        done.set()
        swapping.join()
    assert read <= {b"This is inside."}


def test_no_descriptor_stays_open(race: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for written in ("sub/a.txt", "sub", "sub/missing", "../a", "missing/a.txt"):
        for _ in range(20):
            try:
                open_file(race, written).close()
            except Misuse:
                pass
    os.close(open_folder(race, "sub"))
    os.close(open_folder(race, ""))
    assert len(os.listdir("/proc/self/fd")) == before
