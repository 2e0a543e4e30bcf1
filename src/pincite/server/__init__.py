"""The HTTP door: `create_app` builds everything from the settings and passes it on."""

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
    about,
    chat,
    choosing,
    command_line,
    content,
    conversations,
    finding,
    gallery,
    holdings,
    interface,
    judge,
    locating,
    models,
    pages,
    passages,
    personas,
    progress,
    structure,
)
from pincite.server import documents as documented
from pincite.server.describing import described
from pincite.server.engine_trials import EngineTrials
from pincite.server.errors import RESPONSES, answer_errors
from pincite.server.guarding import Guarding
from pincite.server.visiting import Visits
from pincite.server.warming import Warming
from pincite.server.working import Working
from pincite.settings import Settings
from pincite.store import jobs
from pincite.store.scratch import sweep_scratch
from pincite.store.server_file import ServerFile, remove_server_file
from pincite.web.pictures import Pictures


def create_app(
    settings: Settings,
    worker: bool = False,
    answer: Answerer | None = None,
    warm: bool = False,
    server_file: ServerFile | None = None,
) -> FastAPI:
    """The application over one house; with a worker of its own if asked, and another way to answer if given.

    One that is to be warm loads what the first question needs before anybody asks it. With a `server_file`, commands
    of the same user may ask it in place of loading everything themselves.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        from pincite.agent.house import open_house
        from pincite.answers import answer as answered

        sweep_scratch(settings.data)
        app.state.house = house = open_house(settings)
        house.import_late_modules()
        app.state.library = house.library
        app.state.conversations = Conversations(house, answer or answered)
        await app.state.conversations.survey()
        app.state.pictures = Pictures(settings, house.library.web_parser)
        app.state.calibrating = judge.Calibrating(house)
        app.state.working = Working(house.library)
        app.state.visits = Visits(house.library)
        app.state.engine_trials = EngineTrials()
        if worker:
            app.state.working.start()
        warming = Warming(house)
        if warm:
            warming.start()
        yield
        if server_file:
            remove_server_file(settings, server_file)
        await leave(app)
        await app.state.visits.stop()
        await app.state.calibrating.stop()
        await anyio.to_thread.run_sync(warming.stop)
        await anyio.to_thread.run_sync(app.state.working.stop)
        await house.models.close()
        house.close()

    # The docs page that comes with FastAPI loads its scripts from outside; ours needs no network.
    app = FastAPI(
        title="Pincite",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=RESPONSES,
    )
    app.add_middleware(Guarding, settings=settings.server, uploads=("/api/documents", "/api/locate"))
    app.state.server_file = server_file
    answer_errors(app)
    describe = app.openapi
    app.openapi = lambda: described(describe(), progress.CARRIED)  # type: ignore[method-assign]
    app.include_router(locating.router(settings))
    for room in (
        chat,
        gallery,
        conversations,
        progress,
        documented,
        content,
        structure,
        passages,
        finding,
        holdings,
        personas,
        models,
        about,
        choosing,
        judge,
        command_line,
    ):
        app.include_router(room.router())

    page = Path(settings.server.page or interface.BUILT)
    if interface.is_built(page):
        app.include_router(interface.router(page))
    else:

        @app.head("/", include_in_schema=False)
        @app.get("/", response_class=HTMLResponse, include_in_schema=False)
        def home() -> str:
            return pages.home()

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def docs() -> str:
        return pages.docs(app.openapi())

    @app.head("/health", include_in_schema=False)
    @app.get("/health", tags=["operations"])
    async def health() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok", "version": __version__}

    @app.get("/ready", tags=["operations"])
    def ready(request: Request) -> dict[str, str | int]:
        """The database answers; how much work waits."""
        library: Library = request.app.state.library
        with library.database.reading() as connection:
            return {"status": "ready", "waiting": jobs.pending(connection).total}

    return app


async def leave(app: FastAPI) -> None:
    """Let everybody go who listens: answers are stopped and stored, streams end. Connections may be closed then."""
    app.state.working.leave()
    await app.state.conversations.close()


def run(app: FastAPI, listener: socket) -> None:
    """Serve on a socket until Ctrl-C."""
    from pincite.server.running import Server

    Server(app).run(sockets=[listener])
