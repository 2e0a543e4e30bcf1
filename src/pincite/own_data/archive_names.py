"""Make names for the files of an archive: readable, valid on every system, and each used once."""

import unicodedata
from pathlib import PurePosixPath

_FORBIDDEN = frozenset('<>:"/\\|?*')
_RESERVED = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
_LONGEST = 120  # bytes
_LONGEST_ENDING = 12


class ArchiveNames:
    """Gives out names, and remembers them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def choose(self, folder: str, wanted: str) -> str:
        """Return the path of a file in a folder of the archive, with a number if the name is taken."""
        stem, ending = _split_name(clean_name(wanted))
        number = 1
        while True:
            name = f"{folder}/{stem}{f' ({number})' if number > 1 else ''}{ending}"
            key = unicodedata.normalize("NFC", name).casefold()
            if key not in self._taken:
                self._taken.add(key)
                return name
            number += 1


def clean_name(wanted: str) -> str:
    """Return a name without the characters and words that some system refuses."""
    composed = unicodedata.normalize("NFC", wanted)
    kept = "".join("_" if char in _FORBIDDEN else char for char in composed if unicodedata.category(char)[0] != "C")
    name = " ".join(kept.split()).strip(". ") or "unnamed"
    stem, ending = _split_name(name)
    shorter = stem.encode()[: _LONGEST - len(ending.encode())].decode(errors="ignore").rstrip(". ") or "unnamed"
    return f"_{shorter}{ending}" if shorter.partition(".")[0].casefold() in _RESERVED else f"{shorter}{ending}"


def _split_name(name: str) -> tuple[str, str]:
    ending = PurePosixPath(name).suffix
    return (name.removesuffix(ending), ending) if 0 < len(ending.encode()) <= _LONGEST_ENDING else (name, "")
