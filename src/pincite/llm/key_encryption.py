"""Encrypt the keys of providers for the database, with a key from a file that only the server's user can read.

The file is made once, in the data folder. All servers on one database need the same file. It is in no backup: a backup
alone reveals no key.
"""

import base64
import json
import os
import secrets
from pathlib import Path

from pincite.errors import ModelError, StorageError, explain_full_disk

KEY_FILE = "model-keys.key"
KEY_LOCKED = "key_locked"  # the reason of the error if a stored key cannot be decrypted
_METHOD = {"alg": "dir", "enc": "A256GCM"}
_BYTES = 32
_OURS_ALONE = 0o600


def encrypt_key(folder: Path, provider: str, url: str, key: str) -> str:
    """Return an encrypted key, bound to its provider and address. The key file is made if there is none."""
    from joserfc import jwe
    from joserfc.jwk import OctKey

    secret = _read_secret(folder) or _make_secret(folder)
    told = json.dumps({"provider": provider, "url": url, "key": key}).encode()
    return jwe.encrypt_compact(_METHOD, told, OctKey.import_key(secret))


def decrypt_key(folder: Path, provider: str, url: str, encrypted: str) -> str:
    """Return a key; raise `ModelError` if the key file is missing or another, or the row was changed.

    A key that was stored for another address is refused: a changed row must not send it elsewhere.
    """
    from joserfc import jwe
    from joserfc.errors import JoseError
    from joserfc.jwk import OctKey

    secret = _read_secret(folder)
    if secret is None:
        raise make_locked_error(provider)
    try:
        opened = jwe.decrypt_compact(encrypted, OctKey.import_key(secret), algorithms=list(_METHOD.values()))
        told = json.loads(opened.plaintext or b"{}")
    except (JoseError, ValueError):
        raise make_locked_error(provider) from None
    if (told.get("provider"), told.get("url")) != (provider, url):
        raise make_locked_error(provider)
    return str(told["key"])


def make_locked_error(provider: str) -> ModelError:
    """Return the error for a stored key that cannot be decrypted here."""
    return ModelError(
        f"The stored key of the provider `{provider}` cannot be decrypted here.",
        f"Paste the key again in the settings of the page or with `pincite models add {provider}`, or put the file "
        f"{KEY_FILE} of the server that stored it into the data folder.",
        reason=KEY_LOCKED,
    )


def _make_secret(folder: Path) -> bytes:
    """Make the key file. If another process makes one at the same moment, return that of the first."""
    path = folder / KEY_FILE
    making = folder / f".{KEY_FILE}.{secrets.token_hex(8)}"
    made = base64.urlsafe_b64encode(secrets.token_bytes(_BYTES))
    with explain_full_disk():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OURS_ALONE), "wb") as file:
                file.write(made + b"\n")
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(making, path)  # fails if the file exists, and shows it only when it is complete
            except FileExistsError:
                pass
        finally:
            making.unlink(missing_ok=True)
    found = _read_secret(folder)
    if found is None:
        raise StorageError(f"The key file {path} cannot be read.", "Check its permissions, then try again.")
    return found


def _read_secret(folder: Path) -> bytes | None:
    """Return the content of the key file; None if there is none, or if it is no key."""
    try:
        raw = (folder / KEY_FILE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(
            f"The key file {folder / KEY_FILE} cannot be read ({error.strerror}).",
            "Only the server's user may read it: check its owner.",
        ) from error
    try:
        secret = base64.urlsafe_b64decode(raw.strip())
    except ValueError:
        return None
    return secret if len(secret) == _BYTES else None
