"""The result of one check of `pincite doctor`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: `ok`, `missing` (optional) or `wrong`, with details and a remedy."""

    name: str
    state: Literal["ok", "missing", "wrong"]
    detail: str
    remedy: str = ""
