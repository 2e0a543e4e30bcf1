"""Pay for one answer: reserve credits with its question, and book its cost in the transaction that ends it."""

import logging
from collections.abc import Callable, Sequence

from pincite import events
from pincite.accounts import quota
from pincite.accounts.audit import Caller
from pincite.accounts.credit_prices import WEB, AnswerLimits, Spending, make_answer_price, price_spending, to_credits
from pincite.accounts.principal import ALL_SCOPES, Principal
from pincite.accounts.quota_accounts import QuotaAccount, find_account
from pincite.answer.budget import Budget
from pincite.answer.context import Context
from pincite.llm.providers import name_judge
from pincite.settings import Settings
from pincite.settings_quota import QuotaSettings
from pincite.store import credits
from pincite.store.credits import Reservation
from pincite.store.group_commit import Transaction
from pincite.store.messages import MessageOutcome

log = logging.getLogger(__name__)


class AnswerPayment:
    """The payment of one answer. `holder` is the process that answers, and `clock` tells the time of the day.

    Where nothing is limited, in the local mode, nothing is reserved, and the cost is booked at the end.
    """

    def __init__(
        self, context: Context, caller: Caller | None, message: str, holder: str, clock: Callable[[], float]
    ) -> None:
        settings = context.services.settings
        self._context = context
        self._quota = settings.quota
        self._caller = caller or make_local_caller(context.asked.scope.owner)
        self._message = message
        self._holder = holder
        self._clock = clock
        self._reservation: Reservation | None = None
        self._granted: Budget | None = None

    def reserve(self, connection: Transaction) -> None:
        """Reserve the most that the answer can cost, or what is left; raise `QuotaReached` if that is too little."""
        now, limits = self._clock(), _find_limits(self._context)
        account = self._find_account(connection, now)
        price = make_answer_price(self._quota, _list_models(self._context), _count_web_requests(self._context))
        self._reservation, granted = quota.reserve_answer(
            connection, self._quota, account, limits, price, now, self._holder, id=self._message
        )
        # A unit without a price is not limited: the record of spending stops the answer where its credits end.
        self._granted = Budget(
            granted.requests if price.request else limits.requests,
            granted.tool_calls if price.tool_call else limits.tool_calls,
            granted.tokens + price.spare_tokens if price.token else limits.tokens,
        )

    def grant(self) -> None:
        """Limit the answer to what was reserved. The transaction that reserved it is committed."""
        if self._reservation:
            self._context.spending.limit = self._reservation.amount
            self._context.meter.granted = self._granted

    def settle(self, connection: Transaction, ended: MessageOutcome | None) -> list[events.QuotaWarning]:
        """Book the cost of the answer, once, and return the warnings that are due now."""
        spent = self._context.spending.list_spendings() or (list_reported(ended) if ended else [])
        if not has_cost(self._quota, spent):
            if self._reservation:
                quota.release(connection, self._reservation)
            return []
        now = self._clock()
        if self._reservation:
            done = quota.settle(connection, self._quota, self._reservation, spent, now)
            role = self._reservation.role
        else:
            account = self._find_account(connection, now)
            done = quota.book(connection, self._quota, account, spent, now, self._holder, id=self._message)
            role = account.role
        return make_warnings(connection, self._quota, done, self._message, role)

    def _find_account(self, connection: Transaction, now: float) -> QuotaAccount:
        return find_account(connection, self._caller.principal, self._caller.address, quota.get_month(now))


def make_local_caller(owner: str) -> Caller:
    """Return the caller of a question that names none: the one person of this program."""
    return Caller(Principal(owner, "owner", ALL_SCOPES))


def needs_reservation(settings: Settings) -> bool:
    """Return whether credits are reserved: for people of a team, and for the local owner where a limit is set."""
    given = settings.quota
    limits = (given.owner_credits, given.server_credits, given.answer_credits)
    return settings.accounts.mode != "local" or any(limit is not None for limit in limits)


def has_cost(given: QuotaSettings, spent: Sequence[Spending]) -> bool:
    """Return whether there is something to book: a cost, or tokens of a model that costs nothing."""
    return any(
        booking.amount or booking.input_tokens or booking.output_tokens or booking.model == WEB
        for booking in price_spending(given, spent)
    )


def list_reported(ended: MessageOutcome) -> list[Spending]:
    """Return the requests that an answer reports. An answer without requests by model reports those of its writer."""
    usage = events.Usage.model_validate(ended.answer.get("usage", {}))
    spent = [Spending(each.model, each.input_tokens, each.output_tokens, each.requests) for each in usage.models]
    if not spent:
        spent = [Spending(ended.model, ended.input_tokens, ended.output_tokens, ended.requests)]
    return [*spent, *([Spending(WEB, requests=usage.web_requests)] if usage.web_requests else [])]


def settle_abandoned(
    connection: Transaction, given: QuotaSettings, message: str, ended: MessageOutcome, now: float
) -> None:
    """Book the cost of an answer whose writer is gone, as far as its events tell it, and give back the rest."""
    reservation = credits.find_reservation(connection, message)
    if reservation is None:
        return
    spent = list_reported(ended)
    if has_cost(given, spent):
        quota.settle(connection, given, reservation, spent, now)
    else:
        quota.release(connection, reservation)


def make_warnings(
    connection: Transaction, given: QuotaSettings, done: quota.Settlement, message: str, role: str
) -> list[events.QuotaWarning]:
    """Return the warnings of a settlement. Only owners are told about the server; its log has that warning too."""
    if not (done.warnings or done.server_warnings):
        return []
    reservation = credits.get_reservation(connection, message)
    month, found = reservation.month, []
    if done.warnings:
        own = quota.find_allowance(connection, given, QuotaAccount(reservation.account, reservation.role), month)
        found.append(_make_warning("person", max(done.warnings), own, month))
    if done.server_warnings:
        server = quota.find_server_allowance(connection, given, month)
        warning = _make_warning("server", max(done.server_warnings), server, month)
        log.warning("%d %% of the credits of this server are spent in %s.", warning.percent, month)
        found += [warning] if role == "owner" else []
    return found


def _make_warning(scope: str, percent: int, allowance: quota.Allowance, month: str) -> events.QuotaWarning:
    return events.QuotaWarning(
        scope="server" if scope == "server" else "person",
        percent=percent,
        used=to_credits(allowance.balance.spent),
        limit=to_credits(allowance.amount or 0),
        resets=quota.get_reset_day(month).isoformat(),
    )


def _find_limits(context: Context) -> AnswerLimits:
    """Return the limits of the longest way in which a question may be answered."""
    settings, asked = context.services.settings, context.asked
    own, more = settings.models, settings.research
    if asked.focus != "research" and (asked.has_project or not more.subagents):
        return AnswerLimits(own.requests, own.tool_calls, own.tokens)
    return AnswerLimits(
        max(own.requests, more.requests), max(own.tool_calls, more.tool_calls), max(own.tokens, more.tokens)
    )


def _list_models(context: Context) -> list[str]:
    """Return the names of all models that a question may ask."""
    models = context.models
    chat, system = models.chat.name, models.system.name if models.system else ""
    judge = name_judge(context.judge, chat, system)
    return [name for name in dict.fromkeys((chat, system, judge or "")) if name]


def _count_web_requests(context: Context) -> int:
    """Return the requests to the web of one tool call: a search and its pages."""
    asked = context.asked
    if not asked.web or asked.focus in ("documents", "chat"):
        return 0
    return 1 + context.services.settings.web.pages
