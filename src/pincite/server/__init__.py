"""The HTTP server: `create_app` builds the application from the settings, `run_server` runs it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from pincite import __version__
from pincite.conversations import Conversations
from pincite.conversations.live import Answerer
from pincite.library import Library
from pincite.server import (
    built_in_pages,
    chat_routes,
    command_line_routes,
    content_routes,
    conversation_routes,
    find_routes,
    gallery_routes,
    judge_routes,
    library_routes,
    locate_routes,
    model_routes,
    passage_routes,
    persona_routes,
    progress_routes,
    project_path_routes,
    project_routes,
    settings_routes,
    structure_routes,
    ui_files,
    user_settings_routes,
    websocket_route,
)
from pincite.server import document_routes as documented
from pincite.server.background_worker import BackgroundWorker
from pincite.server.error_responses import RESPONSES, register_error_handlers
from pincite.server.middleware import GuardMiddleware
from pincite.server.open_websockets import OpenWebSockets
from pincite.server.openapi import complete_schema
from pincite.server.search_engine_trials import EngineTrials
from pincite.server.site_visits import SiteVisits
from pincite.server.warm_up import WarmUp
from pincite.settings import Settings
from pincite.store import job_queue
from pincite.store.server_file import ServerFile, remove_server_file
from pincite.web.gallery_pictures import PictureCache


def create_app(
    settings: Settings,
    worker: bool = False,
    answer: Answerer | None = None,
    warm: bool = False,
    server_file: ServerFile | None = None,
) -> FastAPI:
    """Return the application for these settings.

    `worker` runs a worker in this process. `answer` replaces the function that answers questions. `warm` loads the
    models of the first question at the start. With a `server_file`, commands of the same user can send their questions
    to this server instead of loading the models themselves.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        from pincite.answer.pipeline import stream_answer
        from pincite.answer.services import open_services

        app.state.services = services = open_services(settings)
        services.import_late_modules()
        app.state.library = services.library
        app.state.conversations = Conversations(services, answer or stream_answer)
        await app.state.conversations.observe_writers()
        app.state.pictures = PictureCache(settings, services.library.web_parser)
        app.state.calibrating = judge_routes.JudgeCalibration(services)
        app.state.working = BackgroundWorker(services.library)
        app.state.visits = SiteVisits(services.library)
        app.state.engine_trials = EngineTrials()
        app.state.websockets = OpenWebSockets(settings.websocket.connections)
        if worker:
            app.state.working.start()
        warming = WarmUp(services)
        if warm:
            warming.start()
        yield
        if server_file:
            remove_server_file(settings, server_file)
        await close_streams(app)
        await app.state.visits.stop()
        await app.state.calibrating.stop()
        await anyio.to_thread.run_sync(warming.stop)
        await anyio.to_thread.run_sync(app.state.working.stop)
        await services.models.close()
        services.close()

    # FastAPI's own docs page loads scripts from the internet; ours needs no network.
    app = FastAPI(
        title="Pincite",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=RESPONSES,
    )
    app.add_middleware(GuardMiddleware, settings=settings.server, uploads=("/api/documents", "/api/locate"))
    app.state.server_file = server_file
    app.state.settings = settings
    register_error_handlers(app)
    describe = app.openapi
    app.openapi = lambda: complete_schema(describe(), progress_routes.CARRIED)  # type: ignore[method-assign]
    app.include_router(locate_routes.router(settings))
    for module in (
        chat_routes,
        gallery_routes,
        conversation_routes,
        progress_routes,
        documented,
        content_routes,
        structure_routes,
        passage_routes,
        find_routes,
        library_routes,
        persona_routes,
        model_routes,
        settings_routes,
        user_settings_routes,
        judge_routes,
        project_path_routes,
        project_routes,
        command_line_routes,
        websocket_route,
    ):
        app.include_router(module.router())

    page = Path(settings.server.page or ui_files.BUILT)
    if ui_files.is_built(page):
        app.include_router(ui_files.router(page))
    else:

        @app.head("/", include_in_schema=False)
        @app.get("/", response_class=HTMLResponse, include_in_schema=False)
        def home() -> str:
            return built_in_pages.render_home()

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def docs() -> str:
        return built_in_pages.render_docs(app.openapi())

    @app.head("/health", include_in_schema=False)
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """Check that the server process responds."""
        return {"status": "ok", "version": __version__}

    @app.get("/ready", tags=["operations"])
    def ready(request: Request) -> dict[str, str | int]:
        """Check that the database responds. `waiting` is the number of queued steps."""
        library: Library = request.app.state.library
        with library.database.reading() as connection:
            return {"status": "ready", "waiting": job_queue.count_pending(connection).total}

    return app


async def close_streams(app: FastAPI) -> None:
    """Stop and store running answers, and end all event streams, so that connections can be closed."""
    app.state.working.leave()
    app.state.websockets.leave()
    await app.state.conversations.close()
    await app.state.websockets.close()


def run_server(app: FastAPI, listener: socket) -> None:
    """Serve on a socket until Ctrl-C."""
    from pincite.server.server_process import Server

    Server(app).run(sockets=[listener])
