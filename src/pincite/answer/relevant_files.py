"""Find the files that are relevant to a question about a project, before the model writes."""

import asyncio
import logging
import re
import uuid
from collections.abc import Callable, Iterable, Sequence

from pydantic import BaseModel

from pincite.answer.agent_state import PriorCall
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.evidence_prompt import sanitise_line
from pincite.answer.named_files import is_hidden_secret, list_named_paths
from pincite.answer.project_files import ProjectFiles
from pincite.answer.prompts import render
from pincite.answer.stream_items import make_call_failed, make_call_started, make_call_succeeded
from pincite.answer.system_model import ask_system_model
from pincite.answer.tools.found_evidence import show_new_evidence
from pincite.errors import Misuse, PinciteError, RetrievalStopped
from pincite.projects.paths import resolve_path
from pincite.text.model_json import parse_model_json
from pincite.text.token_count import count_tokens
from pincite.types import Hit

log = logging.getLogger(__name__)

TOOL = "search_project"
PARTS = 12  # of files that a search finds
_MOST_TOKENS = 12_000  # of files that are given to a model before it writes
_LISTED = 12  # names at the top of the project
_TOP = {"en": "At the top of the project: {}.", "fr": "À la racine du projet : {}."}
_CHOSEN = 8  # files that the system model may choose
_README = re.compile(r"readme(?:\.|$)", re.IGNORECASE)


class ChosenFiles(BaseModel):
    """The reply of the system model: the paths of files to read."""

    paths: list[str]


async def gather_relevant_files(files: ProjectFiles, context: Context) -> None:
    """Find the files that a question is about and put them into the ledger, as the model's own first search.

    They are those that the question names, those that the system model chooses, and the parts that have the words of
    the question. An error is logged and told to the model; the answer goes on.
    """
    emit, id, query = context.outbox.emit, uuid.uuid4().hex, context.question
    emit(make_call_started(TOOL, id, {"query": query}))
    context.ledger.searched.append(query)
    known = len(context.ledger.problems)
    try:
        hits = await context.stop.run_retrieval(_find_hits(files, context, query))
        found = await collect_evidence(context, hits)
    except RetrievalStopped as error:
        emit(make_call_failed(id, error.message))
        return
    except PinciteError as error:
        log.warning("The files of a project could not be searched. %s %s", error.message, error.hint)
        context.ledger.problems.append(error.message)
        emit(make_call_failed(id, error.message))
        return
    told = "\n".join(context.ledger.problems[known:])
    text = show_new_evidence(context, found, told) if context.has_language_model else ""
    context.agent.prior.append(PriorCall(TOOL, {"query": query}, text, found))
    emit(make_call_succeeded(id, found))


async def _find_hits(files: ProjectFiles, context: Context, query: str) -> list[Hit]:
    stop = context.stop
    await asyncio.to_thread(_refresh_index, files, lambda: stop.is_stopped)
    parts = await asyncio.to_thread(files.search, query, PARTS)
    known, others = await asyncio.to_thread(list_named_paths, files, [context.asked.question, query])
    others = await asyncio.to_thread(_leave_out_secrets, files, context, others)
    if not context.has_language_model:
        hits = [*parts, *await asyncio.to_thread(_read_whole, files, others, set(others))]
        return hits or await asyncio.to_thread(_read_beginning, files, context)
    await asyncio.to_thread(files.describe_tree, context.models.chat.context)  # the prompt takes it from the cache
    chosen = await _choose_files(files, context, parts) if context.models.system else []
    named = dict.fromkeys([*known, *others])
    whole = await asyncio.to_thread(_read_whole, files, named | dict.fromkeys(chosen), set(named))
    return _fit_hits([*whole, *parts]) or await asyncio.to_thread(_read_beginning, files, context)


def _refresh_index(files: ProjectFiles, should_stop: Callable[[], bool]) -> None:
    """Update the index. If it cannot be written, the files are searched as it knows them."""
    try:
        files.refresh(should_stop)
    except PinciteError as error:
        log.warning("The index of a project was not updated. %s %s", error.message, error.hint)


def _leave_out_secrets(files: ProjectFiles, context: Context, paths: Iterable[str]) -> list[str]:
    """Return the paths without those of secrets that are only mentioned; it is told how they are named."""
    kept: list[str] = []
    for path in paths:
        try:
            if files.is_given or not is_hidden_secret(context, files, path):
                kept.append(path)
            elif resolve_path(files.project.root, path).is_file():
                message = f"{path} may hold secrets and is not read. Write @{path} in the question to have it read."
                context.ledger.problems.append(message)
        except Misuse as error:
            log.info("A file of the project is left out. %s", error.message)
    return kept


async def _choose_files(files: ProjectFiles, context: Context, parts: Sequence[Hit]) -> list[str]:
    """Have the system model choose files from the tree and the parts that were found."""
    system = context.models.system
    tree = await asyncio.to_thread(files.describe_tree, system.context if system else None)
    listed = "\n".join(sanitise_line(f"{hit.title}{f' › {hit.headings[0]}' if hit.headings else ''}") for hit in parts)
    prompt = render("relevant_files", tree=tree, found=listed or "(none)", question=context.question)
    reply = await ask_system_model(context, prompt, "No files were chosen by the model")
    chosen = parse_model_json(reply or "", ChosenFiles)
    known = {file.path for file in files.files}
    return [path for path in (chosen.paths if chosen else []) if path in known][:_CHOSEN]


def _read_whole(files: ProjectFiles, paths: Iterable[str], named: set[str]) -> list[Hit]:
    """Return whole files as hits; a file that cannot be read is left out."""
    hits: list[Hit] = []
    for path in paths:
        try:
            hits += files.cut_file(files.read(path, named=path in named))
        except Misuse as error:
            log.info("A file of the project is left out. %s", error.message)
    return hits


def _read_beginning(files: ProjectFiles, context: Context) -> list[Hit]:
    """Return the beginning of the README, for a question whose words no file has. Without one, the top is listed."""
    hits = _read_whole(files, _list_readmes(files)[:1], set())[:1]
    if not hits and files.files and not context.has_language_model:
        tops = dict.fromkeys(f"{first}/" if below else first for first, below, _ in _split_paths(files))
        told = ", ".join([*list(tops)[:_LISTED], *(["…"] if len(tops) > _LISTED else [])])
        context.ledger.problems.append(_TOP["fr" if context.asked.language == "fr" else "en"].format(told))
    return hits


def _split_paths(files: ProjectFiles) -> Iterable[tuple[str, str, str]]:
    return (file.path.partition("/") for file in files.files)


def _list_readmes(files: ProjectFiles) -> list[str]:
    """Return the paths of files that describe the project, the outermost first."""
    found = [file.path for file in files.files if _README.match(file.path.rpartition("/")[2])]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _fit_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Return the first hits that fit into the prompt, without those that lie inside one before."""
    kept: list[Hit] = []
    tokens = 0
    for hit in hits:
        if any(_covers(one, hit) for one in kept):
            continue
        tokens += count_tokens(hit.text)
        if tokens > _MOST_TOKENS and kept:
            break
        kept.append(hit)
    return kept


def _covers(one: Hit, other: Hit) -> bool:
    same = one.span.document == other.span.document
    return same and one.span.start <= other.span.start and other.span.end <= one.span.end
