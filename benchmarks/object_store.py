"""Compare two clients of S3-compatible storage, obstore and s3fs, on one real S3 server; print a table.

    python -m venv .venv/s3fs && .venv/s3fs/bin/pip install s3fs    # once; it is no part of our lock
    python benchmarks/object_store.py [--small 200] [--large 3] [--ranges 500]

Both do the same: hash a file, ask whether it is there, upload it in parts of 8 MB (two at once) and ask for its size;
then read ranges of 64 kB of a large file. The server (moto, in Python) is the same for both and takes most of the wall
time, so the CPU time of the client's own process says more. Memory is the most that the client's process had."""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

_ROOT = Path(__file__).parents[1]
_PYTHONS = {"obstore": _ROOT / ".venv" / "bin" / "python", "s3fs": _ROOT / ".venv" / "s3fs" / "bin" / "python"}
_PART = 8 << 20
_RANGE = 64 << 10


class Client(Protocol):
    """What is measured of a client."""

    def find_size(self, key: str) -> int | None: ...

    def put(self, path: Path, key: str) -> None: ...

    def read(self, key: str, start: int, end: int) -> bytes: ...


class Obstore:
    def __init__(self, url: str, bucket: str) -> None:
        from obstore.store import S3Store

        self._store = S3Store(
            bucket,
            config={"endpoint": url, "region": "us-east-1", "access_key_id": "key", "secret_access_key": "secret"},
            client_options={"allow_http": True},
        )

    def find_size(self, key: str) -> int | None:
        try:
            return self._store.head(key)["size"]
        except FileNotFoundError:
            return None

    def put(self, path: Path, key: str) -> None:
        with path.open("rb") as file:
            self._store.put(key, iter(lambda: file.read(1 << 20), b""), chunk_size=_PART, max_concurrency=2)

    def read(self, key: str, start: int, end: int) -> bytes:
        return bytes(self._store.get_range(key, start=start, end=end))


class S3fs:
    def __init__(self, url: str, bucket: str) -> None:
        import s3fs  # type: ignore[import-not-found]

        self._bucket = bucket
        self._store: Any = s3fs.S3FileSystem(
            key="key",
            secret="secret",
            endpoint_url=url,
            client_kwargs={"region_name": "us-east-1"},
            use_listings_cache=False,
        )

    def find_size(self, key: str) -> int | None:
        try:
            found: int = self._store.info(f"{self._bucket}/{key}")["size"]
        except FileNotFoundError:
            return None
        return found

    def put(self, path: Path, key: str) -> None:
        self._store.put_file(str(path), f"{self._bucket}/{key}", chunksize=_PART, max_concurrency=2)

    def read(self, key: str, start: int, end: int) -> bytes:
        found: bytes = self._store.cat_file(f"{self._bucket}/{key}", start=start, end=end)
        return found


def _keep(client: Client, path: Path) -> str:
    with path.open("rb") as file:
        key = hashlib.file_digest(file, "sha256").hexdigest()
    if client.find_size(key) is None:
        client.put(path, key)
    assert client.find_size(key) == path.stat().st_size
    return key


def _time(step: Callable[[], object]) -> dict[str, float]:
    began, cpu = time.perf_counter(), time.process_time()
    step()
    return {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}


def run_client(name: str, url: str, bucket: str, files: Path, ranges: int) -> dict[str, Any]:
    """Measure one client in this process."""
    made: list[Client] = []
    found: dict[str, Any] = {"import and connect": _time(lambda: made.append(_connect(name, url, bucket)))}
    client = made[0]
    found["keep small"] = _time(lambda: [_keep(client, path) for path in sorted(files.glob("small-*"))])
    keys: list[str] = []
    found["keep large"] = _time(lambda: keys.extend(_keep(client, path) for path in sorted(files.glob("large-*"))))
    large = next(files.glob("large-*")).stat().st_size
    chance = random.Random(3)
    starts = [chance.randrange(large - _RANGE) for _ in range(ranges)]
    latencies = []
    for start in starts:
        began = time.perf_counter()
        assert len(client.read(keys[0], start, start + _RANGE)) == _RANGE
        latencies.append((time.perf_counter() - began) * 1000)
    latencies.sort()
    found["ranges"] = {"p50": latencies[len(latencies) // 2], "p95": latencies[int(len(latencies) * 0.95)]}
    found["memory"] = _read_peak_memory()
    return found


def _read_peak_memory() -> float:
    """Return the most memory of this process in MB. `getrusage` includes that of the process before `exec`."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def _connect(name: str, url: str, bucket: str) -> Client:
    client: Client = Obstore(url, bucket) if name == "obstore" else S3fs(url, bucket)
    client.find_size("nothing")
    return client


def main() -> None:
    """Start the server, measure both clients in processes of their own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=200, help="files of 1 MB")
    parser.add_argument("--large", type=int, default=3, help="files of 100 MB")
    parser.add_argument("--ranges", type=int, default=500, help="ranges of 64 kB")
    parser.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        name, url, bucket, files = given.run
        print(json.dumps(run_client(name, url, bucket, Path(files), given.ranges)))
        return
    sys.path.insert(0, str(_ROOT))
    from tests.s3_server import start_s3

    from pincite.evaluate.machine_info import describe_machine

    print(describe_machine())
    with tempfile.TemporaryDirectory() as folder:
        for n in range(given.small):
            Path(folder, f"small-{n:04}").write_bytes(os.urandom(1_000_000))
        for n in range(given.large):
            Path(folder, f"large-{n:04}").write_bytes(os.urandom(100_000_000))
        results = {}
        for name in ("obstore", "s3fs"):
            server = start_s3()  # a new one for each: it keeps everything in memory
            try:
                server.make_bucket(f"bench-{name}")
                command = [str(_PYTHONS[name]), __file__, "--ranges", str(given.ranges)]
                ran = subprocess.run(
                    [*command, "--run", name, server.url, f"bench-{name}", folder], stdout=subprocess.PIPE, check=True
                )
                results[name] = json.loads(ran.stdout)
            finally:
                server.stop()
    print(f"\n| | {' | '.join(results)} |\n|---|{'---|' * len(results)}")
    for step in ("import and connect", "keep small", "keep large"):
        shown = [f"{each[step]['seconds']:.2f} s ({each[step]['cpu']:.2f} s CPU)" for each in results.values()]
        print(f"| {step} | {' | '.join(shown)} |")
    shown = [f"{each['ranges']['p50']:.1f} / {each['ranges']['p95']:.1f} ms" for each in results.values()]
    print(f"| a range of 64 kB, p50 / p95 | {' | '.join(shown)} |")
    sizes = [f"{each['memory']:.0f} MB" for each in results.values()]
    print(f"| most memory | {' | '.join(sizes)} |")


if __name__ == "__main__":
    main()
