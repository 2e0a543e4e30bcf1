"""The `pincite` program. A command is imported when it is called, and heavy modules by the command that needs them."""

import sys

from pincite.cli import options
from pincite.cli.quick_commands import choose_app
from pincite.errors import Encrypted, Misuse, PinciteError, is_full_disk


def main() -> None:
    """Run the command on the command line. Print its error, with a hint, and exit with the right status."""
    options.configure_streams()
    try:
        choose_app(sys.argv[1:])()
    except PinciteError as error:
        sys.stderr.write(f"Error: {error.message}\n" + (f"{error.hint}\n" if error.hint else ""))
        # A wrong or missing password is the caller's mistake, so it exits like any other misuse.
        sys.exit(2 if isinstance(error, Misuse | Encrypted) else 1)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)
    except BrokenPipeError:
        # The program that reads our output has closed the pipe, as `| head` does.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if not is_full_disk(error):
            raise
        sys.stderr.write("Error: The disk is full.\nFree some space, then try again.\n")
        sys.exit(1)
