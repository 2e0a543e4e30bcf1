"""Keep the bytes of documents in a bucket of S3-compatible storage: Amazon S3, MinIO, Cloudflare R2, Ceph."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pincite.errors import DiskFull, FilesAway, Misuse, PinciteError, StorageError
from pincite.settings_files import FileSettings
from pincite.store.file_cache import Download, FileCache
from pincite.store.files import (
    FileCheck,
    StoredFile,
    check_store,
    make_missing_error,
    read_given_file,
    read_range,
)

if TYPE_CHECKING:
    from obstore import GetResult
    from obstore.store import ClientConfig, RetryConfig, S3Config, S3Store

_PART = 8 << 20  # bytes of one request of an upload
_PARTS_AT_ONCE = 2
_PIECE = 256 << 10
_OLD = timedelta(hours=1)
_HASH = re.compile(r"[0-9a-f]{64}")
# The client reports what the storage said only as text.
_STATUS = re.compile(r"status code: (\d{3})")
_CODE = re.compile(r"<Code>(\w+)</Code>")
_REGION_CODES = frozenset(
    {"AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException", "InvalidRegion"}
)
_FULL_CODES = frozenset({"XMinioStorageFull", "QuotaExceeded", "XMinioAdminBucketQuotaExceeded"})
_REDIRECT = "redirect without LOCATION"
_INSTANCE_ROLE = "/latest/"  # part of the address that gives a cloud's machine the key of its role


class S3Files:
    """Files in a bucket, named by their hash below a prefix, with copies on this machine for readers of a path."""

    def __init__(self, settings: FileSettings, area: str, cache_folder: Path) -> None:
        given = urlsplit(settings.url)
        self._bucket = given.netloc
        self._prefix = "/".join(part for part in (*given.path.split("/"), *area.split("/")) if part)
        self._store = _connect(settings)
        self._cache = FileCache(cache_folder, settings.cache_mb * 1_000_000)

    @property
    def place(self) -> str:
        return f"s3://{self._bucket}/{self._prefix}"

    def keep(self, path: Path) -> StoredFile:
        """Upload a file unless the bucket has it. The object appears when its last byte was sent and checked."""
        known = _hash_file(path)
        found = self._find_size(known.sha256)
        if found == known.bytes:
            return known
        if known.bytes <= _PART:
            self._put_small(path, known, is_new=found is None)
        else:
            pieces = _read_unchanged(path, known.sha256)
            with self._explain():
                self._store.put(self._key(known.sha256), pieces, chunk_size=_PART, max_concurrency=_PARTS_AT_ONCE)
        found = self._find_size(known.sha256)
        if found != known.bytes:
            raise StorageError(
                f"{self.place} kept {found or 0} of the {known.bytes} bytes of a file.", "Check the storage."
            )
        return known

    def _put_small(self, path: Path, known: StoredFile, is_new: bool) -> None:
        from obstore.exceptions import AlreadyExistsError, BaseError

        content = b"".join(_read_unchanged(path, known.sha256))
        if is_new:
            try:
                self._store.put(self._key(known.sha256), content, mode="create")
                return
            except AlreadyExistsError:  # somebody else was quicker
                return
            except BaseError as error:
                if _read_status(error) != 501:  # a storage that cannot put on a condition; the bytes are the same
                    raise self._make_error(error) from None
            except FileNotFoundError as error:
                raise self._make_error(error) from None
        with self._explain():
            self._store.put(self._key(known.sha256), content, use_multipart=False)

    def has(self, sha256: str) -> bool:
        return self._find_size(sha256) is not None

    def size(self, sha256: str) -> int:
        found = self._find_size(sha256)
        if found is None:
            raise make_missing_error()
        return found

    @contextmanager
    def local(self, sha256: str) -> Iterator[Path]:
        """Return the path of a copy on this machine, which is downloaded first if there is none."""
        with self._cache.hold(sha256, lambda: self._open(sha256)) as path:
            yield path

    def read(self, sha256: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        with self._cache.hold_known(sha256) as path:
            if path:
                yield from read_range(path, start, end)
                return
        yield from self._open(sha256, start, end).pieces

    def remove(self, sha256: str) -> None:
        with self._explain():
            self._store.delete(self._key(sha256))
        self._cache.forget(sha256)

    def forget_copy(self, sha256: str) -> None:
        self._cache.forget(sha256)

    def list_hashes(self) -> Iterator[str]:
        for name, _ in self._list():
            yield name

    def old(self) -> set[str]:
        before = datetime.now(UTC) - _OLD
        return {name for name, modified in self._list() if modified < before}

    def clear(self) -> None:
        for sha256 in self.list_hashes():
            self.remove(sha256)

    def sweep(self) -> None:
        """Remove the unfinished downloads of processes that were killed."""
        self._cache.sweep()

    def sweep_copies(self) -> None:
        self._cache.recount()
        for sha256 in self._cache.list_hashes():
            try:
                if not self.has(sha256):
                    self._cache.forget(sha256)
            except StorageError:
                return  # it is swept when the storage answers again

    def list_areas(self) -> list[str]:
        """Return the names of the areas within this one."""
        with self._explain():
            found = self._store.list_with_delimiter(f"{self._prefix}/")
        return [path.rstrip("/").rpartition("/")[2] for path in found["common_prefixes"]]

    def check(self) -> list[FileCheck]:
        return check_store(self)

    def _key(self, sha256: str) -> str:
        return f"{self._prefix}/{sha256[:2]}/{sha256}"

    def _find_size(self, sha256: str) -> int | None:
        try:
            with self._explain():
                return self._store.head(self._key(sha256))["size"]
        except PinciteError as error:
            if error.code == "not_found":
                return None
            raise

    def _list(self) -> Iterator[tuple[str, datetime]]:
        listed = self._store.list(f"{self._prefix}/", chunk_size=1000)
        while True:
            with self._explain():
                found = next(listed, None)
            if found is None:
                return
            for each in found:
                name = each["path"].rpartition("/")[2]
                if _HASH.fullmatch(name):
                    yield name, each["last_modified"]

    def _open(self, sha256: str, start: int = 0, end: int | None = None) -> Download:
        """Ask for a range of a file, and return its size and its pieces."""
        from obstore.exceptions import BaseError

        if end is not None and end <= start:
            return Download(0, iter(()))
        with self._explain():
            try:
                if end is not None:
                    found = self._store.get(self._key(sha256), options={"range": (start, end)})
                elif start:
                    found = self._store.get(self._key(sha256), options={"range": {"offset": start}})
                else:
                    found = self._store.get(self._key(sha256))
            except BaseError as error:
                if _read_status(error) == 416:  # it begins after the last byte
                    return Download(0, iter(()))
                raise
        first, last = found.range
        return Download(last - first, self._read_pieces(found, last - first))

    def _read_pieces(self, found: "GetResult", left: int) -> Iterator[bytes]:
        stream = found.stream(min_chunk_size=_PIECE)
        while left > 0:
            with self._explain():
                piece = next(stream, None)
            if piece is None:
                raise self._make_away_error("the answer was cut off")
            left -= len(piece)
            yield bytes(piece)

    @contextmanager
    def _explain(self) -> Iterator[None]:
        """Raise our errors in place of the client's. Nothing but the client may be called in the block."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, FileNotFoundError) as error:
            raise self._make_error(error) from None

    def _make_error(self, error: Exception) -> PinciteError:
        told = str(error)
        status = _read_status(error)
        found = _CODE.search(told)
        code = found[1] if found else ""
        if code == "NoSuchBucket":
            return StorageError(
                f"The storage has no bucket {self._bucket}.", "Create it, or set files.url to another one."
            )
        if isinstance(error, FileNotFoundError):
            return make_missing_error()
        if code in _REGION_CODES or _REDIRECT in told:
            return StorageError(f"The bucket {self._bucket} is in another region.", "Set files.region to its region.")
        if _INSTANCE_ROLE in told.partition("Debug source")[0]:
            return StorageError(
                f"There is no access key for the bucket {self._bucket}.",
                "Set files.key and files.secret, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
            )
        if status in (401, 403):
            return StorageError(
                f"The storage does not let this key use the bucket {self._bucket}.",
                "Check files.key and files.secret; the key must be allowed to read, write, list and delete there.",
            )
        if status == 507 or code in _FULL_CODES:
            return DiskFull(f"The bucket {self._bucket} is full.", "Free some space in it, then try again.")
        if status and 400 <= status < 500 and status not in (408, 429):
            return StorageError(
                f"The storage refused a request for the bucket {self._bucket} ({code or status}).",
                "Check files.url, files.endpoint and files.path_style.",
            )
        return self._make_away_error(f"status {status}" if status else "no answer")

    def _make_away_error(self, reason: str) -> FilesAway:
        return FilesAway(
            f"The storage of the bucket {self._bucket} is away ({reason}).",
            "Try again in a moment; if it stays away, check files.endpoint and the network.",
        )


def list_s3_areas(settings: FileSettings, area: str) -> list[str]:
    """Return the names of the areas within an area of a bucket."""
    return S3Files(settings, area, Path()).list_areas()


@cache
def _connect(settings: FileSettings) -> "S3Store":
    """Return the client for a bucket, which keeps connections; none is made before it is used."""
    try:
        from obstore.store import S3Store
    except ImportError:
        raise Misuse(
            "The settings keep the files in S3, and the package for it is not installed.",
            "Run `pip install 'pincite[s3]'`.",
        ) from None
    bucket = urlsplit(settings.url).netloc
    config: S3Config = {"disable_bulk_delete": True}  # not every storage has it, and we remove one at a time
    if settings.endpoint:
        config["endpoint"] = settings.endpoint.rstrip("/")
    if not settings.path_style:
        config["virtual_hosted_style_request"] = True
        if settings.endpoint:
            scheme, _, host = config["endpoint"].partition("://")
            config["endpoint"] = f"{scheme}://{bucket}.{host}"
    if settings.region:
        config["region"] = settings.region
    if key := settings.key.get_secret_value():
        config["access_key_id"] = key
        config["secret_access_key"] = settings.secret.get_secret_value()
    client: ClientConfig = {
        "allow_http": settings.endpoint.startswith("http://"),
        "connect_timeout": timedelta(seconds=min(10, settings.seconds)),
        "read_timeout": timedelta(seconds=settings.seconds),
        "timeout": timedelta(hours=12),  # of a whole download, which may be large and slow
    }
    retries: RetryConfig = {
        "max_retries": 6,
        "retry_timeout": timedelta(seconds=settings.retry_seconds),
        "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=5), "base": 2},
    }
    return S3Store(bucket, config=config, client_options=client, retry_config=retries)


def _hash_file(path: Path) -> StoredFile:
    digest, size = hashlib.sha256(), 0
    for piece in read_given_file(path):
        digest.update(piece)
        size += len(piece)
    return StoredFile(digest.hexdigest(), size)


def _read_unchanged(path: Path, sha256: str) -> Iterator[bytes]:
    """Yield the pieces of a file; raise instead of yielding the last one if they are not those that were hashed.

    An upload whose last piece does not come leaves no object.
    """
    digest, held = hashlib.sha256(), b""
    for piece in read_given_file(path):
        digest.update(piece)
        if held:
            yield held
        held = piece
    if digest.hexdigest() != sha256:
        raise Misuse(f"{path} changed while it was being stored.", "Add it again.", "changed")
    yield held


def _read_status(error: Exception) -> int:
    found = _STATUS.search(str(error))
    return int(found[1]) if found else 0
