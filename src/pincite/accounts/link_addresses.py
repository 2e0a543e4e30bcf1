"""Write the addresses of links with a secret and of the return from an OpenID issuer."""

from typing import Literal

from pincite.settings import Settings
from pincite.store.one_time_links import LinkKind

_PATHS: dict[LinkKind | Literal["conversation"], str] = {
    "invitation": "/join",
    "reset": "/reset",
    "conversation": "/shared",
}


def make_link_address(settings: Settings, kind: LinkKind | Literal["conversation"], secret: str) -> str:
    """Return the address of an invitation, a reset or a shared conversation.

    The secret stands after #, which browsers do not send: it is in no log of a server or a proxy.
    """
    return f"{get_server_address(settings)}{_PATHS[kind]}#{secret}"


def make_redirect_uri(settings: Settings) -> str:
    """Return the address to which an OpenID issuer sends people back. It is registered there."""
    return f"{get_server_address(settings)}/api/accounts/openid/return"


def get_server_address(settings: Settings) -> str:
    """Return the address at which people reach this server, without a slash at its end."""
    if settings.accounts.url:
        return settings.accounts.url.rstrip("/")
    host = f"[{settings.server.host}]" if ":" in settings.server.host else settings.server.host
    return f"http://{host}:{settings.server.port}"
