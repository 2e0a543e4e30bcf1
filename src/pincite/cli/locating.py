"""The locate command: a passage to the exact words it stands for in a file, or an honest "not found"."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import door
from pincite.cli.prepared import Prepared, is_folder, prepare
from pincite.errors import Misuse, Unreadable

if TYPE_CHECKING:
    from pincite.library.locating import Located
    from pincite.reading.source import Source
    from pincite.settings import Settings

_DPI = 110
_MOST_PICTURES = 20
_DRAWN = ("pdf", "image")

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
    """Find the exact words of a passage, and where they are.

    Spaces, hyphens, ligatures, marks and a few misread letters may differ; numbers may not. Exit status 1 says that
    it is not there, or that nobody can be sure.

    \b
    pincite locate report.pdf --text "Net sales rose by 12 %"
    pincite locate report.pdf --text - --pages 3,4 --json < passage.txt
    pincite locate report.pdf --text "Net sales rose" --evidence why.html
    pincite locate report.pdf --lines --page 3
    pincite locate --batch cases.jsonl --root folder > results.jsonl
    """
    _check(_wrong(file, text, pages, evidence, lines, page, batch, root))
    settings = door.settings(data, database, config)
    with _steps(verbose, kept=evidence is not None) as steps:
        if batch:
            from pincite.cli.batch import run

            run(batch, root or batch.parent, settings, password)
        elif lines:
            assert file
            assert page
            _lines(prepare(file, settings, password), page, json)
        else:
            assert file
            assert text is not None
            asked = sys.stdin.read() if text == "-" else text
            _find(file, asked, _numbers(pages), settings, password, evidence, json, steps)


_Mistakes = Iterator[tuple[bool, str, str]]  # whether it was made, what it is, and what is right


def _wrong(
    file: str | None,
    text: str | None,
    pages: str | None,
    evidence: Path | None,
    lines: bool,
    page: int | None,
    batch: Path | None,
    root: Path | None,
) -> _Mistakes:
    """The mistakes that can be made with the options, in the order they are told."""
    if batch:
        right = f"pincite locate --batch {batch} --root FOLDER"
        yield bool(file or text or pages), "A batch names its own files, passages and pages.", right
        yield lines or page is not None or evidence is not None, "A batch has no --lines, --page or --evidence.", right
        yield root is not None and not is_folder(root), f"There is no folder {root}.", right
        return
    named = file or "report.pdf"
    words = f'pincite locate {named} --text "the words to find"'
    yield root is not None, "--root goes with --batch.", "pincite locate --batch cases.jsonl --root FOLDER"
    yield file is None, "Say in which file to look.", words
    if lines:
        right = f"pincite locate {named} --lines --page {page or 3}"
        yield text is not None, "--lines prints a page, and looks for no passage.", right
        yield page is None or pages is not None, "--lines needs a page, given with --page.", right
        yield evidence is not None, "--evidence goes with --text.", f"{words} --evidence why.html"
    else:
        hinted = f"{words} --pages {page}"
        yield page is not None, f"--page goes with --lines; --pages {page} says where to look first.", hinted
        yield text is None, "Say which passage to find.", words


def _check(mistakes: _Mistakes) -> None:
    for made, told, right in mistakes:
        if made:
            raise Misuse(told, f"Such as: {right}. `pincite locate --help` says more.")


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
    from pincite.reading.finish import clean

    text = clean(text)
    prepared = prepare(file, settings, password)
    log_document(log, prepared.source.name, prepared.concordance.document, pages)
    found = locate_in(prepared.concordance, text, pages)
    unseen = _write(evidence, prepared, text, found, settings, steps) if evidence else []
    if json:
        door.print_json(account(found.document, found.location, found.boxes, found.diagnosis))
    else:
        show(found)
    if evidence:
        for told in (f"Evidence: {evidence}", *unseen):
            door.console(stderr=True).print(told)
    if not found.location.found:
        raise typer.Exit(door.NOTHING_FOUND)


def _write(
    evidence: Path, prepared: Prepared, text: str, found: "Located", settings: "Settings", steps: list[str]
) -> list[str]:
    """Write the report; what it has no picture of comes out, in sentences."""
    from pincite.evidence.report import Trial, concerned, report

    document = prepared.concordance.document
    wanted = concerned(document, found.location)
    pictures, unseen = dict[int, bytes](), list[str]()
    if document.kind not in _DRAWN:
        unseen.append(f"It has no picture: a document of the kind {document.kind} has no pages that can be drawn.")
    elif not wanted:
        unseen.append("It has no picture: nothing in the document is enough like the passage.")
    else:
        pictures, unseen = _pictures(prepared.source, wanted, settings)
    steps += [f"[PDF] {told}" for told in unseen]
    made = report(Trial(prepared.source.name, text, document, found.location, found.diagnosis, pictures, steps))
    try:
        evidence.parent.mkdir(parents=True, exist_ok=True)
        evidence.write_text(made, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise Misuse(f"{evidence} cannot be written: {told}.", "Name a file in a folder of yours.") from None
    return unseen


def _pictures(source: "Source", wanted: list[int], settings: "Settings") -> tuple[dict[int, bytes], list[str]]:
    """The pages' pictures by their numbers, and why some have none."""
    from pincite.isolation.process import Isolated

    pictures, unseen = dict[int, bytes](), list[str]()
    with Isolated(settings.reading) as reader:
        for number in wanted[:_MOST_PICTURES]:
            try:
                pictures[number] = reader.picture(source, number, _DPI)
            except Unreadable as error:
                unseen.append(f"It has no picture of page {number}: {error.message} {error.hint}".strip())
    if len(wanted) > _MOST_PICTURES:
        unseen.append(f"It has pictures of the first {_MOST_PICTURES} of {len(wanted)} pages.")
    return pictures, unseen


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
