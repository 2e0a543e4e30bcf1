"""Services beside a small web: an engine that finds what a test puts there, and pages over real HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion, UnderstoodQuestion
from pincite.answer.services import Services
from pincite.llm.model_roles import Models
from pincite.types import Exchange
from tests import sites
from tests.clock import PATIENCE
from tests.sites import Site
from tests.turns import Script, Scripted, open_test_services

ARTICLE = "<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{body}</article></body></html>"


@contextmanager
def standing(tmp_path: Path, site: Site, texts: dict[str, str] | None = None, **web: Any) -> Iterator[Services]:
    """Services whose web is this one site, answered by the model that quotes."""
    slow = {"page_seconds": PATIENCE, "search_seconds": PATIENCE, "seconds": PATIENCE}
    address = {"allow": [site.host], "search_url": f"http://{site.host}"}
    given = {**address, **slow, "pause_seconds": 0, "render": False, **web}
    made = open_test_services(tmp_path, {} if texts is None else texts, web=given)
    made.models = Models(made.settings)
    try:
        yield made
    finally:
        made.close()


def article(title: str, *paragraphs: str) -> sites.Respond:
    """A page with a title and some paragraphs."""
    return sites.html(ARTICLE.format(title=title, body="".join(f"<p>{words}</p>" for words in paragraphs)))


def found(site: Site, *pages: tuple[str, str], **given: Any) -> None:
    """Let the engine find these, each a path and what the engine says of it, best first."""
    results = [
        {"url": path if path.startswith("http") else site.url(path), "title": said, "content": said, "score": 9 - place}
        for place, (path, said) in enumerate(pages)
    ]
    site.pages["/search"] = sites.searxng(*results, **given)


def scripted(services: Services, script: Script, tools: bool = True, system: Any = None) -> Services:
    """The same services, answered by a model that follows a script."""
    services.models = Scripted(services.settings, script, tools, system)
    return services


def named_before(*urls: str) -> tuple[Exchange, ...]:
    """A conversation in which the user named these addresses so long ago that they are not read again unasked."""
    return (Exchange(f"Look at {' '.join(urls)}", "I did."), *[Exchange("Thank you.", "You are welcome.")] * 3)


def turned(services: Services, question: str, **given: Any) -> Context:
    """A turn that may search the web, as it is when its model is asked."""
    context = services.open_context(AskedQuestion(question=question, **given))
    return context.with_understood(UnderstoodQuestion(question=question, engine=services.find_engine("local")))
