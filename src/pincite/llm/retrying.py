"""Retry a model's request after a lost connection, but never once the answer has begun."""

import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any

import anyio
import httpx2
import stamina
from pydantic_ai import RunContext
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelTimeoutError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from pincite.llm.model_errors import (
    explain_error,
    make_broken_error,
    make_invalid_reply_error,
    make_unreachable_error,
    redact_reply,
)
from pincite.llm.providers import Provider

_log = logging.getLogger(__name__)
# Each try is logged here.
stamina.instrumentation.set_on_retry_hooks([])


class RetryingModel(WrapperModel):
    """Retries lost connections of a model, and raises its failures as `PinciteError`.

    With `retry_errors` it also retries the statuses 429 and 5xx, after the time that Retry-After names.
    """

    def __init__(
        self, wrapped: Model, provider: Provider, retries: int, deadline: float, retry_errors: bool = False
    ) -> None:
        super().__init__(wrapped)
        self._at = provider
        self._retries = retries
        self._deadline = deadline
        self._retry_errors = retry_errors

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        with self._told():
            async for attempt in self._list_attempts():
                with attempt, self._limit_time():
                    response = await self.wrapped.request(messages, model_settings, model_request_parameters)
        return response

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        with self._told():
            async with AsyncExitStack() as stack:
                async for attempt in self._list_attempts():
                    # After the first piece of a stream nothing is retried.
                    with attempt, self._limit_time():
                        response = await stack.enter_async_context(
                            self.wrapped.request_stream(messages, model_settings, model_request_parameters, run_context)
                        )
                with self._told(begun=True):
                    yield response

    def _list_attempts(self) -> AsyncIterator[Any]:
        ends = time.monotonic() + self._deadline
        return stamina.retry_context(
            on=lambda error: self.wait_before_retry(error, ends - time.monotonic()),
            attempts=self._retries + 1,
            timeout=self._deadline,
            wait_initial=0.2,
            wait_max=5,
            wait_jitter=0.2,
        ).__aiter__()

    def wait_before_retry(self, error: Exception, left: float) -> bool | float:
        """Return whether to retry, or after how many seconds; `left` seconds remain until the deadline."""
        late = isinstance(error, ModelTimeoutError) and error.phase not in ("connect", "pool")
        if self._retry_errors and _is_temporary(error):
            wait = error.retry_after if isinstance(error, ModelAPIError) else None
            why, worth = "refused for now", wait is None or wait < left
        else:
            why, wait = "no answer in time" if late else "connection lost", None
            worth = late if self._at.retry == "timeout" else isinstance(error, ModelConnectionError) and not late
        if worth:
            _log.info("%s:%s: %s", self._at.name, self.model_name, why)
        return wait if worth and wait else worth

    @contextmanager
    def _limit_time(self) -> Iterator[None]:
        # The SDKs' own time-outs restart with every byte, also with those that only keep the connection open.
        with anyio.move_on_after(self._at.timeout) as scope:
            yield
        if scope.cancelled_caught:
            raise ModelTimeoutError(self.model_name, "no answer in time", phase="read")

    @contextmanager
    def _told(self, begun: bool = False) -> Iterator[None]:
        try:
            yield
        except ModelAPIError as error:
            # Not chained: the provider's message may contain the key.
            raise explain_error(error, self._at, self.model_name, begun) from None
        except (OSError, EOFError, httpx2.HTTPError, httpx2.StreamError) as error:
            _log.info("%s:%s: %s", self._at.name, self.model_name, type(error).__name__)
            raise (make_broken_error if begun else make_unreachable_error)(self._at, self.model_name) from None
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The SDKs raise these when a server sends an unexpected reply.
            _log.info(
                "%s:%s: %s: %s",
                self._at.name,
                self.model_name,
                type(error).__name__,
                redact_reply(str(error), self._at),
            )
            raise make_invalid_reply_error(self._at, self.model_name) from None


def _is_temporary(error: Exception) -> bool:
    """Return whether a provider refused a request that it may accept later."""
    if not isinstance(error, ModelHTTPError) or isinstance(error, ModelQuotaExceededError):
        return False
    return error.status_code == 429 or error.status_code >= 500
