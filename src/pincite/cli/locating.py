"""The locate command: a passage to the exact words it stands for in a file, or an honest "not found"."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import door
from pincite.cli.prepared import Prepared, prepare
from pincite.errors import Misuse, Unreadable

if TYPE_CHECKING:
    from pincite.evidence.locate import Location
    from pincite.settings import Settings

_DPI = 110
_MOST_PICTURES = 20
_EXAMPLE = 'pincite locate report.pdf --text "the words to find"'

log = logging.getLogger("pincite.locate")


def locate(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A file, or the id of a document in the library.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", "-t", help="The passage to find; - reads it from stdin.")
    ] = None,
    pages: Annotated[
        str | None, typer.Option(metavar="3,4", help="Where to look first; it is looked for everywhere.")
    ] = None,
    evidence: Annotated[
        Path | None, typer.Option(metavar="REPORT.html", help="Write a page with the boxes drawn, and why.")
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Print a page's lines with their boxes instead.")] = False,
    page: Annotated[int | None, typer.Option(min=1, help="The page for --lines.")] = None,
    batch: Annotated[
        Path | None, typer.Option(metavar="CASES.jsonl", help='Many: a line {"id", "file", "text", "pages"} each.')
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of a batch's files; default is where it is.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell every step on stderr.")] = False,
    password: Annotated[str | None, typer.Option(help="Password of a protected PDF.")] = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Find the exact words a passage stands for, and where they are.

    Spaces, hyphens, ligatures, marks and a few misread letters may differ; numbers may not. Exit status 1 says that
    it is not there, or that nobody can be sure.

    \b
    pincite locate report.pdf --text "Net sales rose by 12 %"
    pincite locate report.pdf --text - --pages 3,4 --json < passage.txt
    pincite locate report.pdf --text "Net sales rose" --evidence why.html
    pincite locate report.pdf --lines --page 3
    pincite locate --batch cases.jsonl --root folder > results.jsonl
    """
    settings = door.settings(data, database, config)
    with _steps(verbose, kept=evidence is not None) as steps:
        if batch:
            _check(not (file or text or lines or evidence), "A batch names its own files and passages.")
            from pincite.cli.batch import run

            run(batch, root or batch.parent, settings)
            return
        _check(file is not None, "Say in which file to look.")
        assert file
        if lines:
            _check(page is not None and not text, "--lines needs a page, and no passage.")
            assert page
            _lines(prepare(file, settings, password), page, json)
            return
        _check(text is not None and page is None, "Say which passage to find.")
        assert text is not None
        _find(
            file, sys.stdin.read() if text == "-" else text, _numbers(pages), settings, password, evidence, json, steps
        )


def _check(right: bool, said: str) -> None:
    if not right:
        raise Misuse(said, f"Such as: {_EXAMPLE}. `pincite locate --help` says more.")


def _numbers(given: str | None) -> tuple[int, ...]:
    try:
        numbers = tuple(int(part) for part in (given or "").replace(",", " ").split())
    except ValueError:
        numbers = (0,)
    if any(number < 1 for number in numbers):
        raise Misuse(f"{given} is no list of pages.", "Write it as --pages 3,4; pages are counted from 1.")
    return numbers


def _find(
    file: str,
    text: str,
    pages: tuple[int, ...],
    settings: "Settings",
    password: str | None,
    evidence: Path | None,
    json: bool,
    steps: list[str],
) -> None:
    from pincite.cli.located import log_document, show
    from pincite.evidence.account import account
    from pincite.library.locating import locate_in

    prepared = prepare(file, settings, password)
    log_document(log, prepared.source.name, prepared.concordance.document, pages)
    found = locate_in(prepared.concordance, text, pages)
    if evidence:
        _write(evidence, prepared, text, found.location, found.diagnosis, settings, steps)
    if json:
        door.print_json(account(found.document, found.location, found.boxes, found.diagnosis))
    else:
        show(found)
    if evidence:
        door.console(stderr=True).print(f"Evidence: {evidence}")
    if not found.location.found:
        raise typer.Exit(door.NOTHING_FOUND)


def _write(
    evidence: Path,
    prepared: Prepared,
    text: str,
    location: "Location",
    diagnosis: tuple[str, ...],
    settings: "Settings",
    steps: list[str],
) -> None:
    from pincite.evidence.report import Trial, concerned, report
    from pincite.reading.isolate import Isolated

    document = prepared.concordance.document
    wanted = concerned(document, location)[:_MOST_PICTURES] if document.kind in ("pdf", "image") else []
    pictures: dict[int, bytes] = {}
    with Isolated(settings.reading) as reader:
        for number in wanted:
            try:
                pictures[number] = reader.picture(prepared.source, number, _DPI)
            except Unreadable as error:
                steps.append(f"[PDF] page {number} has no picture: {error.message}")
    made = report(Trial(prepared.source.name, text, document, location, diagnosis, pictures, steps))
    try:
        evidence.parent.mkdir(parents=True, exist_ok=True)
        evidence.write_text(made, encoding="utf-8")
    except OSError as error:
        raise Misuse(f"{evidence} cannot be written: {error.strerror}.", "Name a file in a folder of yours.") from None


def _lines(prepared: Prepared, number: int, json: bool) -> None:
    from pincite.cli.located import lines_as_json, show_lines

    document = prepared.concordance.document
    if not document.pages:
        raise Misuse(f"{prepared.source.name} has no pages.", "Only PDFs, pictures and slides have.")
    if number > len(document.pages):
        raise Misuse(f"{prepared.source.name} has no page {number}.", f"It has {len(document.pages)}.")
    if json:
        door.print_json(lines_as_json(prepared.concordance, document.pages[number - 1]))
    else:
        show_lines(prepared.concordance, document.pages[number - 1])


class _Steps(logging.Handler):
    """Keeps the step log, and shows it on stderr when asked to."""

    def __init__(self, shown: bool) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self._shown = shown

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        self.lines.append(line)
        if self._shown:
            sys.stderr.write(f"{line}\n")


@contextmanager
def _steps(shown: bool, kept: bool) -> Iterator[list[str]]:
    """The lines of the step log as they come; none, and nothing is spent on them, when nobody wants them."""
    if not (shown or kept):
        yield []
        return
    handler = _Steps(shown)
    log.addHandler(handler)
    before = log.level
    log.setLevel(logging.DEBUG)
    try:
        yield handler.lines
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
