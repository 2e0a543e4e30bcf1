"""Print the proof of an answer: doubtful sentences, sources with page and quote, and the count of verdicts.

It is in the language of the question. Each verdict has a sign with its own shape; the colour only repeats it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from pincite.cli.answer_wording import count_phrase, get_phrase, name_verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pincite.events import Answer, Citation, Nearest, Sentence
    from pincite.types import Support

SIGNS: dict["Support", str] = {
    "verified": "●",
    "partial": "◐",
    "contradicted": "▲",
    "unsupported": "◌",
    "unchecked": "○",
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
_LINES = 8  # of a quote from a project's file
_NAMED = 120  # characters of a sentence that is repeated with its verdict


def mark_doubts(text: str, sentences: "Iterable[Sentence]") -> str:
    """Return the answer with a sign after each sentence that is not verified. Sentences under check get no sign."""
    at, pieces = 0, []
    for sentence in sorted(sentences, key=lambda each: each.end):
        support = None if sentence.checking or sentence.support == "verified" else sentence.support
        if support and at < sentence.end <= len(text):
            pieces.append(f"{text[at : sentence.end]} {SIGNS[support]}")
            at = sentence.end
    return "".join([*pieces, text[at:]])


def print_lines(lines: "Iterable[Text]", console: "Console") -> None:
    """Print lines, wrapped between words on a terminal and unwrapped into a pipe."""
    from pincite.cli.growing_text import wrap_line

    for line in lines:
        for row in wrap_line(line, console, console.width - 1) if console.is_terminal else [line]:
            console.print(row, no_wrap=True, overflow="ignore", crop=False)


def describe_proof(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """Yield the lines of the proof below an answer. `days` gives the day each web page was fetched, by document."""
    from rich.text import Text

    from pincite.conversations.verdict_wording import describe_end
    from pincite.text.language import detect_conversation_language

    if answer.refused:
        yield from _list_nearest(answer)
        return
    language = detect_conversation_language(answer.question)
    for number, sentence in enumerate(_find_doubtful(answer.sentences)):
        if not number:
            yield Text()
        yield from _describe_doubt(sentence, language)
    for number, note in enumerate(describe_end(answer, language)):
        if not number:
            yield Text()
        yield make_line((note, "dim"))
    for number, line in enumerate(list_sources(answer, days)):
        if not number:
            yield Text()
        yield line
    if answer.invented:
        yield Text(count_phrase(language, "invented", answer.invented), style="dim")


def list_sources(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """Yield the lines of the numbered sources: place, verdicts of the sentences that cite it, and quote.

    A source of which only the title is known is left out: the sentence that cites it has named it.
    """
    from pincite.events.source_names import find_shared_titles
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    cited = {n for sentence in answer.sentences for n in sentence.citations}
    suggested = {n for sentence in answer.sentences for n in sentence.suggested} - cited
    alike = find_shared_titles(answer.citations)
    for citation in answer.citations:
        if citation.n not in cited | suggested:
            continue
        is_suggested = citation.n in suggested
        verdicts = (
            [(get_phrase(language, "not_cited"), "dim")]
            if is_suggested
            else list(_list_verdicts(answer, citation.n, language))
        )
        if not (verdicts or citation.quote or citation.url):
            continue
        place = describe_place(citation, alike, language)
        yield make_line((f"[{citation.n}]", "cyan"), " ", (place, "bold"), "   " if verdicts else "", *verdicts)
        if citation.path and citation.lines:
            yield from _number_lines(citation.quote, citation.lines[0])
        elif citation.quote:
            yield make_line(("    “" + _shorten_text(citation.quote, _QUOTED) + "”", "dim"))
        if citation.url:
            yield make_line("    ", *_link_page(citation, citation.url, days, language))


def _number_lines(quote: str, first: int) -> "Iterator[Text]":
    """Yield the lines of a project's file with their numbers, the first few of a long quote."""
    lines = quote.removesuffix("\n").split("\n")
    for number, line in enumerate(lines[:_LINES], first):
        yield make_line((f"{number:>6}  {line.expandtabs(4)}", "dim"))
    if len(lines) > _LINES:
        yield make_line(("        …", "dim"))


def list_page_links(answer: "Answer", days: Mapping[str, str] = NO_DAYS) -> "Iterator[Text]":
    """Yield a line with number and address for each web page whose passage is shown."""
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    shown = {passage.n for passage in answer.passages if not passage.more}
    for citation in answer.citations:
        if citation.url and citation.n in shown:
            yield make_line((f"[{citation.n}]", "cyan"), " ", *_link_page(citation, citation.url, days, language))


def _link_page(citation: "Citation", url: str, days: Mapping[str, str], language: str) -> list[tuple[str, str]]:
    """Return the address of a web page as a link to the quote, and the day on which the page was fetched."""
    from pincite.web.text_fragments import make_fragment_link

    day = days.get(citation.document)
    live = style_link(url, make_fragment_link(url, citation.quote), "dim")
    return [live, (get_phrase(language, "as_it_was", day) if day else "", "dim")]


def style_link(text: str, url: str, style: str) -> tuple[str, str]:
    """Return a text and a style that makes it a link, if the terminal supports links."""
    return (text, f"{style} link {url}" if _ADDRESS.fullmatch(url) else style)


def describe_place(citation: "Citation | Nearest", alike: Collection[str] = (), language: str = "en") -> str:
    """Return the title and page of a source, with its file name if its title is among the shared titles `alike`.

    The place of a project's file is its path with its lines.
    """
    from pincite.events.source_names import add_file_name, describe_lines, describe_page

    if citation.path:
        return describe_lines(citation.path, citation.lines)
    page = describe_page(citation.page, citation.label, language)
    return ", ".join(filter(None, (add_file_name(citation.title, citation.name, citation.title in alike), page)))


def count_verdicts(answer: "Answer") -> str:
    """Return the number of sentences with each verdict, or of passages."""
    from pincite.conversations.verdict_wording import are_quoted
    from pincite.text.language import detect_conversation_language

    judged = [sentence.support for sentence in answer.sentences if sentence.support]
    shown = len({passage.n for passage in answer.passages if not passage.more})
    language = detect_conversation_language(answer.question)
    if shown and set(judged) == {"verified"}:
        return f"{SIGNS['verified']} {count_phrase(language, 'passage', shown)}"
    if are_quoted(answer.sentences):
        return f"{SIGNS['verified']} {len(judged)} {count_phrase(language, 'quoted', len(judged))}"
    counts = {name: judged.count(name) for name in SIGNS if name in judged}
    return ", ".join(f"{SIGNS[name]} {count} {name_verdict(language, name, count)}" for name, count in counts.items())


def name_answer_model(answer: "Answer") -> str:
    """Return the name of the model that wrote an answer, or that none did."""
    from pincite.llm.providers import EXTRACTIVE
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    return get_phrase(language, "no_model") if answer.model == EXTRACTIVE else answer.model


def describe_answer_judge(answer: "Answer") -> str:
    """Return the judge of an answer and its result on the calibration set, or an empty text without a judge."""
    from pincite.conversations.verdict_wording import describe_judge
    from pincite.text.language import detect_conversation_language

    return describe_judge(answer.judge, detect_conversation_language(answer.question)).lstrip("\u00a0; ")


def _list_verdicts(answer: "Answer", number: int, language: str) -> Iterator[tuple[str, str]]:
    """Yield the verdicts on the sentences that cite a source, each once, as sign and word."""
    from pincite.conversations.verdict_wording import describe_basis

    citing = [sentence for sentence in answer.sentences if number in sentence.citations]
    given = {sentence.support for sentence in citing}
    verified, quoted = name_verdict(language, "verified"), get_phrase(language, "quoted")
    bases = dict.fromkeys(describe_basis(each, language).removeprefix(verified).strip() for each in citing)
    basis = ", ".join(filter(None, bases))
    for position, name in enumerate(name for name in SIGNS if name in given):
        is_quoted = name == "verified" and basis == quoted
        called = quoted if is_quoted else name_verdict(language, name)
        yield (f"{', ' if position else ''}{SIGNS[name]} {called}", _COLOURS[name])
        if name == "verified" and basis and not is_quoted:
            yield (f" ({basis})", "dim")


def _find_doubtful(sentences: "Sequence[Sentence]") -> "Iterator[Sentence]":
    for support in ("contradicted", "unsupported", "partial"):
        yield from (sentence for sentence in sentences if sentence.support == support and not sentence.checking)


def _describe_doubt(sentence: "Sentence", language: str) -> "Iterator[Text]":
    """Yield a doubtful sentence with the reason and, on a line below, the words of the source that contradict it."""
    from pincite.conversations.verdict_wording import describe_missing_words, quote_text

    support = sentence.support or "unsupported"
    colour = _COLOURS[support]
    why = "; ".join(sentence.reasons)
    if support == "partial" and sentence.unsupported:
        why = describe_missing_words(sentence.unsupported, language)
    elif support == "unsupported":
        why = why or get_phrase(language, "no_source")
    is_said = support == "contradicted" and sentence.source.strip()
    yield make_line(
        (f"{SIGNS[support]} {get_phrase(language, 'verdict', name_verdict(language, support))}", colour),
        quote_text(_shorten_text(_ITEM.sub("", sentence.text), _NAMED), language),
        (f" ({why})" if why and not is_said else "", "dim"),
    )
    if is_said:
        yield make_line("  ", get_phrase(language, "source_says"), quote_text(sentence.source, language))


def _list_nearest(answer: "Answer") -> "Iterator[Text]":
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls
    from pincite.cli.search_command import find_stems, mark_words
    from pincite.events.source_names import find_shared_titles
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    alike = find_shared_titles(answer.nearest)
    for number, near in enumerate(answer.nearest):
        if not number:
            yield Text()
            yield Text(get_phrase(language, "nearest"), style="dim")
        yield make_line("  ", (describe_place(near, alike, language), "bold"), (f"   {near.document[:8]}", "dim"))
        yield Text("    ") + mark_words(strip_controls(near.text), find_stems(answer.question), _QUOTED)


def make_line(*parts: str | tuple[str, str]) -> "Text":
    """Return styled parts as one line, without control characters."""
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls

    line = Text()
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        line.append(strip_controls(text).replace("\n", " "), style)
    return line


def _shorten_text(text: str, most: int) -> str:
    from pincite.locate.page_lines import take_first_words

    return take_first_words(text, most)
