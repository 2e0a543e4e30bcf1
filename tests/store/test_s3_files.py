"""Files in a real S3 server that fails in every way a proxy before it can make it fail."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Damaged, DiskFull, FilesAway, Misuse, NotFound, StorageError
from pincite.settings import load_settings
from pincite.store import s3_files
from pincite.store.files import FileStore, open_files
from tests.s3_server import KEY, SECRET, Fault, FaultyProxy, RunningS3, make_file_settings, start_proxy

PART = 8 << 20


def _open(data: Path, section: dict[str, Any], **more: Any) -> FileStore:
    return open_files(load_settings(data=data, files=section | more))


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "given.bin"
    path.write_bytes(content)
    return path


def _bucket(section: dict[str, Any]) -> str:
    name: str = section["url"].split("/")[2]
    return name


@pytest.fixture
def proxy(s3_server: RunningS3) -> Iterator[FaultyProxy]:
    with start_proxy(s3_server.url) as made:
        yield made


@pytest.fixture
def files(tmp_path: Path, bucket: dict[str, Any], proxy: FaultyProxy) -> FileStore:
    return _open(tmp_path / "data", bucket, endpoint=proxy.url)


def test_errors_of_the_server_are_tried_again(files: FileStore, proxy: FaultyProxy, tmp_path: Path) -> None:
    content = os.urandom(PART + 10)
    busy = b"<Error><Code>SlowDown</Code></Error>"
    proxy.faults = [Fault(503, busy), Fault(500), Fault(503, busy, methods=("PUT",)), Fault(502, methods=("POST",))]
    kept = files.keep(_file(tmp_path, content))
    assert proxy.faults == []
    proxy.faults = [Fault(500), Fault(503)]
    assert b"".join(files.read(kept.sha256)) == content


def test_an_answer_that_is_cut_off_is_continued_or_an_error_and_never_short(
    files: FileStore, proxy: FaultyProxy, tmp_path: Path
) -> None:
    content = os.urandom(3_000_000)
    kept = files.keep(_file(tmp_path, content))
    proxy.faults = [Fault(cut_after=1_000_000, methods=("GET",))]
    assert b"".join(files.read(kept.sha256)) == content
    proxy.faults = [Fault(cut_after=700_000, methods=("GET",))]
    with files.local(kept.sha256) as path:
        assert path.read_bytes() == content
    assert proxy.faults == []


def test_a_server_that_is_silent_for_too_long_is_away(files: FileStore, proxy: FaultyProxy, tmp_path: Path) -> None:
    kept = files.keep(_file(tmp_path, b"heard of once"))
    proxy.faults = [Fault(wait=6) for _ in range(20)]
    with pytest.raises(FilesAway, match=r"bucket-.* is away"):
        files.size(kept.sha256)
    proxy.faults = []
    assert files.size(kept.sha256) == 13


def test_a_slow_answer_is_waited_for(files: FileStore, proxy: FaultyProxy, tmp_path: Path) -> None:
    kept = files.keep(_file(tmp_path, b"slow"))
    proxy.faults = [Fault(wait=0.7, methods=("GET",))]
    assert b"".join(files.read(kept.sha256)) == b"slow"


def test_a_server_that_is_not_there_is_away(tmp_path: Path) -> None:
    files = _open(tmp_path / "data", make_file_settings("http://127.0.0.1:1", "bucket"), retry_seconds=0.5)
    with pytest.raises(FilesAway, match="The storage of the bucket bucket is away"):
        files.keep(_file(tmp_path, b"nowhere"))
    checked = files.check()
    assert [(each.name, each.ok) for each in checked] == [("write", False)]
    assert "files.endpoint" in checked[0].words
    files.sweep()  # a server starts without it


@pytest.mark.parametrize(
    ("status", "code", "kind", "words"),
    [
        (403, "InvalidAccessKeyId", StorageError, r"does not let this key use the bucket bucket-"),
        (403, "SignatureDoesNotMatch", StorageError, r"does not let this key use the bucket bucket-"),
        (403, "AccessDenied", StorageError, r"does not let this key use the bucket bucket-"),
        (404, "NoSuchBucket", StorageError, r"no bucket bucket-"),
        (400, "AuthorizationHeaderMalformed", StorageError, r"another region"),
        (301, "PermanentRedirect", StorageError, r"another region"),
        (400, "InvalidBucketName", StorageError, r"refused a request for the bucket bucket-.*InvalidBucketName"),
        (507, "XMinioStorageFull", DiskFull, r"bucket bucket-.* is full"),
    ],
)
def test_a_refusal_says_what_to_do_and_no_secret(
    files: FileStore, proxy: FaultyProxy, tmp_path: Path, status: int, code: str, kind: type[StorageError], words: str
) -> None:
    body = f"<Error><Code>{code}</Code><AWSAccessKeyId>{KEY}</AWSAccessKeyId></Error>".encode()
    proxy.faults = [Fault(status, body, methods=("PUT",)) for _ in range(10)]
    with pytest.raises(kind, match=words) as raised:
        files.keep(_file(tmp_path, b"refused"))
    assert not isinstance(raised.value, FilesAway)
    told = f"{raised.value.message} {raised.value.hint} {raised.value.__cause__} {raised.value.__suppress_context__}"
    assert raised.value.hint
    assert KEY not in told
    assert SECRET not in told
    assert "None True" in told  # a traceback does not show the client's words either


def test_a_bucket_that_does_not_exist_is_named(s3_server: RunningS3, tmp_path: Path) -> None:
    files = _open(tmp_path / "data", make_file_settings(s3_server.url, "no-such-bucket"))
    for ask in (lambda: files.keep(_file(tmp_path, b"x")), files.old, lambda: list(files.read("0" * 64))):
        with pytest.raises(StorageError, match="no bucket no-such-bucket"):
            ask()


def test_without_a_key_the_error_says_where_to_set_it(
    s3_server: RunningS3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")
    files = _open(tmp_path / "data", make_file_settings(s3_server.url, "bucket") | {"key": "", "secret": ""})
    with pytest.raises(StorageError, match="no access key for the bucket") as raised:
        files.has("0" * 64)
    assert "files.key" in raised.value.hint


def test_a_key_of_the_environment_is_used(
    s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "from-the-environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    files = _open(tmp_path / "data", bucket | {"key": "", "secret": "", "seconds": 3})
    assert files.has(files.keep(_file(tmp_path, b"x")).sha256)


def test_a_storage_that_cannot_put_on_a_condition_is_used_without(
    files: FileStore, proxy: FaultyProxy, tmp_path: Path
) -> None:
    refused = b"<Error><Code>NotImplemented</Code></Error>"
    proxy.faults = [Fault(501, refused, methods=("PUT",)) for _ in range(7)]  # the client tries a 5xx again
    kept = files.keep(_file(tmp_path, b"plain"))
    assert b"".join(files.read(kept.sha256)) == b"plain"


def test_an_object_that_was_cut_short_is_replaced(s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path) -> None:
    content = b"the whole of it"
    sha256 = hashlib.sha256(content).hexdigest()
    s3_server.put(_bucket(bucket), f"documents/files/{sha256[:2]}/{sha256}", content[:4])
    files = _open(tmp_path / "data", bucket)
    assert files.keep(_file(tmp_path, content)).sha256 == sha256
    assert b"".join(files.read(sha256)) == content


@pytest.mark.parametrize("size", [1000, 2 * PART])
def test_a_file_that_changes_while_it_is_stored_leaves_no_object(
    s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = _file(tmp_path, os.urandom(size - 1) + b"!")
    hashed = s3_files._hash_file

    def hash_then_change(given: Path) -> Any:
        known = hashed(given)
        with given.open("r+b") as file:
            file.seek(size - 1)
            file.write(b"?")
        return known

    monkeypatch.setattr(s3_files, "_hash_file", hash_then_change)
    with pytest.raises(Misuse, match="changed while it was being stored"):
        _open(tmp_path / "data", bucket).keep(path)
    assert s3_server.list_keys(_bucket(bucket)) == []
    assert s3_server.list_uploads(_bucket(bucket)) == []


def test_other_bytes_than_were_stored_are_refused_and_not_copied(
    s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path
) -> None:
    files = _open(tmp_path / "data", bucket)
    sha256 = files.keep(_file(tmp_path, b"as it was")).sha256
    s3_server.put(_bucket(bucket), f"documents/files/{sha256[:2]}/{sha256}", b"tampered!")
    with pytest.raises(Damaged, match="other bytes"), files.local(sha256):
        pass
    assert not any(path.is_file() for path in (tmp_path / "data" / "cache").glob("files/??/*"))


def test_a_copy_of_removed_bytes_is_removed_here_and_swept_on_other_machines(
    bucket: dict[str, Any], tmp_path: Path
) -> None:
    here, there = _open(tmp_path / "here", bucket), _open(tmp_path / "there", bucket)
    gone, stays = (here.keep(_file(tmp_path, content)).sha256 for content in (b"gone", b"stays"))
    for files in (here, there):
        for sha256 in (gone, stays):
            with files.local(sha256):
                pass
    here.remove(gone)
    assert [path.name for path in (tmp_path / "here" / "cache" / "files").glob("??/*")] == [stays]
    there.sweep_copies()
    assert [path.name for path in (tmp_path / "there" / "cache" / "files").glob("??/*")] == [stays]
    there.forget_copy(stays)
    assert list((tmp_path / "there" / "cache" / "files").glob("??/*")) == []
    assert there.has(stays)


_LARGE = """
import sys
from pathlib import Path
from pincite.settings import load_settings
from pincite.store.files import open_files

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) * 1024

files = open_files(load_settings(data=Path(sys.argv[1]), files=eval(sys.argv[2])))
files.has("0" * 64)
before = peak()
kept = files.keep(Path(sys.argv[3]))
assert sum(map(len, files.read(kept.sha256))) == kept.bytes
with files.local(kept.sha256):
    pass
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="NOT TESTED: the peak of memory is known on Linux")
def test_a_large_file_is_stored_and_read_in_little_memory(bucket: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "large.bin"
    size = 96 << 20
    with path.open("wb") as file:
        file.truncate(size)
    more = {"seconds": 60, "retry_seconds": 60}
    ran = subprocess.run(
        [sys.executable, "-c", _LARGE, str(tmp_path / "data"), repr(bucket | more), str(path)],
        stdout=subprocess.PIPE,
        check=True,
    )
    assert int(ran.stdout) < size * 0.6


def test_without_the_package_the_error_names_the_command(
    bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    with pytest.raises(Misuse, match="not installed") as raised:
        _open(tmp_path / "data", bucket | {"seconds": 7})
    assert "pip install 'pincite[s3]'" in raised.value.hint


def test_a_missing_object_is_not_found(files: FileStore) -> None:
    with pytest.raises(NotFound):
        list(files.read("0" * 64))
