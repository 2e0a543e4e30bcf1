"""The `doctor` command: check the installation and say how to fix problems."""

import shutil
import sys
import time
from typing import TYPE_CHECKING

import typer

from pincite.cli import options
from pincite.cli.doctor_store import check_files, check_postgres, check_queue, describe_away
from pincite.cli.doctor_telemetry import check_telemetry
from pincite.cli.finding import Finding
from pincite.errors import DatabaseAway, PinciteError

if TYPE_CHECKING:
    from pincite.settings import Settings


def doctor(
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Check the installation and say how to fix problems.

    It looks at this machine, the database, the files, the queue and the telemetry.

    The exit status is 1 if something is wrong. Optional parts that are missing do not count as wrong.
    """
    settings = options.load_settings(data, database, config)
    findings: list[Finding] = []
    is_away = False
    with options.make_console(stderr=True).status("Checking…"):
        for check in _CHECKS:
            if is_away and check in _NEED_DATABASE:
                continue  # it would wait for the database once more
            try:
                findings += check(settings)
            except DatabaseAway as error:
                is_away = True
                findings.append(Finding("database", "wrong", describe_away(error), error.hint))
            except PinciteError as error:
                name = check.__name__.strip("_").removeprefix("check_")
                findings.append(Finding(name, "wrong", error.message, error.hint))
    if json:
        options.print_json(
            [{"name": f.name, "state": f.state, "detail": f.detail, "remedy": f.remedy} for f in findings]
        )
    else:
        _print_findings(findings)
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(1)


def _print_findings(findings: list[Finding]) -> None:
    from rich.text import Text

    signs = {"ok": ("✓", "green"), "missing": ("–", "yellow"), "wrong": ("✗", "red")}
    out = options.make_console()
    width = max((len(finding.name) for finding in findings), default=0) + 1
    for finding in findings:
        sign, colour = signs[finding.state]
        out.print(Text.assemble((sign, colour), " ", (f"{finding.name:<{width}}", "bold"), finding.detail))
        if finding.remedy:
            out.print(Text(f"  {'':{width}}{finding.remedy}", "dim"))


def _python(_: "Settings") -> list[Finding]:
    return [Finding("python", "ok", sys.version.split()[0])]


def _sqlite(_: "Settings") -> list[Finding]:
    from pincite.store.sqlite_engine import find_sqlite_features

    version, words = find_sqlite_features()
    if words:
        return [Finding("sqlite", "ok", f"{version}, with full-text search")]
    return [Finding("sqlite", "wrong", f"{version} has no FTS5", "Use a Python whose SQLite has FTS5.")]


def _folder(settings: "Settings") -> list[Finding]:
    from pincite.store.database import make_folder
    from pincite.store.disk_check import list_exposed

    make_folder(settings.data)
    free = shutil.disk_usage(settings.data).free / 1e9
    if free < 1:
        return [Finding("data", "wrong", f"{settings.data}: {free:.1f} GB free", "Free some space, or choose --data.")]
    found = [Finding("data", "ok", f"{settings.data}: {free:,.0f} GB free")]
    if exposed := list_exposed(settings.data):
        names = ", ".join(path.name for path in exposed)
        remedy = f"`chmod -R go= {settings.data}` makes the folder private."
        found.append(Finding("private", "missing", f"other users of this machine may read {names}", remedy))
    return found


def _database(settings: "Settings") -> list[Finding]:
    from pincite.library import open_library
    from pincite.store import documents
    from pincite.store.disk_check import find_damage

    library = open_library(settings)
    try:
        if damage := find_damage(library.database):
            remedy = "Restore the file from a copy, or move it away and add the documents again."
            return [Finding("database", "wrong", f"damaged: {damage}", remedy)]
        with library.database.reading() as connection:
            stored = documents.find(connection, settings.owner)
            models = library.index.models(connection)
        queue = check_queue(library)
    finally:
        library.close()
    found = [Finding("documents", "ok", f"{len(stored):,} with {sum(d.passages for d in stored):,} passages"), *queue]
    if len(models) > 1:
        found.append(
            Finding(
                "vectors", "missing", f"of {', '.join(models)}", "`pincite reindex` recomputes them with one model."
            )
        )
    return found


def _embedder(settings: "Settings") -> list[Finding]:
    from pincite.embedding import create_embedder

    model = create_embedder(settings.embedding, settings.data)
    if model is None:
        return [Finding("embedder", "missing", "switched off", "Search uses words only; see embedding.provider.")]
    begun = time.perf_counter()
    model.passages(["The first passage builds or loads the model."])
    built = time.perf_counter() - begun
    begun = time.perf_counter()
    model.queries(["How long does a question take?"])
    each = (time.perf_counter() - begun) * 1000
    detail = f"{model.name}: {built:.1f} s to start, {each:.0f} ms a question"
    return [Finding("embedder", "ok", detail)]


def _ocr(settings: "Settings") -> list[Finding]:
    from pincite.reading import ocr

    if not settings.reading.ocr:
        return [Finding("ocr", "missing", "switched off", "See reading.ocr in the settings.")]
    if ocr.is_available(settings.reading.ocr):
        return [Finding("ocr", "ok", f"tesseract for {settings.reading.ocr}")]
    return [
        Finding(
            "ocr",
            "missing",
            "no tesseract: scans and images have no text",
            "Install tesseract-ocr and tesseract-ocr-fra.",
        )
    ]


def _isolation(settings: "Settings") -> list[Finding]:
    """Check which limits the system enforces on a process that reads documents."""
    from pincite.isolation.limit_check import check_limits

    return [
        Finding("isolation", "ok", limit.detail)
        if limit.is_enforced
        else Finding("isolation", "missing", f"not enforced here: {limit.detail}", limit.remedy)
        for limit in check_limits(settings.reading)
    ]


def _reranker(settings: "Settings") -> list[Finding]:
    from pincite.search.reranker import Reranker

    if not settings.rerank.url:
        return [
            Finding("reranker", "missing", "none is set; the fused order is used", "See rerank.url in the settings.")
        ]
    Reranker(settings.rerank).rerank("one question", ["one passage", "another"])
    return [Finding("reranker", "ok", settings.rerank.url)]


def _models(settings: "Settings") -> list[Finding]:
    import asyncio

    from pincite.llm.model_roles import Models, ModelStatus
    from pincite.store.database import Database, open_database

    async def look(database: Database) -> tuple[list[ModelStatus], list[ModelStatus]]:
        models = Models(settings, database=database)
        try:
            listed = await models.list()
            # Call each model that is in use once. For other providers, it is enough that they can be reached.
            return listed, await asyncio.gather(*(models.test(each.name) for each in listed if each.roles))
        finally:
            await models.close()

    opened = open_database(settings)
    try:
        listed, tried = asyncio.run(look(opened))
    finally:
        opened.close()
    found = [
        Finding(each.roles[0], "ok" if each.reachable else "wrong", f"{each.name}: {each.detail}", each.hint)
        for each in tried
    ]
    in_use = {"extractive", *(each.provider for each in tried)}
    for provider in dict.fromkeys(each.provider for each in listed if each.provider not in in_use):
        offered = [each for each in listed if each.provider == provider]
        lost = next((each for each in offered if not each.reachable), None)
        if lost:
            found.append(Finding(provider, "missing", lost.detail, lost.hint))
        else:
            found.append(Finding(provider, "ok", f"{len(offered)} models, none of them in use"))
    return found


def _judge(settings: "Settings") -> list[Finding]:
    from pincite.evaluate.calibration import read_version
    from pincite.evaluate.judge_agreement import find_judge_name
    from pincite.library import open_library
    from pincite.llm.stored_models import read_stored_models
    from pincite.store.calibrations import get_calibration

    library = open_library(settings)
    try:
        stored = read_stored_models(settings, library.database).settings
        name = find_judge_name(stored)
        known = get_calibration(library.database, name) if name else None
    finally:
        library.close()
    if not name and stored.answers.judge.strip() == "off":
        return [
            Finding("judge", "missing", "switched off: the meaning of sentences is not checked", "See answers.judge.")
        ]
    if not name:
        remedy = "Choose a model in the settings of the page or with `pincite models`, or name one in answers.judge."
        return [Finding("judge", "missing", "none: no model is set, and answers are quotations", remedy)]
    if known is None:
        remedy = "`pincite evaluate judge` measures how often it agrees with readers."
        return [Finding("judge", "missing", f"{name}: not measured yet", remedy)]
    day = time.strftime("%Y-%m-%d", time.localtime(known.when))
    detail = f"{name}: {known.describe()} ({day})"
    if known.version != read_version():
        return [
            Finding("judge", "missing", f"{detail}, on an older set", "`pincite evaluate judge` measures it again.")
        ]
    return [Finding("judge", "ok", detail)]


def _search(settings: "Settings") -> list[Finding]:
    import asyncio

    from pincite.library import open_library
    from pincite.store import user_settings
    from pincite.web import searxng

    library = open_library(settings)
    try:
        with library.database.reading() as connection:
            url, _ = user_settings.find_search_url(connection, settings.owner, settings.web)
    finally:
        library.close()
    if not url:
        remedy = "Set web.search_url to the address of a SearXNG server; docs/web.md explains how."
        return [Finding("web search", "missing", "none is set; only pages given by address are read", remedy)]
    checked = asyncio.run(searxng.check_engine(url, settings.web.search_seconds))
    return [Finding("web search", "ok" if checked.ok else "wrong", f"{url}: {checked.detail}", checked.hint)]


def _browser(settings: "Settings") -> list[Finding]:
    from pincite.web.browser_rendering import find_missing

    if not (lacks := find_missing(settings)):
        return [Finding("browser", "ok", "pages that need JavaScript are read")]
    remedy = "`pip install 'pincite[browser]'`, and a Chromium; see web.render and web.browser in the settings."
    return [Finding("browser", "missing", f"pages that need JavaScript are not read: {lacks}", remedy)]


def _youtube(_: "Settings") -> list[Finding]:
    from importlib.util import find_spec

    if find_spec("youtube_transcript_api"):
        return [Finding("youtube", "ok", "video transcripts are read")]
    return [Finding("youtube", "missing", "video transcripts are not read", "`pip install 'pincite[youtube]'`")]


_CHECKS = (
    _python,
    _sqlite,
    _folder,
    check_postgres,
    _database,
    check_files,
    _embedder,
    _ocr,
    _isolation,
    _reranker,
    _models,
    _judge,
    _search,
    _browser,
    _youtube,
    check_telemetry,
)
_NEED_DATABASE = (check_postgres, _database, _models, _judge, _search)
