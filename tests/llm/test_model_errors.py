"""The message about a model that fails says what happened and what to do, and never has a key."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import exceptions as framework
from tests import wires
from tests.llm.test_providers import KEY
from tests.llm.test_retrying import SDKS, ask
from tests.thorough import keep_some

from pincite.errors import LimitReached, ModelError, NotFound
from pincite.llm.model_errors import explain_error, redact_reply
from pincite.llm.model_roles import Models
from pincite.llm.providers import Provider, find_provider
from pincite.settings import load_settings

OPENAI = Provider("openai", "openai", "https://api.openai.com/v1", 120, "connection", KEY, ("OPENAI_API_KEY",))


def http(status: int, body: object = None, **more: Any) -> framework.ModelHTTPError:
    return framework.ModelHTTPError(status, "gpt-5", body, **more)


@pytest.mark.parametrize(
    ("error", "said", "todo"),
    [
        (http(401, {"message": "no"}), "does not accept the key", "OPENAI_API_KEY or providers.openai.key"),
        (http(403), "does not accept the key", "providers.openai.key"),
        (http(404, {"message": "no such model"}), "does not have the model `gpt-5`", "Check the model's name"),
        (http(404, suggested_model_id="gpt-6"), "does not have the model", "Did you mean `gpt-6`?"),
        (http(429, {"message": "slow down"}), "limits how much may be asked: slow down", "in a moment"),
        (http(429, headers={"Retry-After": "7"}), "limits how much", "Ask again in 7 seconds"),
        (http(500), "is in trouble (500)", "another model"),
        (http(529, {"error": {"message": "busy"}}), "is in trouble (529): busy", "another model"),
        (http(504), "did not answer within 120 seconds", "providers.openai.timeout"),
        (http(400, "it does not support tools"), "refused the request (400)", 'add "*gpt-5*" to models.without_tools'),
        (http(422, [{"error": {"message": "odd"}}]), "refused the request (422): odd", "Check the model's name"),
        (framework.ModelConnectionError("gpt-5", "refused"), "cannot be reached at https", "Check the network"),
        (framework.ModelTimeoutError("gpt-5", "x", phase="read"), "did not answer within", "timeout longer"),
        (framework.ModelTimeoutError("gpt-5", "x", phase="connect"), "cannot be reached", "Check the network"),
        (framework.ModelContextWindowExceededError("gpt-5", "x"), "too long for the model openai:gpt-5", "larger"),
        (
            framework.ModelHTTPError.for_category(framework.ModelQuotaExceededError, status_code=429, model_name="m"),
            "nothing left to spend",
            "Top it up",
        ),
        (framework.ContentFilterError("filtered"), "will not answer this", "other words"),
        (framework.UnexpectedModelBehavior("nonsense"), "failed: nonsense", "Ask again"),
        (framework.UserError("wrongly used"), "failed: UserError: wrongly used", "another model"),
    ],
)
def test_a_failure_says_what_happened_and_what_to_do(error: Exception, said: str, todo: str) -> None:
    told = explain_error(error, OPENAI, "gpt-5")
    assert isinstance(told, ModelError)
    assert said in told.message
    assert todo in told.hint
    # Where nothing is known of the provider, there is still something to say.
    alone = explain_error(error)
    assert alone.message[0].isupper()
    assert alone.hint


@pytest.mark.parametrize(
    ("said", "setting"),
    [
        ("The next request would exceed the request_limit of 12", "requests"),
        ("The next tool call(s) would exceed the tool_calls_limit of 24 (tool_calls=25).", "tool_calls"),
        ("Exceeded the total_tokens_limit of 10 (total_tokens=11)", "tokens"),
    ],
)
def test_a_limit_of_the_question_names_its_setting_and_that_of_a_report(said: str, setting: str) -> None:
    told = explain_error(framework.UsageLimitExceeded(said))
    assert isinstance(told, LimitReached)
    assert f"models.{setting};" in told.hint
    assert f"research.{setting}." in told.hint


def test_errors_of_ours_stay_as_they_are() -> None:
    error = NotFound("There is no such document.", "See `pincite documents`.")
    assert explain_error(error) is error


def test_a_model_that_is_not_on_this_machine_is_to_be_pulled() -> None:
    ollama = find_provider("ollama", load_settings(), {})
    assert "`ollama pull qwen3`" in explain_error(http(404), ollama, "qwen3").hint


@pytest.mark.parametrize("status", keep_some([400, 401, 403, 404, 429, 500], one_in=4))
@pytest.mark.parametrize("name", SDKS)
def test_a_key_that_a_provider_echoes_is_not_shown(name: str, status: int, caplog: pytest.LogCaptureFixture) -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}."}, "message": f"Your key {KEY} is wrong."}
    with (
        caplog.at_level("DEBUG"),
        wires.serving(wires.reply(status, body)) as wire,
        pytest.raises(ModelError) as caught,
    ):
        asyncio.run(ask(wire.url, name))
    error = caught.value
    assert KEY not in repr(error) + error.message + error.hint + caplog.text
    # Nothing that is logged with the error may hold it either.
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_an_object_that_holds_a_key_does_not_show_it() -> None:
    settings = load_settings(models={"chat": "openai:gpt-4.1"}, providers={"openai": {"key": KEY}})
    models = Models(settings, environment={})
    roles = models.roles()
    assert roles.chat.model
    assert KEY not in repr(
        (settings, find_provider("openai", settings, {}), models, roles, roles.chat.model, roles.chat.model.provider)
    )


def test_a_password_in_an_address_is_not_shown() -> None:
    mine = find_provider(
        "mine", load_settings(providers={"mine": {"url": "http://ann:hunter2@localhost:9/v1?key=hunter2"}}), {}
    )
    for error in (framework.ModelConnectionError("m", "x"), http(401), http(404), http(500)):
        told = explain_error(error, mine, "m")
        assert "hunter2" not in told.message + told.hint
    assert "http://localhost:9/v1" in explain_error(framework.ModelConnectionError("m", "x"), mine, "m").message


@given(st.text(), st.text(alphabet="abcdefABCDEF0123456789-_*", min_size=8, max_size=80), st.text())
def test_no_key_survives_whatever_is_said_around_it(before: str, key: str, after: str) -> None:
    provider = Provider("any", "openai", "http://localhost/v1", 1, "connection", key)
    shown = redact_reply(f"{before}{key}{after}", provider)
    assert key not in shown
    assert "\n" not in shown
    assert len(shown) <= 240


@pytest.mark.parametrize(
    "key", ["sk-proj-********abcd", "gsk_0123456789abcdef", "AIzaSyA-0123456789abcdefghij", "x" * 48]
)
def test_text_that_looks_like_a_key_is_taken_out_even_if_not_ours(key: str) -> None:
    assert key not in redact_reply(f"Incorrect API key provided: {key}. See the console.")
