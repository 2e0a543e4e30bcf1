"""A conversation as a PDF to keep: its text, its footnotes with their quotes, and the bibliography of a report."""

from itertools import count

from pincite.conversations.annotating import (
    EMPTY,
    WRITING,
    annotated,
    date,
    exchanges,
    language,
    line,
    made,
    name_source,
    report,
    works,
)
from pincite.conversations.bibliography import HEADING, Work
from pincite.conversations.paper import Paper, Run
from pincite.conversations.reading import Conversation
from pincite.conversations.setting import Setting
from pincite.conversations.verdicts import describe_citation, describe_end, summarize
from pincite.events import Answer, Citation
from pincite.events.source_names import describe_page
from pincite.text.display import put_on_one_line
from pincite.web.fragments import link

_ADDRESSES = ("http://", "https://")
_LACKING = {
    "en": "■ stands for {} that the typeface of this file lacks; as HTML or Markdown it has them all.",
    "fr": "■ remplace {} que la police de ce fichier n'a pas ; en HTML ou en Markdown, rien ne manque.",
}
_CHARACTERS = {"en": ("a character", "{} characters"), "fr": ("un caractère", "{} caractères")}
_MARKS = {"en": "“{}”", "fr": "« {} »"}


def pdf(conversation: Conversation) -> bytes:
    """The conversation as the bytes of a PDF, with selectable text, numbered notes and links."""
    whole = report(conversation)
    title = line(whole or conversation.about.title)
    spoken = language(whole or " ".join(question for _, question, _ in exchanges(conversation)))
    paper = Paper(title, spoken, made(conversation))
    paper.heading([Run(title)], 1)
    paper.paragraph([Run(date(conversation), faint=True)], small=True)
    for _, question, said in exchanges(conversation):
        if not whole:
            paper.heading([Run(line(question))], 2)
        if said.answer:
            _answer(paper, said.answer, spoken, deeper=not whole)
            _works(paper, works(conversation, said.answer), spoken, 2 if whole else 3)
        else:
            paper.paragraph([Run(WRITING[spoken], italic=True)])
    if paper.lacking:
        one, many = _CHARACTERS[spoken]
        told = _LACKING[spoken].format(one if paper.lacking == 1 else many.format(paper.lacking))
        paper.paragraph([Run(told, faint=True)], small=True)
    return paper.finished()


def _answer(paper: Paper, answer: Answer, spoken: str, deeper: bool) -> None:
    places = {citation.n: paper.place() for citation in answer.citations}
    found = annotated(answer, spoken, deeper)
    Setting(paper, places, found.notes).lay(found.text or EMPTY[spoken])
    for told in filter(None, (summarize(answer, spoken), *describe_end(answer, spoken))):
        paper.paragraph([Run(told, italic=True, faint=True)], small=True)
    if answer.citations:
        paper.rule()
    for citation in answer.citations:
        paper.here(places[citation.n])
        paper.paragraph(_note(answer, citation, spoken), 1, f"{citation.n}.", small=True)


def _note(answer: Answer, citation: Citation, spoken: str) -> list[Run]:
    """A footnote: the source's title and page, its words, and its address, which opens the page at them."""
    page = f", {describe_page(citation.page, citation.label, spoken, word='page')}" if citation.page else ""
    colon = ("\u00a0: " if spoken == "fr" else ": ") if citation.quote else ""
    runs = [
        Run(f"{line(name_source(answer, citation))}{page}{colon}", bold=True),
        *([Run(_MARKS[spoken].format(put_on_one_line(citation.quote)))] if citation.quote else []),
    ]
    told = describe_citation(answer.sentences, citation.n, spoken)
    basis = [Run(f" ({told})", italic=True, faint=True)] if told else []
    return [*runs, *basis, *_address(citation.url, citation.quote)]


def _works(paper: Paper, listed: list[Work], spoken: str, level: int) -> None:
    if listed:
        paper.heading([Run(HEADING[spoken])], level)
    for number, work in zip(count(1), listed, strict=False):
        paper.paragraph([Run(work.told(spoken)), *_address(work.url)], 1, f"{number}.", small=True)


def _address(url: str | None, quote: str = "") -> list[Run]:
    if not url:
        return []
    is_page = url.startswith(_ADDRESSES)
    return [Run(" "), Run(line(url), link=(link(url, quote) if quote else url) if is_page else None)]
