"""The `search` command: find passages and mark the matching words."""

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import options
from pincite.cli.answer_wording import get_phrase
from pincite.cli.question_parameters import TagOption
from pincite.errors import Misuse
from pincite.text.display import join_broken_words
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from rich.text import Text

    from pincite.search.request import FoundPassages, SearchRequest
    from pincite.settings import Settings
    from pincite.types import Hit, Kind

_WORD = re.compile(r"\w[\w'’.\-\u00ad\n]*\w|\w")
_LINE_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>)[ \t]+", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ \t]*+(?:\|[ \t]*+)?:?-{3}[-:| \t]*+(?:\n|\Z)", re.MULTILINE)
_BAR_ROW = re.compile(r"\s*\|(.*)\|\s*")
_SPACES = re.compile(r" {2,}")
_ROW_END, _ROW_END_IN_LINE = " \n", " / "  # a space ends the last word of a row
_MARGIN = "   "
_SHOWN = 600  # characters of a passage
_LANGUAGES = ("en", "fr", "")


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question, or a few words.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Print at most this many passages.")] = 10,
    mode: Annotated[
        Literal["hybrid", "lexical", "dense"],
        typer.Option(help="Search by words and meaning (hybrid), words (lexical) or meaning (dense)."),
    ] = "hybrid",
    library: options.InLibrary = None,
    document: Annotated[list[str] | None, typer.Option("--document", help="Search only these documents (id).")] = None,
    tag: TagOption = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only these kinds: pdf, docx, html …")] = None,
    language: Annotated[list[str] | None, typer.Option("--language", help="Only these languages: en, fr …")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Only documents dated from this day on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Only documents dated up to this day.")
    ] = None,
    no_server: options.NoServer = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Find the passages that best match a question.

    If no document contains a word, the search uses the most similar word that one contains, and says so. Words in
    quotation marks are not changed.

    \b
    pincite search "who approved the budget?"
    pincite search "durée de conservation" --language fr -k 3
    pincite search "net sales" --document a8dac390 --json
    pincite search "notice period" --tag lease
    """
    from pincite.cli.remote_server import find_remote
    from pincite.search.request import SearchRequest

    if not query.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite search "who approved the budget?"')
    settings = options.load_settings(data, database, config)
    wanted = SearchRequest(
        query=query,
        k=k,
        mode=mode,
        library=library,
        documents=tuple(document or ()),
        tags=tuple(tag or ()),
        kinds=_check_kinds(kind),
        languages=tuple(map(str.lower, language)) if language else None,
        since=_parse_day(since),
        until=_parse_day(until),
    )
    remote = None if no_server else find_remote(settings)
    found = remote.search(asdict(wanted)) if remote else _search_here(settings, wanted)
    for each in found.corrected.words:
        said = get_phrase(detect_conversation_language(query), "read_as", each.written, each.read)
        options.make_console(stderr=True).print(said)
    if json:
        options.print_json([_make_json(hit) for hit in found.hits])
    elif found.hits:
        _print_hits(found.corrected.question, found.hits)
    else:
        note = "There are no documents yet. `pincite add FOLDER` adds some." if found.is_empty else "Nothing was found."
        options.make_console(stderr=True).print(note)
    if not found.hits:
        raise typer.Exit(options.NOTHING_FOUND)


def _search_here(settings: "Settings", wanted: "SearchRequest") -> "FoundPassages":
    from pincite.library import open_library
    from pincite.search import open_search
    from pincite.search.request import run_search

    library = open_library(settings)
    try:
        finder = open_search(library.database, library.index, settings)
        return run_search(wanted, settings.owner, library.database, finder)
    finally:
        library.close()


def _check_kinds(given: list[str] | None) -> "tuple[Kind, ...] | None":
    from typing import get_args

    from pincite.types import Kind

    known: tuple[Kind, ...] = get_args(Kind)
    wrong = [name for name in given or [] if name not in known]
    if wrong:
        raise Misuse(f"There is no kind {', '.join(wrong)}.", f"The kinds are {', '.join(known)}.")
    return tuple(kind for kind in known if kind in given) if given else None


def _parse_day(given: str | None) -> str | None:
    from datetime import date

    if given is None:
        return None
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError:
        raise Misuse(f"{given} is not a date.", "Write it as 2024-03-31.") from None


def _make_json(hit: "Hit") -> dict[str, object]:
    from pincite.events.source_names import label_page

    return {
        "document": hit.span.document,
        "title": hit.title,
        "kind": hit.kind,
        "page": hit.page or None,
        "label": label_page(hit.kind, hit.page, hit.label),
        "start": hit.span.start,
        "end": hit.span.end,
        "score": round(hit.score, 6),
        "headings": list(hit.headings),
        "text": join_broken_words(hit.text),
    }


def _print_hits(query: str, hits: "list[Hit]") -> None:
    from rich.padding import Padding
    from rich.text import Text

    from pincite.events.source_names import describe_page, label_page

    out = options.make_console()
    wanted = find_stems(query)
    for number, hit in enumerate(hits, 1):
        head = Text(f"{number}. ", style="dim")
        head.append(hit.title, style="bold")
        if hit.page:
            head.append(f", {describe_page(hit.page, label_page(hit.kind, hit.page, hit.label), last=hit.last_page)}")
        head.append(f"   {hit.score:.2f}", style="dim")
        out.print(head)
        path = [heading for heading in hit.headings if heading != hit.title]
        if path:
            out.print(Text(_MARGIN + " › ".join(path), style="dim italic"), overflow="ellipsis", no_wrap=True)
        # Padding fills lines with spaces, which only a terminal should get.
        row_end = _ROW_END if out.is_terminal else _ROW_END_IN_LINE
        passage = mark_words(hit.text, wanted, is_markdown=hit.kind == "markdown", row_end=row_end)
        out.print(Padding(passage, (0, 0, 1, len(_MARGIN))) if out.is_terminal else Text(_MARGIN) + passage)


def find_stems(query: str) -> set[str]:
    """Return the stems of a question's words, without very common words."""
    from pincite.index.terms import list_question_terms

    return {variant for word in list_question_terms(query, _LANGUAGES) for variant in word.variants}


def mark_words(
    text: str, wanted: set[str], most: int = _SHOWN, is_markdown: bool = False, row_end: str = _ROW_END_IN_LINE
) -> "Text":
    """Return the passage on one line with its matching words in bold, cut to the part with the most matches.

    The signs of headings and quotations in Markdown are left out. Table cells have " | " between them, and `row_end`
    stands between the rows.
    """
    from rich.text import Text

    from pincite.index.terms import list_terms

    plain = join_broken_words(text)
    if is_markdown:
        plain = _TABLE_RULE.sub("", _LINE_MARKS.sub("", plain))
    shown = _join_lines(plain, is_markdown, row_end)
    matches: list[tuple[int, int, frozenset[str]]] = []
    for word in _WORD.finditer(shown):
        stems = wanted.intersection(term for language in _LANGUAGES for term in list_terms(word.group(), language))
        if stems:
            matches.append((*word.span(), frozenset(stems)))
    first, last = _find_window(shown, matches, most)
    styled = Text(("… " if first else "") + shown[first:last] + (" …" if last < len(shown) else ""))
    shift = (2 if first else 0) - first
    for start, end, _ in matches:
        if first <= start and end <= last:
            styled.stylize("bold yellow", start + shift, end + shift)
    return styled


def _join_lines(text: str, is_markdown: bool, row_end: str) -> str:
    """Return the lines of a passage in one, with bars between table cells and `row_end` before and after each row."""
    shown, was_row = "", False
    for line in text.split("\n"):
        bars = _BAR_ROW.fullmatch(line) if is_markdown else None
        is_row = bool(bars) or "\t" in line.strip()
        words = _SPACES.sub(" ", (bars[1] if bars else line).strip(" ") if is_row else line.strip())
        if is_row:
            words = " | ".join(cell.strip() for cell in words.split("|" if bars else "\t"))
            words = _SPACES.sub(" ", words.rstrip(" |"))
        if not words:
            continue
        shown += (row_end if is_row or was_row else " ") * bool(shown) + words
        was_row = is_row
    return shown


def _find_window(shown: str, matches: list[tuple[int, int, frozenset[str]]], most: int) -> tuple[int, int]:
    """Return the start and end of the shown part of a passage: the part with the most different matching words."""
    from pincite.text.sentences import split_sentences

    if len(shown) <= most:
        return 0, len(shown)

    def words_after(start: int) -> int:
        return len(frozenset().union(*(stems for place, _, stems in matches if start <= place < start + most * 3 // 4)))

    best = max((start for start, _, _ in matches), key=words_after, default=0)
    # Begin with a sentence if one begins shortly before, else between two words if possible.
    earliest = min(best - most // 4, len(shown) - most)
    sentences = [start for start, _ in split_sentences(shown) if earliest <= start <= max(earliest, 0) + most // 4]
    if sentences and sentences[0] <= best:
        first = sentences[0]
    else:
        first = min(max(best - most // 5, 0), len(shown) - most)
        first = shown.find(" ", first, first + 40) + 1 or first if first else 0
    last = min(first + most, len(shown))
    return first, last if last == len(shown) else max(shown.rfind(" ", first, last), last - 40)
