"""The route `/ws`: questions, answers and project actions over one WebSocket. docs/websocket.md describes it."""

from fastapi import APIRouter, Response, WebSocket

from pincite.server.error_responses import make_problem
from pincite.server.open_websockets import OpenWebSockets
from pincite.server.websocket_connection import WebSocketConnection


def router() -> APIRouter:
    """Return the route of WebSockets."""
    routes = APIRouter()

    @routes.websocket("/ws")
    async def websocket(socket: WebSocket) -> None:
        state = socket.app.state
        websockets: OpenWebSockets = state.websockets
        settings = state.services.settings.websocket
        connection = WebSocketConnection(
            socket, state.services, state.conversations, settings, state.caller_watch, state.rate_limits
        )
        await websockets.serve(socket, connection)

    @routes.get("/ws", include_in_schema=False)
    async def explain() -> Response:
        message, hint = "/ws takes WebSocket connections only.", "Open ws:// and the address of this server, then /ws."
        return make_problem(426, "http", message, hint, {"Connection": "Upgrade", "Upgrade": "websocket"})

    return routes
