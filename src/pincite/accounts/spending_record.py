"""Record the requests of one answer to models and to the web, and refuse those that its credits do not pay for.

A request that runs holds the most that it can cost, so that requests in parallel cannot pass the limit together.
"""

import math
from dataclasses import dataclass

from pincite.accounts.credit_prices import WEB, Spending, find_price, price_spending
from pincite.errors import Forbidden, LimitReached
from pincite.settings_quota import QuotaSettings
from pincite.store.credits import CREDIT

_LEAST_OUTPUT = 100  # tokens of a reply without which a request is not worth its cost


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A running request: the credits that it holds, and the most tokens of its reply if that must be limited."""

    number: int
    model: str
    most_output: int | None


class SpendingRecord:
    """The requests of one answer. `limit` is the most that they may cost, in millionths of a credit."""

    def __init__(self, quota: QuotaSettings | None = None) -> None:
        self.limit: int | None = None
        self._quota = quota or QuotaSettings()
        self._spent: dict[str, Spending] = {}
        self._held: dict[int, int] = {}  # by the number of a running request
        self._begun = 0

    @property
    def amount(self) -> int:
        """The cost of all requests that have ended."""
        return sum(booking.amount for booking in price_spending(self._quota, self._spent.values()))

    @property
    def left(self) -> int | None:
        """The credits that are neither spent nor held by a running request; None without a limit."""
        return None if self.limit is None else self.limit - self.amount - sum(self._held.values())

    def list_spendings(self) -> list[Spending]:
        """Return the requests by model, those to the web as a model of their own."""
        return list(self._spent.values())

    def open_request(self, model: str, input_tokens: int) -> OpenRequest:
        """Begin a request that sends so many tokens; raise `LimitReached` if the credits do not pay for it."""
        self._begun += 1
        left = self.left
        if left is None:
            return OpenRequest(self._begun, model, None)
        price = find_price(self._quota, model)
        sent = math.ceil(input_tokens * price.input + CREDIT * price.request)
        usual = max(self._quota.request_tokens - input_tokens, _LEAST_OUTPUT)
        affordable = usual if not price.output else math.floor((left - sent) / price.output)
        if sent > left or affordable < _LEAST_OUTPUT:
            raise LimitReached(
                "The credits that were reserved for this answer are used up.",
                "Ask for less at once, or ask again.",
                "credits",
            )
        self._held[self._begun] = sent + math.ceil(min(usual, affordable) * price.output)
        return OpenRequest(self._begun, model, affordable if affordable < usual else None)

    def close_request(self, opened: OpenRequest, input_tokens: int, output_tokens: int) -> None:
        """Record the tokens of a request that has ended, also of one that failed."""
        self._held.pop(opened.number, None)
        self._add(Spending(opened.model, input_tokens, output_tokens, 1))

    def take_web_request(self) -> None:
        """Record a request to the web; raise `Forbidden` if the credits do not pay for it."""
        left = self.left
        if left is not None and math.ceil(CREDIT * self._quota.web_request_credits) > left:
            raise Forbidden(
                "The credits that were reserved for this answer do not pay for another request to the web.",
                "Answer from the evidence that was found.",
                "credits",
            )
        self._add(Spending(WEB, requests=1))

    def _add(self, given: Spending) -> None:
        known = self._spent.get(given.model, Spending(given.model))
        self._spent[given.model] = Spending(
            given.model,
            known.input_tokens + given.input_tokens,
            known.output_tokens + given.output_tokens,
            known.requests + given.requests,
        )
