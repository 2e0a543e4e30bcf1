"""The HTTP server: `create_app` builds the application from the settings, `run_server` runs it."""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from starlette.types import ASGIApp

from pincite import __version__
from pincite.accounts.passwords import PasswordHashing
from pincite.conversations import Conversations
from pincite.conversations.live import Answerer
from pincite.library.process_numbers import ProcessNumbers
from pincite.server import (
    account_routes,
    annotation_routes,
    audit_routes,
    built_in_pages,
    chat_routes,
    command_line_routes,
    content_routes,
    conversation_routes,
    drawing_routes,
    find_routes,
    gallery_routes,
    group_routes,
    invitation_routes,
    judge_routes,
    library_routes,
    locate_routes,
    model_routes,
    model_setup_routes,
    notebook_routes,
    openid_routes,
    operations_routes,
    own_data_routes,
    passage_routes,
    people_routes,
    persona_routes,
    progress_routes,
    project_path_routes,
    project_routes,
    referral_routes,
    session_routes,
    settings_routes,
    sharing_routes,
    structure_routes,
    tag_routes,
    ui_files,
    user_settings_routes,
    websocket_route,
    workspace_routes,
)
from pincite.server import document_routes as documented
from pincite.server.account_cleanup import AccountCleanup
from pincite.server.account_threads import AccountThreads
from pincite.server.background_worker import BackgroundWorker
from pincite.server.caller_watch import CallerWatch
from pincite.server.callers import CallerMiddleware
from pincite.server.cross_origin import CrossOriginMiddleware
from pincite.server.document_news import DocumentNews
from pincite.server.error_responses import register_error_handlers
from pincite.server.middleware import GuardMiddleware
from pincite.server.open_websockets import OpenWebSockets
from pincite.server.openapi import complete_schema
from pincite.server.readiness import Readiness
from pincite.server.request_rates import RequestRateMiddleware, open_request_rates
from pincite.server.request_telemetry import RequestTelemetryMiddleware
from pincite.server.search_engine_trials import EngineTrials
from pincite.server.security_headers import SecurityHeadersMiddleware
from pincite.server.site_visits import SiteVisits
from pincite.server.unfinished_deletions import UnfinishedDeletions
from pincite.server.warm_up import WarmUp
from pincite.settings import Settings
from pincite.settings_server import ServerSettings
from pincite.store.process_names import get_process_name
from pincite.store.server_file import ServerFile, remove_server_file
from pincite.telemetry.model_names import MODELS
from pincite.telemetry.start import check_traces, send_traces
from pincite.web.gallery_pictures import PictureCache

_PAGE_HEADERS = {"Content-Security-Policy": built_in_pages.POLICY, "Cache-Control": "no-cache"}


class ProtectedApplication(FastAPI):
    """The application inside the middleware that also sees responses to faults, which Starlette makes last."""

    def __init__(self, server: ServerSettings, **given: Any) -> None:
        super().__init__(**given)
        self._server = server

    def build_middleware_stack(self) -> ASGIApp:
        inner = CrossOriginMiddleware(super().build_middleware_stack(), self._server)
        return RequestTelemetryMiddleware(SecurityHeadersMiddleware(inner))


def create_app(
    settings: Settings,
    worker: bool = False,
    answer: Answerer | None = None,
    warm: bool = False,
    server_file: ServerFile | None = None,
    secret: str = "",
    hashing: PasswordHashing | None = None,
) -> FastAPI:
    """Return the application for these settings.

    `worker` runs a worker in this process. `answer` replaces the function that answers questions. `warm` loads the
    models of the first question at the start. With a `server_file`, commands of the same user can send their questions
    to this server instead of loading the models themselves. `secret` lets the program that started this server use
    `/ws` as the person at the terminal, as the secret of the file does for commands. `hashing` replaces the hashing of
    passwords.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        from pincite.answer.pipeline import stream_answer
        from pincite.answer.services import open_services

        telemetry = ExitStack()
        telemetry.enter_context(send_traces(settings.telemetry, "pincite", get_process_name()))
        app.state.services = services = open_services(settings)
        services.import_late_modules()
        app.state.library = services.library
        app.state.conversations = Conversations(services, answer or stream_answer)
        await app.state.conversations.start()
        services.library.notices.start()
        app.state.pictures = PictureCache(settings, services.library.web_parser)
        app.state.calibrating = judge_routes.JudgeCalibration(services)
        app.state.working = BackgroundWorker(services.library)
        app.state.document_news = DocumentNews(services.library.notices)
        app.state.visits = SiteVisits(services.library)
        app.state.engine_trials = EngineTrials()
        app.state.account_threads = AccountThreads(hashing)
        app.state.caller_watch = CallerWatch(services.library.database, settings)
        app.state.caller_watch.start()
        cleanup = AccountCleanup(services.library.database, settings)
        cleanup.start()
        deletions = UnfinishedDeletions(services.library)
        deletions.start()
        app.state.rate_limits = open_request_rates(settings, services.library.database)
        app.state.websockets = OpenWebSockets(settings.websocket.connections)
        if worker:
            app.state.working.start()
        warming = WarmUp(services)
        if warm:
            warming.start()
        app.state.readiness = Readiness(services, warming)
        app.state.numbers = ProcessNumbers(services.library)
        yield
        app.state.readiness.drain()
        if server_file:
            remove_server_file(settings, server_file)
        await close_streams(app)
        await cleanup.stop()
        await anyio.to_thread.run_sync(deletions.stop)
        await app.state.caller_watch.stop()
        await app.state.visits.stop()
        await app.state.calibrating.stop()
        await anyio.to_thread.run_sync(warming.stop)
        await anyio.to_thread.run_sync(app.state.working.stop)
        await services.models.close()
        services.close()
        await anyio.to_thread.run_sync(telemetry.close)

    check_traces(settings.telemetry)
    for name in (settings.models.chat, settings.models.system, settings.answers.judge):
        if ":" in name:
            MODELS.admit(name)
    # FastAPI's own docs page loads scripts from the internet; ours needs no network.
    app = ProtectedApplication(
        settings.server,
        title="Pincite",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(RequestRateMiddleware)
    app.add_middleware(CallerMiddleware, settings=settings)
    app.add_middleware(
        GuardMiddleware, settings=settings.server, uploads=("/api/documents", "/api/locate"), url=settings.accounts.url
    )
    app.state.server_file = server_file
    app.state.terminal_secrets = tuple(filter(None, (secret, server_file.token if server_file else "")))
    app.state.settings = settings
    page, has_accounts = Path(settings.server.page or ui_files.BUILT), settings.accounts.mode == "team"
    has_page = ui_files.is_built(page)
    missing_page = partial(ui_files.serve_document, page, has_accounts=has_accounts, status=404) if has_page else None
    register_error_handlers(app, missing_page)
    describe = app.openapi
    app.openapi = lambda: complete_schema(describe(), progress_routes.CARRIED)  # type: ignore[method-assign]
    # Not by `include_router`, which makes every route a second time, at the first request.
    app.router.routes.extend(locate_routes.router(settings).routes)
    for module in (
        chat_routes,
        gallery_routes,
        conversation_routes,
        progress_routes,
        documented,
        content_routes,
        structure_routes,
        drawing_routes,
        passage_routes,
        find_routes,
        library_routes,
        tag_routes,
        persona_routes,
        notebook_routes,
        annotation_routes,
        workspace_routes,
        model_routes,
        model_setup_routes,
        settings_routes,
        user_settings_routes,
        judge_routes,
        project_path_routes,
        project_routes,
        account_routes,
        session_routes,
        openid_routes,
        people_routes,
        group_routes,
        invitation_routes,
        sharing_routes,
        audit_routes,
        referral_routes,
        command_line_routes,
        own_data_routes,
        operations_routes,
        websocket_route,
    ):
        app.router.routes.extend(module.router().routes)

    if has_page:
        app.router.routes.extend(ui_files.router(page, has_accounts).routes)
    else:

        @app.head("/", include_in_schema=False)
        @app.get("/", response_class=HTMLResponse, include_in_schema=False)
        def home() -> HTMLResponse:
            return HTMLResponse(built_in_pages.render_home(), headers=_PAGE_HEADERS)

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(built_in_pages.render_docs(app.openapi()), headers=_PAGE_HEADERS)

    return app


async def close_streams(app: FastAPI) -> None:
    """Stop and store running answers, and end all event streams, so that connections can be closed."""
    app.state.working.leave()
    app.state.document_news.close()
    app.state.websockets.leave()
    await app.state.conversations.close()
    await app.state.websockets.close()


def run_server(app: FastAPI, listener: socket, announce: Callable[[], None] = lambda: None) -> None:
    """Serve on a socket until Ctrl-C. The start is announced as soon as Ctrl-C stops the server in good order."""
    from pincite.server.server_process import Server

    # Connections inherit it. Without it a small response may wait 40 ms for the client's delayed acknowledgement.
    listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    Server(app, announce=announce).run(sockets=[listener])
