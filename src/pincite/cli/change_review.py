"""Show proposed changes as coloured diffs, and ask for each file whether to accept, reject or edit it."""

import itertools
import os
import shlex
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from pincite.errors import Misuse, PinciteError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pincite.events import ChangedFile, ProposedChanges, RefusedEdit

Choice = Literal["accept", "reject", "edit", "accept_all", "reject_all"]

# The keys of both languages work in both: they do not collide.
_KEYS: dict[str, Choice] = {
    **dict.fromkeys(("y", "yes", "o", "oui"), "accept"),
    **dict.fromkeys(("n", "no", "non"), "reject"),
    **dict.fromkeys(("e", "edit", "m", "modifier"), "edit"),
    **dict.fromkeys(("a", "all", "t", "tout"), "accept_all"),
    **dict.fromkeys(("r", "rien", "none"), "reject_all"),
}
_WORDS = {
    "en": {
        "modify": "modify",
        "create": "create",
        "delete": "delete",
        "rename": "rename",
        "from": "from",
        "ask": "Accept? [y]es [n]o [e]dit [a]ll [r]eject all: ",
        "ask_without_edit": "Accept? [y]es [n]o [a]ll [r]eject all: ",
        "help": "y accepts this file, n rejects it, e opens it in your editor, a accepts this and the rest, "
        "r rejects this and the rest.",
        "help_without_edit": "y accepts this file, n rejects it, a accepts this and the rest, r rejects this and the "
        "rest.",
        "no_edit": "A file that is deleted, or that is not on this machine, cannot be edited.",
        "unchanged": "The editor changed nothing.",
        "refused": "does not apply",
        "nearest": "nearest lines:",
        "same": "(no line changes)",
    },
    "fr": {
        "modify": "modifier",
        "create": "créer",
        "delete": "supprimer",
        "rename": "renommer",
        "from": "depuis",
        "ask": "Accepter ? [o]ui [n]on [m]odifier [t]out [r]ien : ",
        "ask_without_edit": "Accepter ? [o]ui [n]on [t]out [r]ien : ",
        "help": "o accepte ce fichier, n le refuse, m l’ouvre dans votre éditeur, t accepte celui-ci et les suivants, "
        "r refuse celui-ci et les suivants.",
        "help_without_edit": "o accepte ce fichier, n le refuse, t accepte celui-ci et les suivants, r refuse celui-ci "
        "et les suivants.",
        "no_edit": "Un fichier supprimé, ou absent de cette machine, ne peut pas être modifié.",
        "unchanged": "L’éditeur n’a rien changé.",
        "refused": "ne s’applique pas",
        "nearest": "lignes les plus proches :",
        "same": "(aucune ligne ne change)",
    },
}
_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
_EDITORS = ("sensible-editor", "nano", "vi", "notepad")
_TAB = 4
_DIRECTION = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")  # they reorder the line that is shown


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A proposed file as the user left it in the editor, and its diff to the file on disk."""

    content: bytes
    diff: str


@dataclass(frozen=True, slots=True)
class Review:
    """The paths that were accepted and rejected, and the contents of the accepted files that the user edited."""

    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    edited: Mapping[str, bytes] = field(default_factory=dict)


EditFile = Callable[["ChangedFile", EditedFile | None], EditedFile]


class ChangeReviewer:
    """Asks about the files of proposed changes one after the other.

    `ask` shows a prompt and returns the typed line. `edit` lets the user edit a proposed file; without it, editing is
    not offered.
    """

    def __init__(
        self, console: "Console", ask: Callable[[str], str], edit: EditFile | None = None, language: str = "en"
    ) -> None:
        self._console = console
        self._ask = ask
        self._edit = edit
        self._words = _WORDS[language]
        self._language = language

    def review(self, changes: "ProposedChanges") -> Review:
        """Show each file and return the user's choices. Ctrl-D rejects the rest; Ctrl-C accepts nothing."""
        accepted: list[str] = []
        rejected: list[str] = []
        edited: dict[str, bytes] = {}
        rest: Choice | None = None
        for number, file in enumerate(changes.files, 1):
            draw_file(file, self._console, f"{number}/{len(changes.files)}", self._language)
            choice, content = (rest, None) if rest else self._choose(file)
            if choice in ("accept_all", "reject_all"):
                rest = choice
            if choice in ("accept", "accept_all"):
                accepted.append(file.path)
                if content is not None:
                    edited[file.path] = content
            else:
                rejected.append(file.path)
        return Review(tuple(accepted), tuple(rejected), edited)

    def _choose(self, file: "ChangedFile") -> tuple[Choice, bytes | None]:
        """Ask until the user has decided about a file. Return the choice and the edited content."""
        may_edit = self._edit is not None and file.action != "delete"
        suffix = "" if may_edit else "_without_edit"
        now: EditedFile | None = None
        while True:
            try:
                choice = _KEYS.get(self._ask(self._words[f"ask{suffix}"]).strip().lower())
            except EOFError:
                self._console.print()
                return "reject_all", None
            if choice == "edit" and may_edit:
                now = self._let_edit(file, now)
            elif choice == "edit":
                self._say(self._words["no_edit"])
            elif choice is None:
                self._say(self._words[f"help{suffix}"])
            else:
                return choice, now.content if now else None

    def _let_edit(self, file: "ChangedFile", before: EditedFile | None) -> EditedFile | None:
        from pincite.cli.terminal_renderer import format_error

        assert self._edit
        try:
            now = self._edit(file, before)
        except PinciteError as error:
            self._console.print(format_error(error.message, error.hint))
            return before
        if now.diff == (before.diff if before else file.diff):
            self._say(self._words["unchanged"])
        draw_diff(now.diff, self._console, self._language)
        return now

    def _say(self, text: str) -> None:
        self._console.print(text, style="dim")


def draw_file(file: "ChangedFile", console: "Console", place: str = "", language: str = "en") -> None:
    """Draw the path of a changed file, how many lines change, and its diff."""
    from rich.text import Text

    words = _WORDS[language]
    added, removed = count_lines(file.diff)
    source = f" ({words['from']} {reveal_controls(file.renamed_from)})" if file.renamed_from else ""
    console.print()
    console.print(
        Text.assemble(
            (f"{place} " if place else "", "dim"),
            f"{words[file.action]} ",
            (reveal_controls(file.path) + source, "bold"),
            "  ",
            (f"+{added}", "green"),
            " ",
            (f"−{removed}", "red"),
        ),
        soft_wrap=True,
    )
    draw_diff(file.diff, console, language)


def draw_diff(diff: str, console: "Console", language: str = "en") -> None:
    """Draw the lines of a file's unified diff without its header: added lines green, removed lines red.

    Control characters are written out, so that they cannot steer the terminal.
    """
    lines = [*_style_diff(diff)]
    if not lines:
        console.print(_WORDS[language]["same"], style="dim")
    for line in lines:
        console.print(line, soft_wrap=True)


def draw_refusals(refused: "list[RefusedEdit]", console: "Console", language: str = "en") -> None:
    """Draw the edits that do not apply: why, what to do, and the lines that come nearest."""
    from rich.text import Text

    words = _WORDS[language]
    for edit in refused:
        title = f"✗ {edit.number}. {reveal_controls(edit.path)} {words['refused']}: {reveal_controls(edit.message)}"
        console.print(Text(title, "red"), soft_wrap=True)
        if edit.hint:
            console.print(Text(f"  {reveal_controls(edit.hint)}", "dim"), soft_wrap=True)
        if edit.nearest:
            console.print(Text(f"  {words['nearest']}", "dim"))
        for line in edit.nearest:
            console.print(Text(f"  {line.number:>5} {reveal_controls(line.text)}", "dim"), soft_wrap=True)


def count_lines(diff: str) -> tuple[int, int]:
    """Return how many lines a unified diff adds and removes."""
    lines = _split_diff(diff)
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def reveal_controls(text: str) -> str:
    """Return a text in which characters that steer a terminal or reorder a line are written out, as `<1b>`."""
    return "".join(f"<{ord(sign):02x}>" if _is_control(sign) else sign for sign in text.expandtabs(_TAB))


def edit_content(content: bytes, path: str) -> bytes:
    """Open a file's content in the user's editor and return what was saved, byte for byte."""
    command = _find_editor()
    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        file = Path(folder) / (PurePosixPath(path).name or "file")
        file.write_bytes(content)
        try:
            done = subprocess.run([*command, str(file)], check=False)
        except OSError as error:
            raise Misuse(f"{command[0]} cannot be started: {error.strerror}.", "Set EDITOR to your editor.") from None
        if done.returncode:
            raise Misuse(f"{command[0]} ended with status {done.returncode}, so nothing was changed.")
        try:
            return file.read_bytes()
        except OSError as error:
            raise Misuse(f"The edited file cannot be read: {error.strerror}.") from None


def _find_editor() -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        if named := os.environ.get(name, "").strip():
            return shlex.split(named)
    for known in _EDITORS:
        if found := shutil.which(known):
            return [found]
    raise Misuse("There is no editor.", "Set EDITOR to your editor, such as EDITOR=nano.")


def _style_diff(diff: str) -> "Iterator[Text]":
    from rich.text import Text

    lines = _split_diff(diff)
    changed = [line for line in lines if line[:1] in ("+", "-", " ")]
    hides_returns = all(line.endswith("\r") for line in changed)  # a carriage return is news only where some lack it
    for line in lines:
        shown = line.removesuffix("\r") if hides_returns else line
        yield Text(reveal_controls(shown), _STYLES.get(line[:1], ""))


def _split_diff(diff: str) -> list[str]:
    """Return the lines of one file's diff without the header before the first hunk."""
    lines = diff.removesuffix("\n").split("\n")
    hunks = itertools.dropwhile(lambda line: not line.startswith("@@"), lines)
    return list(hunks)


def _is_control(sign: str) -> bool:
    if sign == "\n":
        return False
    return unicodedata.category(sign) == "Cc" or unicodedata.bidirectional(sign) in _DIRECTION
