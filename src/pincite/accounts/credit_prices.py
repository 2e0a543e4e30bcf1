"""Price requests in credits, and turn the credits of an answer into limits of requests, tool calls and tokens.

Amounts are integers in millionths of a credit. A cost is rounded down and a reservation up, so that an answer within
its limits never costs more than was reserved for it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from fractions import Fraction

from pincite.settings_quota import PriceSettings, QuotaSettings
from pincite.store.credits import CREDIT, Booking

WEB = "web"  # stands for a model in the bookings of requests to the web
_FREE = ("extractive", "")  # answers without a language model
# A credit for 1000 tokens.
_USUAL = PriceSettings(input=1000, output=1000)


@dataclass(frozen=True, slots=True)
class Spending:
    """The requests of an answer to one model, or to the web if the model is `WEB`."""

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """The most requests to models, tool calls and tokens of one answer, named as in `answer.budget.Budget`."""

    requests: int
    tool_calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class AnswerPrice:
    """The highest price of each unit of an answer, in millionths of a credit.

    `spare_tokens` are paid beyond the limit of tokens: a request that passes the limit is finished.
    """

    token: Fraction
    request: Fraction
    tool_call: Fraction
    spare_tokens: int

    def price_limits(self, limits: AnswerLimits) -> int:
        """Return the most that an answer within these limits can cost."""
        return math.ceil(
            (limits.tokens + self.spare_tokens) * self.token
            + limits.requests * self.request
            + limits.tool_calls * self.tool_call
        )

    def make_least_limits(self, limits: AnswerLimits) -> AnswerLimits:
        """Return the smallest limits with which an answer can be written: one request and no tool calls."""
        return AnswerLimits(min(1, limits.requests), 0, min(self.spare_tokens, limits.tokens))

    def fit_limits(self, limits: AnswerLimits, amount: int) -> AnswerLimits:
        """Return limits, none larger than the given ones, that cost no more than an amount.

        Raise `ValueError` if the amount is smaller than the price of the least limits.
        """
        least = self.make_least_limits(limits)
        lowest, highest = self.price_limits(least), self.price_limits(limits)
        if amount >= highest:
            return limits
        if amount < lowest:
            raise ValueError("The amount is too small for one request.")
        share = Fraction(amount - lowest, highest - lowest)
        fitted = AnswerLimits(
            least.requests + math.floor((limits.requests - least.requests) * share),
            math.floor(limits.tool_calls * share),
            least.tokens + math.floor((limits.tokens - least.tokens) * share),
        )
        # Rounding the requests and tool calls down may have left credits for some more tokens.
        rest = amount - self.price_limits(fitted)
        if self.token and rest > 0:
            more = math.floor(rest / self.token)
            fitted = replace(fitted, tokens=min(fitted.tokens + more, limits.tokens))
        return fitted


def find_price(quota: QuotaSettings, model: str) -> PriceSettings:
    """Return the price of a model: under its own name, else of the longest pattern that matches, else the usual one.

    People name the model of a question, and many servers ignore case: another spelling has the same price.
    """
    if model == WEB:
        return PriceSettings(request=quota.web_request_credits)
    if model in quota.prices:
        return quota.prices[model]
    matching = [pattern for pattern in quota.prices if fnmatchcase(model.lower(), pattern.lower())]
    if matching:
        return quota.prices[max(matching, key=lambda pattern: (len(pattern), pattern))]
    return PriceSettings() if model in _FREE else _USUAL


def price_spending(quota: QuotaSettings, spendings: Iterable[Spending]) -> list[Booking]:
    """Return the bookings of an answer: one for each model."""
    bookings: dict[str, Spending] = {}
    for given in spendings:
        known = bookings.get(given.model, Spending(given.model))
        bookings[given.model] = Spending(
            given.model,
            known.input_tokens + given.input_tokens,
            known.output_tokens + given.output_tokens,
            known.requests + given.requests,
        )
    return [
        Booking(each.model, _price(quota, each), each.input_tokens, each.output_tokens, each.requests)
        for each in bookings.values()
    ]


def make_answer_price(
    quota: QuotaSettings, models: Sequence[str], web_requests_per_call: int = 0, parallel: int = 1
) -> AnswerPrice:
    """Return the highest price of each unit of an answer by these models.

    `parallel` is the number of requests that may run at once when the limit is passed.
    """
    prices = [find_price(quota, model) for model in models]
    return AnswerPrice(
        # Credits for a million tokens are millionths of a credit for one token.
        token=max((_as_fraction(max(price.input, price.output)) for price in prices), default=Fraction(0)),
        request=max((_as_fraction(price.request) * CREDIT for price in prices), default=Fraction(0)),
        tool_call=_as_fraction(quota.web_request_credits) * CREDIT * web_requests_per_call,
        spare_tokens=quota.request_tokens * parallel,
    )


def to_amount(credits: float) -> int:
    """Return credits in millionths."""
    return round(_as_fraction(credits) * CREDIT)


def to_credits(amount: int) -> float:
    """Return an amount in credits, with three digits."""
    return round(amount / CREDIT, 3)


def format_credits(amount: int) -> str:
    """Return an amount in credits as a person reads it, with at most two digits."""
    return f"{amount / CREDIT:.2f}".rstrip("0").rstrip(".")


def _price(quota: QuotaSettings, spending: Spending) -> int:
    price = find_price(quota, spending.model)
    return math.floor(
        spending.input_tokens * _as_fraction(price.input)
        + spending.output_tokens * _as_fraction(price.output)
        + spending.requests * _as_fraction(price.request) * CREDIT
    )


def _as_fraction(number: float) -> Fraction:
    # By its decimal digits, as it stands in the settings.
    return Fraction(str(number))
