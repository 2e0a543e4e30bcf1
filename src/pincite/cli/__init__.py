"""The terminal's door. A command is imported when it is called, and heavy parts by the command that needs them."""

import sys

from pincite.cli import door
from pincite.cli.quick_commands import choose_app
from pincite.errors import Encrypted, Misuse, PinciteError, is_full_disk


def main() -> None:
    """Run a command; an error is shown once, here, with what to do next."""
    door.open_streams()
    try:
        choose_app(sys.argv[1:])()
    except PinciteError as error:
        sys.stderr.write(f"Error: {error.message}\n" + (f"{error.hint}\n" if error.hint else ""))
        # A password that is wrong or was left out is the caller's to give.
        sys.exit(2 if isinstance(error, Misuse | Encrypted) else 1)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away, as `| head` does.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if not is_full_disk(error):
            raise
        sys.stderr.write("Error: The disk is full.\nFree some space, then try again.\n")
        sys.exit(1)
