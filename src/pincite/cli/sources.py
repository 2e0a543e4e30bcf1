"""An answer's proof, for a person to read: its doubtful sentences, its sources with page and quote, its sum.

Each verdict has a sign of its own form; colours only repeat it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pincite.events import Answer, Citation, Nearest, Sentence
    from pincite.types import Support

SIGNS: dict["Support", str] = {
    "verified": "●",
    "partial": "◐",
    "contradicted": "◆",
    "unsupported": "○",
    "unchecked": "◌",
}
_COLOURS: dict["Support", str] = {
    "verified": "green",
    "partial": "yellow",
    "contradicted": "bold red",
    "unsupported": "red",
    "unchecked": "dim",
}
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+|\*\*")
_ADDRESS = re.compile(r"https?://[!-~]+")
NO_DAYS: Mapping[str, str] = MappingProxyType({})
_QUOTED = 240  # characters of a quote
# It follows the refusal, which is in the language of the question.
_NEAREST = {
    "en": "What comes nearest, and does not answer it:",
    "fr": "Ce qui s'en approche le plus, sans y répondre :",
}
_NAMED = 120  # characters of a sentence that is named again


def doubted(text: str, sentences: "Iterable[Sentence]") -> str:
    """The answer's words with a sign after each sentence that is not verified; one that is being checked has none."""
    at, pieces = 0, []
    for sentence in sorted(sentences, key=lambda each: each.end):
        support = None if sentence.checking or sentence.support == "verified" else sentence.support
        if support and at < sentence.end <= len(text):
            pieces.append(f"{text[at : sentence.end]} {SIGNS[support]}")
            at = sentence.end
    return "".join([*pieces, text[at:]])


def show(lines: "Iterable[Text]", console: "Console") -> None:
    """Print lines; a screen gets them broken between words, a pipe whole."""
    from pincite.cli.rows import broken

    for line in lines:
        for row in broken(line, console, console.width - 1) if console.is_terminal else [line]:
            console.print(row, no_wrap=True, overflow="ignore", crop=False)


def proof(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """What stands under an answer, a line each; `days` are those on which web pages were kept, by their documents."""
    from rich.text import Text

    from pincite.conversations.verdicts import describe_end

    if answer.refused:
        yield from _nearest(answer)
        return
    for number, sentence in enumerate(_in_doubt(answer.sentences)):
        if not number:
            yield Text()
        yield from _doubt(sentence)
    for number, told in enumerate(describe_end(answer, "en")):
        if not number:
            yield Text()
        yield line((told, "dim"))
    if answer.citations:
        yield Text()
        yield from listed(answer, days)
    if answer.invented:
        many = "citations of sources that do" if answer.invented > 1 else "citation of a source that does"
        yield Text(f"{answer.invented} {many} not exist: taken out.", style="dim")


def listed(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """The sources under their numbers: where each stands, how far it bears out what cites it, and its words."""
    from pincite.events.source_names import find_alike
    from pincite.web.fragments import link

    cited = {n for sentence in answer.sentences for n in sentence.citations}
    suggested = {n for sentence in answer.sentences for n in sentence.suggested} - cited
    alike = find_alike(answer.citations)
    for citation in answer.citations:
        if citation.n not in cited | suggested:
            continue
        verdicts = [("not cited, may support it", "dim")] if citation.n in suggested else _verdicts(answer, citation.n)
        yield line((f"[{citation.n}]", "cyan"), " ", (where(citation, alike), "bold"), "   ", *verdicts)
        if citation.quote:
            yield line(("    “" + _opening(citation.quote, _QUOTED) + "”", "dim"))
        if citation.url:
            day = days.get(citation.document)
            live = linked(citation.url, link(citation.url, citation.quote), "dim")
            yield line("    ", live, (f", as it was on {day}" if day else "", "dim"))


def links(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """The addresses of the web pages whose passages are shown, under their numbers."""
    from pincite.web.fragments import link

    shown = {passage.n for passage in answer.passages if not passage.more}
    for citation in answer.citations:
        if citation.url and citation.n in shown:
            day = days.get(citation.document)
            live = linked(citation.url, link(citation.url, citation.quote), "dim")
            yield line((f"[{citation.n}]", "cyan"), " ", live, (f", as it was on {day}" if day else "", "dim"))


def linked(text: str, url: str, style: str) -> tuple[str, str]:
    """Words that lead somewhere, where a terminal can follow."""
    return (text, f"{style} link {url}" if _ADDRESS.fullmatch(url) else style)


def where(citation: "Citation | Nearest", alike: Collection[str] = ()) -> str:
    """A source's title and page, with its file name where its title is among those that are alike."""
    from pincite.events.source_names import describe_page, tell_apart

    page = describe_page(citation.page, citation.label)
    return ", ".join(filter(None, (tell_apart(citation.title, citation.name, citation.title in alike), page)))


def tally(answer: "Answer") -> str:
    """How many sentences have which verdict, in words."""
    judged = [sentence.support for sentence in answer.sentences if sentence.support]
    shown = sum(not passage.more for passage in answer.passages)
    if shown and set(judged) == {"verified"}:
        return f"{SIGNS['verified']} {shown} {'passage' if shown == 1 else 'passages'} quoted"
    return ", ".join(f"{sign} {judged.count(name)} {name}" for name, sign in SIGNS.items() if name in judged)


def judged_by(answer: "Answer") -> str:
    """The judge of an answer, and how it did on the calibration set; empty where there was none."""
    from pincite.conversations.verdicts import describe_judge

    return describe_judge(answer.judge, "en").removeprefix("; ")


def _verdicts(answer: "Answer", number: int) -> Iterator[tuple[str, str]]:
    """The verdicts on the sentences that cite a source, each once, as signs and as words."""
    from pincite.conversations.verdicts import describe_basis

    citing = [sentence for sentence in answer.sentences if number in sentence.citations]
    given = {sentence.support for sentence in citing}
    bases = dict.fromkeys(describe_basis(each, "en").removeprefix("verified").strip() for each in citing)
    basis = ", ".join(filter(None, bases))
    for position, name in enumerate(name for name in SIGNS if name in given):
        is_quoted = name == "verified" and basis == "quoted"
        yield (f"{', ' if position else ''}{SIGNS[name]} {'quoted' if is_quoted else name}", _COLOURS[name])
        if name == "verified" and basis and not is_quoted:
            yield (f" ({basis})", "dim")


def _in_doubt(sentences: "Sequence[Sentence]") -> "Iterator[Sentence]":
    for support in ("contradicted", "unsupported", "partial"):
        yield from (sentence for sentence in sentences if sentence.support == support and not sentence.checking)


def _doubt(sentence: "Sentence") -> "Iterator[Text]":
    """A sentence in doubt, with why; what the source says instead stands on a line below."""
    from pincite.conversations.verdicts import describe_support, quote

    support = sentence.support or "unsupported"
    colour = _COLOURS[support]
    why = "; ".join(sentence.reasons)
    if support == "partial" and sentence.unsupported:
        why = describe_support(support, "en", sentence.unsupported).partition(": ")[2]
    elif support == "unsupported":
        why = why or "no source says this"
    is_said = support == "contradicted" and sentence.source.strip()
    yield line(
        (f"{SIGNS[support]} {support}: ", colour),
        f"“{_opening(_ITEM.sub('', sentence.text), _NAMED)}”",
        (f" ({why})" if why and not is_said else "", "dim"),
    )
    if is_said:
        yield line("  the source says ", quote(sentence.source, "en"))


def _nearest(answer: "Answer") -> "Iterator[Text]":
    from rich.text import Text

    from pincite.cli.rows import harmless
    from pincite.cli.search import marked, sought
    from pincite.events.source_names import find_alike
    from pincite.retrieval.references import language_of

    alike = find_alike(answer.nearest)
    for number, near in enumerate(answer.nearest):
        if not number:
            yield Text()
            yield Text(_NEAREST[language_of(answer.question)], style="dim")
        yield line("  ", (where(near, alike), "bold"), (f"   {near.document[:8]}", "dim"))
        yield Text("    ") + marked(harmless(near.text), sought(answer.question), _QUOTED)


def line(*parts: str | tuple[str, str]) -> "Text":
    """Words, each in its style, as one line of a terminal that nothing in them can steer."""
    from rich.text import Text

    from pincite.cli.rows import harmless

    line = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        line.append(harmless(text).replace("\n", " "), style)
    return line


def _opening(text: str, most: int) -> str:
    from pincite.evidence.lines import opening

    return opening(text, most)
