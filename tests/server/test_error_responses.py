"""Errors are worded for clients of the HTTP interface from their codes."""

import pytest

from pincite.errors import (
    PASSWORD_NEEDED,
    PASSWORD_WRONG,
    Encrypted,
    LimitReached,
    Misuse,
    ModelError,
    Moved,
    NotFound,
    NotReady,
    PinciteError,
    WebError,
)
from pincite.events import describe_error
from pincite.server.error_responses import describe_trouble, find_wrong_field

PASSWORD = "Send it as `password`, or save a copy without one."


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (
            Encrypted("?", "Give it with --password.", PASSWORD_NEEDED),
            "Send it as `password`, or save a copy without one.",
        ),
        (
            Encrypted("?", "Give it with --password.", PASSWORD_WRONG),
            "Send it as `password`, or save a copy without one.",
        ),
        (NotFound("?", "`pincite documents` lists them.", "document"), "Check the id."),
        (NotReady("?", "`pincite worker` reads it.", "waiting"), "Ask again when it is searchable."),
        (NotFound("?", "Choose another.", "persona"), "Choose another."),
        (Misuse("?", "Send less."), "Send less."),
    ],
)
def test_a_hint_for_the_terminal_is_replaced_by_code_and_reason(error: PinciteError, hint: str) -> None:
    assert describe_trouble(error).hint == hint


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Misuse("No.", "Do."), {"code": "misuse"}),
        (ModelError("No.", "Do."), {"code": "model"}),
        (ModelError("No.", "Do.", "late"), {"code": "model", "reason": "late"}),
        (LimitReached("No.", "Do.", "tokens"), {"code": "limit", "reason": "tokens"}),
        (WebError("No.", "Do.", "status", 404), {"code": "web", "reason": "status", "params": {"status": 404}}),
        (WebError("No.", "Do.", "private", host="x"), {"code": "web", "reason": "private", "params": {"host": "x"}}),
    ],
)
def test_reason_and_parameters_are_left_out_where_there_are_none(error: PinciteError, told: dict[str, object]) -> None:
    expected = {"message": "No.", "hint": "Do.", **told}
    assert describe_trouble(error).model_dump() == expected
    assert describe_error(error).model_dump() == expected


def test_clients_are_not_told_the_address_of_the_database() -> None:
    error = Moved("postgresql://pincite@db.internal/pincite")
    assert "db.internal" in error.message  # for the person at the terminal
    for told in (describe_trouble(error), describe_error(error)):
        assert told.code == "moved"
        assert "db.internal" not in told.model_dump_json()
        assert "another database" in told.message


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"type": "value_error", "loc": ("body", "url")}, ("field", {"field": "url"})),
        ({"type": "string_too_short", "loc": ("body", "name"), "input": ""}, ("empty", {"field": "name"})),
        ({"type": "missing", "loc": ("body", "name")}, ("empty", {"field": "name"})),
        ({"type": "string_too_long", "loc": ("query", "words"), "input": "x"}, ("too_long", {"field": "words"})),
        ({"type": "int_parsing", "loc": ("body", "documents", 3)}, ("field", {"field": "documents"})),
        ({"type": "json_invalid", "loc": ("body", 3)}, ("", {})),
    ],
)
def test_the_error_of_a_field_names_it_for_a_page_that_calls_it_otherwise(
    error: dict[str, object], told: tuple[str, dict[str, str]]
) -> None:
    assert find_wrong_field([error]) == told
