"""Name tool calls for people, in English and French: what a call does, what it did, and what it found.

The terminal takes its words from here. The page has its own, in `ui/src/conversation/`.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pincite.events.stream import ToolCallStarted

Language = Literal["en", "fr"]


class ToolLabel(NamedTuple):
    """The label of a tool while it runs, and after it has run."""

    running: str
    done: str


LABELS: dict[Language, dict[str, ToolLabel]] = {
    "en": {
        "search_documents": ToolLabel("Searching", "searched"),
        "file_search": ToolLabel("Searching the documents for", "searched the documents for"),
        "outline_document": ToolLabel("Looking through", "looked through"),
        "read_document": ToolLabel("Reading", "read"),
        "list_documents": ToolLabel("Listing the documents", "listed the documents"),
        "calculate": ToolLabel("Computing", "computed"),
        "navigate": ToolLabel("Opening", "opened"),
        "highlight": ToolLabel("Marking", "marked"),
        "firefoxAI": ToolLabel("Reading the page", "was given the page"),
        "web_search": ToolLabel("Searching the web for", "searched the web for"),
        "scrape_web_page": ToolLabel("Reading", "read"),
        "url_summarization": ToolLabel("Summing up", "summed up"),
        "pdf_loader": ToolLabel("Reading the PDF", "read the PDF"),
        "image_search": ToolLabel("Looking for pictures of", "looked for pictures of"),
        "video_search": ToolLabel("Looking for videos of", "looked for videos of"),
        "youtube_transcript": ToolLabel("Reading what is said in", "read what is said in"),
        "read_notebook": ToolLabel("Reading the notebook", "read the notebook"),
        "read_files": ToolLabel("Reading", "read"),
        "search_project": ToolLabel("Searching the project for", "searched the project for"),
        "list_files": ToolLabel("Listing the files", "listed the files"),
    },
    "fr": {
        "search_documents": ToolLabel("Cherche", "cherché"),
        "file_search": ToolLabel("Cherche dans les documents", "cherché dans les documents"),
        "outline_document": ToolLabel("Parcourt", "parcouru"),
        "read_document": ToolLabel("Lit", "lu"),
        "list_documents": ToolLabel("Liste les documents", "documents listés"),
        "calculate": ToolLabel("Calcule", "calculé"),
        "navigate": ToolLabel("Ouvre", "ouvert"),
        "highlight": ToolLabel("Surligne", "surligné"),
        "firefoxAI": ToolLabel("Lit la page", "page reçue"),
        "web_search": ToolLabel("Cherche sur le web", "cherché sur le web"),
        "scrape_web_page": ToolLabel("Lit", "lu"),
        "url_summarization": ToolLabel("Résume", "résumé"),
        "pdf_loader": ToolLabel("Lit le PDF", "lu le PDF"),
        "image_search": ToolLabel("Cherche des images de", "cherché des images de"),
        "video_search": ToolLabel("Cherche des vidéos sur", "cherché des vidéos sur"),
        "youtube_transcript": ToolLabel("Lit la transcription de", "lu la transcription de"),
        "read_notebook": ToolLabel("Lit le carnet", "carnet lu"),
        "read_files": ToolLabel("Lit", "lu"),
        "search_project": ToolLabel("Cherche dans le projet", "cherché dans le projet"),
        "list_files": ToolLabel("Liste les fichiers", "fichiers listés"),
    },
}
_WORDS = {
    "en": {
        "running": "Running {name}",
        "done": "ran {name}",
        "quote": "“{}”",
        "for": "for {}",
        "in": "in {}",
        "found": "{found} found",
        "found_on_page": "{found} found on {pages} page",
        "found_on_pages": "{found} found on {pages} pages",
        "failed": "{} not readable",
        "subject": "also for {}",
        "unresponsive": "no answer from {}",
    },
    "fr": {
        "running": "Exécute {name}",
        "done": "{name} exécuté",
        "quote": "«\u00a0{}\u00a0»",
        "for": "pour {}",
        "in": "dans {}",
        "found": "trouvé\u00a0: {found}",
        "found_on_page": "trouvé\u00a0: {found} sur {pages} page",
        "found_on_pages": "trouvé\u00a0: {found} sur {pages} pages",
        "failed": "non lues\u00a0: {}",
        "subject": "aussi pour {}",
        "unresponsive": "pas de réponse de {}",
    },
}
_LONGEST_ADDRESS = 60  # characters


def describe_call(call: ToolCallStarted, is_done: bool = False, language: Language = "en") -> str:
    """Return what a tool call does, or did, and with which words, document and page."""
    words, given = _WORDS[language], call.attributes
    label = LABELS[language].get(call.name)
    if label is None:
        label = ToolLabel(words["running"].format(name=call.name), words["done"].format(name=call.name))
    action = label.done if is_done else label.running
    query = given.get("query") or given.get("words") or ""
    quoted = words["quote"].format(query) if query else ""
    if url := given.get("url"):
        return _join_parts(action, _shorten_address(url), words["for"].format(quoted) if quoted else "")
    document, page = given.get("document", ""), given.get("page", "")
    return _join_parts(
        action,
        quoted,
        words["in"].format(document) if document and query else document,
        _shorten_address(given.get("paths", "")),
        words["in"].format(given["folder"]) if given.get("folder") else "",
        f"page {page}" if page and call.name != "web_search" else "",
        f"source {given['evidence']}" if "evidence" in given else "",
    )


def describe_result(call: ToolCallStarted | None, extra: Mapping[str, str], language: Language = "en") -> str:
    """Return what a tool call found, as far as it says so."""
    words, is_web = _WORDS[language], call is not None and call.name == "web_search"
    found, pages, failed = extra.get("found", ""), extra.get("pages", ""), extra.get("failed", "")
    form = "found" if not (is_web and pages) else "found_on_page" if pages == "1" else "found_on_pages"
    subject, unresponsive = extra.get("subject", ""), extra.get("unresponsive", "")
    parts = [
        words[form].format(found=found, pages=pages) if found else "",
        words["failed"].format(failed) if failed and is_web else "",
        words["subject"].format(words["quote"].format(subject)) if subject else "",
        words["unresponsive"].format(unresponsive) if unresponsive else "",
    ]
    return ", ".join(filter(None, parts))


def _join_parts(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _shorten_address(url: str) -> str:
    """Return an address without its scheme, `www.` and last slash, cut to a length that fits a line."""
    bare = url.removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    return bare if len(bare) <= _LONGEST_ADDRESS else bare[: _LONGEST_ADDRESS - 1] + "…"
