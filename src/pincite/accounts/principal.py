"""The person or program on whose behalf a request runs, and what it may do."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from pincite.errors import Denied, Misuse
from pincite.store.people import Role

AccessScope = Literal["read", "ask", "write", "admin"]

ROLES: tuple[Role, ...] = get_args(Role)
SCOPES: tuple[AccessScope, ...] = get_args(AccessScope)
ALL_SCOPES = frozenset(SCOPES)

_SCOPES_OF_ROLES: dict[Role, frozenset[AccessScope]] = {
    "owner": ALL_SCOPES,
    "member": frozenset[AccessScope](("read", "ask", "write")),
    "guest": frozenset[AccessScope](("read", "ask")),
}


@dataclass(frozen=True, slots=True)
class Principal:
    """A person's id and role, the scopes of this request, and the id of the session or token that carried it.

    An empty `user` is the person at the terminal of the server, where no account is needed.
    """

    user: str
    role: Role
    scopes: frozenset[AccessScope]
    session: str = ""
    token: str = ""

    def check_scope(self, scope: AccessScope) -> None:
        """Raise `Denied` if the request has not the scope."""
        if scope not in self.scopes:
            raise Denied(
                f"This request needs the scope `{scope}`.",
                "Use a token that has it, or sign in with an account that may do this.",
                "scope",
                {"scope": scope},
            )


# A command on the machine of the server: anybody who can run it can open the database as well.
TERMINAL = Principal("", "owner", ALL_SCOPES)


def list_scopes(role: Role) -> frozenset[AccessScope]:
    """Return all that a role may do."""
    return _SCOPES_OF_ROLES[role]


def parse_role(given: str) -> Role:
    """Return the role with this name; raise `Misuse` if there is none."""
    for role in ROLES:
        if role == given.strip().lower():
            return role
    raise Misuse(f"There is no role {given!r}.", f"The roles are {', '.join(ROLES)}.", "role")


def parse_scopes(given: Iterable[str]) -> frozenset[AccessScope]:
    """Return the scopes with these names; raise `Misuse` for an unknown name, or if there is none at all."""
    names = {name.strip().lower() for name in given} - {""}
    found = frozenset(scope for scope in SCOPES if scope in names)
    if unknown := sorted(names - found):
        raise Misuse(f"There is no scope {unknown[0]!r}.", f"The scopes are {', '.join(SCOPES)}.", "scope")
    if not found:
        raise Misuse("A token needs at least one scope.", f"The scopes are {', '.join(SCOPES)}.", "scope")
    return found
