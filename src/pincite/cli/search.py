"""The search command: passages for a question, with the words that matched marked."""

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import door
from pincite.errors import Misuse
from pincite.text.display import join_broken_words

if TYPE_CHECKING:
    from rich.text import Text

    from pincite.retrieval.request import Found, SearchRequest
    from pincite.settings import Settings
    from pincite.types import Hit, Kind

_WORD = re.compile(r"\w[\w'’.\-\u00ad\n]*\w|\w")
_MARGIN = "   "
_SHOWN = 600  # characters of a passage
_LANGUAGES = ("en", "fr", "")


def search(
    query: Annotated[str, typer.Argument(help="A question, or a few words.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many passages.")] = 10,
    mode: Annotated[
        Literal["hybrid", "lexical", "dense"], typer.Option(help="By words and meaning, or one of them.")
    ] = "hybrid",
    library: door.InLibrary = None,
    document: Annotated[list[str] | None, typer.Option("--document", help="Only in these documents (id).")] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only these kinds: pdf, docx, html …")] = None,
    language: Annotated[list[str] | None, typer.Option("--language", help="Only these languages: en, fr …")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Only documents dated from this day on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Only documents dated up to this day.")
    ] = None,
    no_server: door.NoServer = False,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Find the passages that answer a question.

    A word that no document has is read as the nearest that one has, and it is said. Quoted words stay as they are.

    \b
    pincite search "who approved the budget?"
    pincite search "durée de conservation" --language fr -k 3
    pincite search "net sales" --document a8dac390 --json
    """
    from pincite.cli.remote import find_remote
    from pincite.retrieval.request import SearchRequest

    if not query.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite search "who approved the budget?"')
    settings = door.settings(data, database, config)
    wanted = SearchRequest(
        query=query,
        k=k,
        mode=mode,
        library=library,
        documents=tuple(document or ()),
        kinds=_kinds(kind),
        languages=tuple(map(str.lower, language)) if language else None,
        since=_day(since),
        until=_day(until),
    )
    remote = None if no_server else find_remote(settings)
    found = remote.search(asdict(wanted)) if remote else _search_here(settings, wanted)
    for each in found.corrected.words:
        door.console(stderr=True).print(f"Read “{each.written}” as “{each.read}”.")
    if json:
        door.print_json([_as_json(hit) for hit in found.hits])
    elif found.hits:
        _show(found.corrected.question, found.hits)
    else:
        said = "There are no documents yet. `pincite add FOLDER` adds some." if found.is_empty else "Nothing was found."
        door.console(stderr=True).print(said)
    if not found.hits:
        raise typer.Exit(door.NOTHING_FOUND)


def _search_here(settings: "Settings", wanted: "SearchRequest") -> "Found":
    from pincite.library import open_library
    from pincite.retrieval import open_search
    from pincite.retrieval.request import run_search

    house = open_library(settings)
    try:
        finder = open_search(house.database, house.index, settings)
        return run_search(wanted, settings.owner, house.database, finder)
    finally:
        house.close()


def _kinds(given: list[str] | None) -> "tuple[Kind, ...] | None":
    from typing import get_args

    from pincite.types import Kind

    known: tuple[Kind, ...] = get_args(Kind)
    wrong = [name for name in given or [] if name not in known]
    if wrong:
        raise Misuse(f"There is no kind {', '.join(wrong)}.", f"The kinds are {', '.join(known)}.")
    return tuple(kind for kind in known if kind in given) if given else None


def _day(given: str | None) -> str | None:
    from datetime import date

    if given is None:
        return None
    try:
        return date.fromisoformat(given).isoformat()
    except ValueError:
        raise Misuse(f"{given} is no day.", "Write it as 2024-03-31.") from None


def _as_json(hit: "Hit") -> dict[str, object]:
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


def _show(query: str, hits: "list[Hit]") -> None:
    from rich.padding import Padding
    from rich.text import Text

    from pincite.events.source_names import describe_page, label_page

    out = door.console()
    wanted = sought(query)
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
        # Padding fills lines with spaces, which is for screens alone.
        passage = marked(hit.text, wanted)
        out.print(Padding(passage, (0, 0, 1, len(_MARGIN))) if out.is_terminal else Text(_MARGIN) + passage)


def sought(query: str) -> set[str]:
    """What a question looks for: its words as stems, without those that are in every text."""
    from pincite.index.analysis import question_terms

    return {variant for word in question_terms(query, _LANGUAGES) for variant in word.variants}


def marked(text: str, wanted: set[str], most: int = _SHOWN) -> "Text":
    """The passage unwrapped, its matching words in bold; a long one is shortened to where most of them stand."""
    from rich.text import Text

    from pincite.index.analysis import terms

    shown = re.sub(r"(?:(?<![ \t])[ \t]+)?\n[ \t]*", " ", join_broken_words(text))
    matches: list[tuple[int, int, frozenset[str]]] = []
    for word in _WORD.finditer(shown):
        stems = wanted.intersection(term for language in _LANGUAGES for term in terms(word.group(), language))
        if stems:
            matches.append((*word.span(), frozenset(stems)))
    first, last = _window(shown, matches, most)
    styled = Text(("… " if first else "") + shown[first:last] + (" …" if last < len(shown) else ""))
    shift = (2 if first else 0) - first
    for start, end, _ in matches:
        if first <= start and end <= last:
            styled.stylize("bold yellow", start + shift, end + shift)
    return styled


def _window(shown: str, matches: list[tuple[int, int, frozenset[str]]], most: int) -> tuple[int, int]:
    """From where to where a passage is shown: some of it before the match after which most different words stand."""
    if len(shown) <= most:
        return 0, len(shown)

    def words_after(start: int) -> int:
        return len(frozenset().union(*(stems for place, _, stems in matches if start <= place < start + most * 3 // 4)))

    best = max((start for start, _, _ in matches), key=words_after, default=0)
    first = min(max(best - most // 5, 0), len(shown) - most)
    # Between words, where there are any.
    first = shown.find(" ", first, first + 40) + 1 or first if first else 0
    last = min(first + most, len(shown))
    return first, last if last == len(shown) else max(shown.rfind(" ", first, last), last - 40)
