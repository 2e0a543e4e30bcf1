"""The `locate` command: find the exact words of a passage in a document and print their place."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.locate_target import PreparedDocument, is_folder, prepare_document
from pincite.errors import Misuse, NotFound, Unreadable

if TYPE_CHECKING:
    from pincite.library.passage_locator import LocatedPassage
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
    pages: Annotated[str | None, typer.Option(metavar="3,4", help="Search these pages first, then the others.")] = None,
    evidence: Annotated[
        Path | None,
        typer.Option(metavar="REPORT.html", help="Write an HTML report with the boxes drawn and the reasons."),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Print the lines of a page with their boxes instead.")] = False,
    page: Annotated[int | None, typer.Option(min=1, help="The page for --lines.")] = None,
    batch: Annotated[
        Path | None,
        typer.Option(
            metavar="CASES.jsonl", help='Locate many passages: one line {"id", "file", "text", "pages"} each.'
        ),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder with the files of the batch; default is the folder of CASES.jsonl."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every step on stderr.")] = False,
    password: Annotated[str | None, typer.Option(help="Password of a protected PDF.")] = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Find the exact words of a passage in a document.

    The result gives their page and their boxes on it. Spaces, hyphens, ligatures, punctuation and a few misread letters
    may differ; numbers must match. The exit status is 1 if the passage is not found, or if its place is not certain.

    \b
    pincite locate report.pdf --text "Net sales rose by 12 %"
    pincite locate report.pdf --text - --pages 3,4 --json < passage.txt
    pincite locate report.pdf --text "Net sales rose" --evidence why.html
    pincite locate report.pdf --lines --page 3
    pincite locate --batch cases.jsonl --root folder > results.jsonl
    """
    _raise_mistake(_find_mistakes(file, text, pages, evidence, lines, page, batch, root))
    settings = options.load_settings(data, database, config)
    with _log_steps(verbose, kept=evidence is not None) as steps:
        if batch:
            from pincite.cli.locate_batch import locate_batch

            locate_batch(batch, root or batch.parent, settings, password)
        elif lines:
            assert file
            assert page
            _show_page_lines(prepare_document(file, settings, password), page, json)
        else:
            assert file
            assert text is not None
            asked = sys.stdin.read() if text == "-" else text
            _locate_passage(file, asked, _parse_pages(pages), settings, password, evidence, json, steps)


_Mistakes = Iterator[tuple[bool, str, str]]  # whether the mistake was made, a message, and a correct command


def _find_mistakes(
    file: str | None,
    text: str | None,
    pages: str | None,
    evidence: Path | None,
    lines: bool,
    page: int | None,
    batch: Path | None,
    root: Path | None,
) -> _Mistakes:
    """Yield the possible mistakes in the options, the most important first."""
    if batch:
        right = f"pincite locate --batch {batch} --root FOLDER"
        yield bool(file or text or pages), "A batch names its own files, passages and pages.", right
        yield lines or page is not None or evidence is not None, "A batch has no --lines, --page or --evidence.", right
        yield root is not None and not is_folder(root), f"There is no folder {root}.", right
        return
    named = file or "report.pdf"
    words = f'pincite locate {named} --text "the words to find"'
    yield root is not None, "--root goes with --batch.", "pincite locate --batch cases.jsonl --root FOLDER"
    yield file is None, "Name the file to search.", words
    if lines:
        right = f"pincite locate {named} --lines --page {page or 3}"
        yield text is not None, "--lines prints a page and takes no --text.", right
        yield page is None or pages is not None, "--lines needs a page, given with --page.", right
        yield evidence is not None, "--evidence goes with --text.", f"{words} --evidence why.html"
    else:
        hinted = f"{words} --pages {page}"
        yield page is not None, f"--page goes with --lines. Use --pages {page} to search that page first.", hinted
        yield text is None, "Give the passage to find with --text.", words


def _raise_mistake(mistakes: _Mistakes) -> None:
    for is_made, message, right in mistakes:
        if is_made:
            raise Misuse(message, f"For example: {right}. `pincite locate --help` lists the options.")


def _parse_pages(given: str | None) -> tuple[int, ...]:
    try:
        numbers = tuple(int(part) for part in (given or "").replace(",", " ").split())
    except ValueError:
        numbers = (0,)
    if any(number < 1 for number in numbers):
        raise Misuse(f"{given} is not a list of pages.", "Write it as --pages 3,4; pages are counted from 1.")
    return numbers


def _locate_passage(
    file: str,
    text: str,
    pages: tuple[int, ...],
    settings: "Settings",
    password: str | None,
    evidence: Path | None,
    json: bool,
    steps: list[str],
) -> None:
    from pincite.cli.locate_output import log_document, print_location
    from pincite.library.passage_locator import locate_passage
    from pincite.locate.result import describe_location
    from pincite.text.storable import clean_text

    text = clean_text(text)
    prepared = prepare_document(file, settings, password)
    log_document(log, prepared.name, prepared.concordance.document, pages)
    found = locate_passage(prepared.concordance, text, pages)
    unseen = _write_report(evidence, prepared, text, found, settings, steps) if evidence else []
    if json:
        options.print_json(describe_location(found.document, found.location, found.boxes, found.diagnosis))
    else:
        print_location(found)
    if evidence:
        for line in (f"Evidence: {evidence}", *unseen):
            options.make_console(stderr=True).print(line)
    if not found.location.found:
        raise typer.Exit(options.NOTHING_FOUND)


def _write_report(
    evidence: Path,
    prepared: PreparedDocument,
    text: str,
    found: "LocatedPassage",
    settings: "Settings",
    steps: list[str],
) -> list[str]:
    """Write the report. Return a sentence for each page that has no picture."""
    from pincite.locate.report_page import LocateTrial, list_report_pages, render_report

    document = prepared.concordance.document
    wanted = list_report_pages(document, found.location)
    pictures, unseen = dict[int, bytes](), list[str]()
    if document.kind not in _DRAWN:
        unseen.append(f"It has no picture: a document of the kind {document.kind} has no pages that can be drawn.")
    elif not wanted:
        unseen.append("It has no picture: nothing in the document is enough like the passage.")
    else:
        try:
            with prepared.open_source() as source:
                pictures, unseen = _draw_pages(source, wanted, settings)
        except NotFound as error:
            unseen.append(f"It has no picture: {error.message} {error.hint}")
    steps += [f"[PDF] {sentence}" for sentence in unseen]
    page = render_report(LocateTrial(prepared.name, text, document, found.location, found.diagnosis, pictures, steps))
    try:
        evidence.parent.mkdir(parents=True, exist_ok=True)
        evidence.write_text(page, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is not a valid file name"
        raise Misuse(f"{evidence} cannot be written: {reason}.", "Choose a folder that you may write to.") from None
    return unseen


def _draw_pages(source: "Source", wanted: list[int], settings: "Settings") -> tuple[dict[int, bytes], list[str]]:
    """Return the pictures of the pages by number, and a sentence for each missing picture."""
    from pincite.isolation.child_process import IsolatedProcess

    pictures, unseen = dict[int, bytes](), list[str]()
    with IsolatedProcess(settings.reading) as reader:
        for number in wanted[:_MOST_PICTURES]:
            try:
                pictures[number] = reader.picture(source, number, _DPI)
            except Unreadable as error:
                unseen.append(f"It has no picture of page {number}: {error.message} {error.hint}".strip())
    if len(wanted) > _MOST_PICTURES:
        unseen.append(f"It has pictures of the first {_MOST_PICTURES} of {len(wanted)} pages.")
    return pictures, unseen


def _show_page_lines(prepared: PreparedDocument, number: int, json: bool) -> None:
    from pincite.cli.locate_output import make_lines_json, print_page_lines

    document = prepared.concordance.document
    if not document.pages:
        raise Misuse(f"{prepared.name} has no pages.", "Only PDFs, pictures and slides have pages.")
    if number > len(document.pages):
        raise Misuse(f"{prepared.name} has no page {number}.", f"It has {len(document.pages)}.")
    if json:
        options.print_json(make_lines_json(prepared.concordance, document.pages[number - 1]))
    else:
        print_page_lines(prepared.concordance, document.pages[number - 1])


class _StepHandler(logging.Handler):
    """Collects the step log, and prints it on stderr if `shown`."""

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
def _log_steps(shown: bool, kept: bool) -> Iterator[list[str]]:
    """Yield the list that collects the lines of the step log. It stays empty, and costs nothing, if not needed."""
    if not (shown or kept):
        yield []
        return
    handler = _StepHandler(shown)
    log.addHandler(handler)
    before = log.level
    log.setLevel(logging.DEBUG)
    try:
        yield handler.lines
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
