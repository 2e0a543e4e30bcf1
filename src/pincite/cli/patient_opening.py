"""Open the library in commands that run until they are stopped, also while its database is still starting."""

import time
from typing import TYPE_CHECKING

from pincite.errors import DatabaseAway

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library
    from pincite.settings import Settings

_SECONDS = 60.0  # that a database server may take to start
_PAUSE = 1.0


def open_library_patiently(settings: "Settings", errors: "Console") -> "Library":
    """Return the library; wait a minute for a database server that cannot be reached, then raise `DatabaseAway`.

    A machine that starts, and a container engine, start the database and the programs that use it together.
    """
    from pincite.library import open_library

    ends, is_told = time.monotonic() + _SECONDS, False
    while True:
        try:
            return open_library(settings)
        except DatabaseAway as error:
            if time.monotonic() > ends:
                raise
            if not is_told:
                errors.print(f"{error.message} Waiting up to {_SECONDS:g} s for it.")
                is_told = True
            time.sleep(_PAUSE)
