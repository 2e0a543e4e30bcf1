"""The result of one check of `pincite doctor`."""

from dataclasses import dataclass
from typing import Literal

from pincite.errors import hide_logins


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: `ok`, `missing` (optional) or `wrong`, with details and a remedy."""

    name: str
    state: Literal["ok", "missing", "wrong"]
    detail: str
    remedy: str = ""

    def __post_init__(self) -> None:
        for name in ("detail", "remedy"):
            object.__setattr__(self, name, hide_logins(getattr(self, name)))
