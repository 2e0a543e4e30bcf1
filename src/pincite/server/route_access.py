"""Say for each route what its caller needs: nothing, an account, or a scope. A route without an entry needs `admin`.

Access to a single document, conversation or library is checked in the query that reads it, not here.
"""

import re
from functools import cache
from typing import Literal

from starlette.routing import compile_path

from pincite.accounts.principal import AccessScope
from pincite.server.ui_files import FILES, VIEWS

# `public`: everybody. `account`: a signed-in person, a guest or a token, whatever its scopes.
RouteAccess = Literal["public", "account"] | AccessScope

ROUTE_ACCESS: dict[tuple[str, str], RouteAccess] = {
    # The page itself holds no data: it asks the API.
    **{("GET", path): "public" for path in (*VIEWS, *FILES)},
    ("GET", "/docs"): "public",
    ("GET", "/openapi.json"): "public",
    ("GET", "/health"): "public",
    ("GET", "/ready"): "public",
    ("GET", "/metrics"): "public",  # `server/watchers.py` decides, as telemetry.metrics asks
    ("GET", "/ws"): "public",  # a connection identifies itself with its first message
    # The file of the server's secret, which only its user can read, protects these.
    ("GET", "/api/command/hello"): "public",
    ("POST", "/api/command/ask"): "public",
    ("POST", "/api/command/stop"): "public",
    ("POST", "/api/command/search"): "public",
    # Signing in. Without a session, these say so themselves.
    ("GET", "/api/account"): "public",
    ("POST", "/api/account/sign-in"): "public",
    ("POST", "/api/account/sign-out"): "public",
    ("POST", "/api/account/guest"): "public",
    ("POST", "/api/account/invitation"): "public",
    ("POST", "/api/account/join"): "public",
    ("POST", "/api/account/reset"): "public",
    ("GET", "/api/account/openid"): "public",
    ("GET", "/api/accounts/openid/return"): "public",
    # One's own account: a guest has one too, and `check_self_or_owner` refuses tokens without `admin`.
    ("PUT", "/api/account/password"): "account",
    ("GET", "/api/account/sessions"): "account",
    ("DELETE", "/api/account/sessions"): "account",
    ("DELETE", "/api/account/sessions/{session}"): "account",
    ("GET", "/api/account/tokens"): "account",
    ("POST", "/api/account/tokens"): "account",
    ("DELETE", "/api/account/tokens/{token}"): "account",
    ("POST", "/api/chat"): "ask",
    ("POST", "/api/search"): "ask",
    ("POST", "/api/conversations/{conversation}/stop"): "ask",
    ("POST", "/api/conversations/{conversation}/results"): "ask",
    ("GET", "/api/conversations"): "read",
    ("GET", "/api/conversations/{conversation}"): "read",
    ("PATCH", "/api/conversations/{conversation}"): "ask",
    ("DELETE", "/api/conversations/{conversation}"): "ask",
    ("GET", "/api/conversations/{conversation}/events"): "read",
    ("GET", "/api/conversations/{conversation}/export"): "read",
    ("POST", "/api/messages/{message}/choose"): "ask",
    ("POST", "/api/messages/{message}/rating"): "ask",
    ("DELETE", "/api/messages/{message}/rating"): "ask",
    ("GET", "/api/messages/{message}/media/{n}"): "read",
    ("GET", "/api/documents"): "read",
    ("POST", "/api/documents"): "write",
    ("POST", "/api/samples"): "write",
    ("GET", "/api/tags"): "read",
    ("POST", "/api/documents/tags"): "write",
    ("POST", "/api/documents/move"): "write",
    ("GET", "/api/documents/events"): "read",
    ("GET", "/api/documents/{document}"): "read",
    ("PATCH", "/api/documents/{document}"): "write",
    ("DELETE", "/api/documents/{document}"): "write",
    ("POST", "/api/documents/{document}/cancel"): "write",
    ("POST", "/api/documents/{document}/retry"): "write",
    ("GET", "/api/documents/{document}/events"): "read",
    ("GET", "/api/documents/{document}/file"): "read",
    ("GET", "/api/documents/{document}/pages"): "read",
    ("GET", "/api/documents/{document}/pages/{number}"): "read",
    ("GET", "/api/documents/{document}/text"): "read",
    ("GET", "/api/documents/{document}/boxes"): "read",
    ("GET", "/api/documents/{document}/find"): "read",
    ("GET", "/api/documents/{document}/passages"): "read",
    ("GET", "/api/passages"): "read",
    ("GET", "/api/documents/{document}/blocks"): "read",
    ("GET", "/api/documents/{document}/outline"): "read",
    ("GET", "/api/documents/{document}/overview"): "read",
    ("GET", "/api/documents/{document}/slides/{number}"): "read",
    ("GET", "/api/documents/{document}/drawing"): "read",
    ("GET", "/api/documents/{document}/pictures/{number}"): "read",
    ("POST", "/api/locate"): "write",
    ("GET", "/api/libraries"): "read",
    ("GET", "/api/suggestions"): "read",
    ("GET", "/api/personas"): "read",
    ("POST", "/api/personas"): "write",
    ("GET", "/api/personas/{persona}"): "read",
    ("PUT", "/api/personas/{persona}"): "write",
    ("DELETE", "/api/personas/{persona}"): "write",
    ("GET", "/api/notebooks"): "read",
    ("POST", "/api/notebooks"): "ask",
    ("GET", "/api/notebooks/search"): "read",
    ("GET", "/api/notebooks/{notebook}"): "read",
    ("GET", "/api/notebooks/{notebook}/export"): "read",
    ("PATCH", "/api/notebooks/{notebook}"): "ask",
    ("DELETE", "/api/notebooks/{notebook}"): "ask",
    ("POST", "/api/notebooks/{notebook}/items"): "ask",
    ("PATCH", "/api/notebooks/{notebook}/items/{item}"): "ask",
    ("DELETE", "/api/notebooks/{notebook}/items/{item}"): "ask",
    # A person who may read a document may highlight it for themself.
    ("GET", "/api/annotations"): "read",
    ("GET", "/api/annotations/export"): "read",
    ("GET", "/api/documents/{document}/annotations"): "read",
    ("POST", "/api/documents/{document}/annotations"): "ask",
    ("PATCH", "/api/annotations/{annotation}"): "ask",
    ("DELETE", "/api/annotations/{annotation}"): "ask",
    ("GET", "/api/workspaces"): "read",
    ("POST", "/api/workspaces"): "write",
    ("GET", "/api/workspaces/{workspace}"): "read",
    ("PUT", "/api/workspaces/{workspace}"): "write",
    ("DELETE", "/api/workspaces/{workspace}"): "write",
    ("PUT", "/api/workspaces/{workspace}/conversations/{conversation}"): "write",
    ("DELETE", "/api/workspaces/{workspace}/conversations/{conversation}"): "write",
    ("PUT", "/api/workspaces/{workspace}/notebooks/{notebook}"): "write",
    ("DELETE", "/api/workspaces/{workspace}/notebooks/{notebook}"): "write",
    ("GET", "/api/models"): "read",
    ("POST", "/api/models/test"): "admin",
    ("GET", "/api/models/choices"): "read",
    # The server's own models and keys. It also sends requests to the addresses that are set.
    ("GET", "/api/models/setup"): "admin",
    ("GET", "/api/models/local"): "admin",
    ("PUT", "/api/models/providers/{provider}"): "admin",
    ("DELETE", "/api/models/providers/{provider}"): "admin",
    ("GET", "/api/models/providers/{provider}/models"): "admin",
    ("POST", "/api/models/try"): "admin",
    ("PUT", "/api/models/roles"): "admin",
    ("POST", "/api/models/added"): "admin",
    ("DELETE", "/api/models/added"): "admin",
    ("GET", "/api/judge"): "read",
    ("POST", "/api/judge/calibrate"): "admin",
    ("GET", "/api/settings"): "read",
    # The server sends requests to the address that is set, which may be one of its own network.
    ("PUT", "/api/settings"): "admin",
    ("POST", "/api/settings/search/test"): "admin",
    ("GET", "/api/usage"): "read",
    # People of the server: owners only.
    ("GET", "/api/people"): "admin",
    ("GET", "/api/people/usage"): "admin",
    ("PATCH", "/api/people/{person}"): "admin",
    ("DELETE", "/api/people/{person}"): "admin",
    ("POST", "/api/people/{person}/reset"): "admin",
    ("PUT", "/api/people/{person}/quota"): "admin",
    ("DELETE", "/api/people/{person}/quota"): "admin",
    ("GET", "/api/people/{person}/sessions"): "admin",
    ("DELETE", "/api/people/{person}/sessions"): "admin",
    ("GET", "/api/people/{person}/tokens"): "admin",
    ("DELETE", "/api/people/{person}/tokens/{token}"): "admin",
    ("GET", "/api/invitations"): "admin",
    ("POST", "/api/invitations"): "admin",
    ("DELETE", "/api/invitations/{invitation}"): "admin",
    ("GET", "/api/groups"): "admin",
    ("POST", "/api/groups"): "admin",
    ("PATCH", "/api/groups/{group}"): "admin",
    ("DELETE", "/api/groups/{group}"): "admin",
    ("PUT", "/api/groups/{group}/members/{person}"): "admin",
    ("DELETE", "/api/groups/{group}/members/{person}"): "admin",
    ("GET", "/api/audit"): "admin",
    ("GET", "/api/audit/export"): "admin",
    ("GET", "/api/directory"): "read",
    ("GET", "/api/libraries/{library:path}/shares"): "read",
    ("POST", "/api/libraries/{library:path}/shares"): "write",
    ("DELETE", "/api/libraries/{library:path}/shares/{share}"): "write",
    ("GET", "/api/conversations/{conversation}/links"): "read",
    ("POST", "/api/conversations/{conversation}/links"): "write",
    ("DELETE", "/api/conversations/{conversation}/links/{link}"): "write",
    ("POST", "/api/shared-conversation"): "public",  # the secret of the link protects it
    ("GET", "/api/account/export"): "account",
    ("DELETE", "/api/account"): "account",
    ("GET", "/api/account/referral"): "account",
    ("POST", "/api/account/referral"): "account",
    # Folders of the server's machine.
    ("GET", "/api/projects"): "admin",
    ("GET", "/api/projects/{project}/tree"): "admin",
    ("GET", "/api/projects/{project}/files"): "admin",
    ("GET", "/api/projects/{project}/paths"): "admin",
    ("GET", "/api/projects/{project}/search"): "admin",
    ("POST", "/api/projects/{project}/apply"): "admin",
    ("POST", "/api/projects/{project}/undo"): "admin",
    ("GET", "/api/projects/{project}/changes"): "admin",
}


def find_route_access(method: str, path: str) -> RouteAccess:
    """Return what the caller of a path needs. The first route that matches decides, as in the application."""
    found = _find_route(method, path)
    return ROUTE_ACCESS[found] if found else "admin"


def find_route_template(method: str, path: str) -> str:
    """Return the path of the route that answers a request, with the names of its parameters; "" if there is none."""
    found = _find_route(method, path)
    return found[1] if found else ""


def _find_route(method: str, path: str) -> tuple[str, str] | None:
    method = "GET" if method == "HEAD" else method
    for pattern, template in _compile_patterns().get(method, ()):
        if pattern.match(path):
            return method, template
    return None


@cache
def _compile_patterns() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    patterns: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for method, path in ROUTE_ACCESS:
        patterns.setdefault(method, []).append((compile_path(path)[0], path))
    return patterns
