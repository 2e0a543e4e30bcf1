"""Write a running server's address into the data folder, so that commands on the same data can use it.

Only its owner can read the file. It contains a secret: a command trusts a server that proves to know it, and the server
serves a command that presents it. Both compare a fingerprint of their settings, so that an answer is the same with and
without a server.
"""

import hashlib
import hmac
import ipaddress
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from pincite import __version__
from pincite.settings import Settings

NAME = "server.json"
_LARGEST = 4096  # bytes in the file
_OURS_ALONE = 0o600
# Environment variables that change an answer besides the settings.
_KEYS = ("_API_KEY", "_BASE_URL", "_PROXY", "_proxy")


@dataclass(frozen=True, slots=True)
class ServerFile:
    """The address and process of a server, and the secret that it shares with commands of the same user."""

    address: str
    pid: int
    version: str
    token: str
    settings: str

    def prove(self, nonce: str) -> str:
        """Return the proof of knowing the secret, for a nonce."""
        return hmac.new(self.token.encode(), nonce.encode(), hashlib.sha256).hexdigest()


def write_server_file(settings: Settings, host: str, port: int) -> ServerFile | None:
    """Write the file of this server; return None, without a file, if it does not listen on the loopback address."""
    address = _find_local_address(host, port)
    if address is None:
        return None
    token = secrets.token_urlsafe(32)
    made = ServerFile(address, os.getpid(), __version__, token, compute_fingerprint(settings, token))
    path = settings.data / NAME
    making = path.with_name(f".{NAME}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OURS_ALONE), "w") as file:
            json.dump(asdict(made), file)
        making.replace(path)
    except OSError:
        making.unlink(missing_ok=True)
        return None
    return made


def remove_server_file(settings: Settings, own: ServerFile) -> None:
    """Remove the server's file when it stops, unless another server has written its own since."""
    path = settings.data / NAME
    if _read_file(path) == own:
        path.unlink(missing_ok=True)


def find_server(settings: Settings, environment: Mapping[str, str] | None = None) -> ServerFile | None:
    """Return the server that may answer for a command with these settings, or None."""
    found = _read_file(settings.data / NAME)
    if found is None or found.version != __version__ or not _is_alive(found.pid):
        return None
    host = urlsplit(found.address).hostname or ""
    try:
        is_here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        return None
    is_alike = hmac.compare_digest(found.settings, compute_fingerprint(settings, found.token, environment))
    return found if is_here and is_alike else None


def compute_fingerprint(settings: Settings, token: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a keyed hash of everything that answers depend on, including API keys."""
    given = os.environ if environment is None else environment
    # A question says which project it is about, so the list of projects changes no other answer.
    dumped = settings.model_dump(
        exclude={"server": True, "data": True, "jobs": True, "telemetry": True, "projects": {"folders": True}},
    )
    keys = sorted((name, value) for name, value in given.items() if name.endswith(_KEYS))
    # The address of a SQLite file may be relative to the working directory.
    folder = os.getcwd() if settings.database.startswith("sqlite") else ""
    parts = (str(settings.data.absolute()), _reveal_secrets(dumped), keys, folder)
    return hmac.new(token.encode(), repr(parts).encode(), hashlib.sha256).hexdigest()


def _reveal_secrets(value: object) -> object:
    """Return a value with its secrets revealed and its tables sorted."""
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, dict):
        return sorted((key, _reveal_secrets(each)) for key, each in value.items())
    return value


def _read_file(path: Path) -> ServerFile | None:
    """Read the file; return None if it is absent, broken, a link, another user's or readable by others."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        seen = os.fstat(descriptor)
        is_ours = not hasattr(os, "getuid") or (seen.st_uid == os.getuid() and not seen.st_mode & 0o077)
        raw = file.read(_LARGEST) if is_ours else b""
    try:
        found = ServerFile(**json.loads(raw))
    except (ValueError, TypeError):
        return None
    texts = (found.address, found.version, found.token, found.settings)
    is_whole = all(isinstance(text, str) and text for text in texts) and type(found.pid) is int and found.pid > 0
    return found if is_whole else None


def _find_local_address(host: str, port: int) -> str | None:
    """Return the local address of a server, or None if it is not on the loopback."""
    if host == "localhost":
        host = "127.0.0.1"
    try:
        given = ipaddress.ip_address(host)
    except ValueError:
        return None
    if given.is_unspecified:
        given = ipaddress.ip_address("127.0.0.1" if given.version == 4 else "::1")
    if not given.is_loopback:
        return None
    return f"http://[{given}]:{port}" if given.version == 6 else f"http://{given}:{port}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return False  # the pid now belongs to another user's process
    except (OSError, OverflowError):
        return False
    return True
