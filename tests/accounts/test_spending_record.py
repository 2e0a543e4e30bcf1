"""An answer records each of its requests once, and makes none that its credits do not pay for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.credit_prices import WEB, Spending
from pincite.accounts.spending_record import OpenRequest, SpendingRecord
from pincite.errors import Forbidden, LimitReached
from pincite.settings_quota import PriceSettings, QuotaSettings
from pincite.store.credits import CREDIT

MODEL, FREE = "test:model", "test:free"
QUOTA = QuotaSettings(web_request_credits=0.5, request_tokens=2000, prices={FREE: PriceSettings()})


def test_requests_are_summed_up_by_model_and_those_to_the_web_beside_them() -> None:
    record = SpendingRecord(QUOTA)
    for sent, received in ((100, 20), (300, 5)):
        record.close_request(record.open_request(MODEL, 90), sent, received)
    record.close_request(record.open_request(FREE, 10), 10, 10)
    record.take_web_request()
    record.take_web_request()
    assert sorted(record.list_spendings(), key=lambda spent: spent.model) == [
        Spending(FREE, 10, 10, 1),
        Spending(MODEL, 400, 25, 2),
        Spending(WEB, requests=2),
    ]
    assert record.amount == 1_425_000


def test_without_a_limit_every_request_is_made() -> None:
    record = SpendingRecord(QUOTA)
    assert record.open_request(MODEL, 10**9).most_output is None
    assert record.left is None


def test_a_reply_is_limited_to_the_tokens_that_are_paid_for() -> None:
    record = SpendingRecord(QUOTA)
    record.limit = 1 * CREDIT
    assert record.open_request(MODEL, 400).most_output == 600
    with pytest.raises(LimitReached) as refused:
        record.open_request(MODEL, 1)
    assert refused.value.reason == "credits"


def test_a_request_that_runs_holds_its_credits_and_gives_back_the_rest() -> None:
    record = SpendingRecord(QUOTA)
    record.limit = 3 * CREDIT
    first = record.open_request(MODEL, 1000)  # it may receive 1000
    assert (first.most_output, record.left) == (None, 1 * CREDIT)
    assert record.open_request(MODEL, 500).most_output == 500
    record.close_request(first, 900, 100)
    assert record.left == 1 * CREDIT


def test_the_web_is_closed_when_the_credits_are_spent() -> None:
    record = SpendingRecord(QUOTA)
    record.limit = CREDIT
    record.take_web_request()
    record.take_web_request()
    with pytest.raises(Forbidden, match="another request to the web"):
        record.take_web_request()
    assert record.list_spendings() == [Spending(WEB, requests=2)]


@given(
    limit=st.integers(0, 20),
    steps=st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000), st.booleans()), max_size=30),
)
def test_whatever_is_asked_at_once_nothing_is_spent_beyond_the_limit(
    limit: int, steps: list[tuple[int, int, bool]]
) -> None:
    """Where a request sends what was announced, and its reply is as long as it may be at most."""
    record = SpendingRecord(QUOTA)
    record.limit = limit * CREDIT
    running: list[tuple[OpenRequest, int]] = []
    for sent, received, is_waiting in steps:
        try:
            opened = record.open_request(MODEL, sent)
        except LimitReached:
            continue
        most = max(QUOTA.request_tokens - sent, 100) if opened.most_output is None else opened.most_output
        if is_waiting:
            running.append((opened, sent))
        else:
            record.close_request(opened, sent, min(received, most))
    for opened, sent in running:
        most = max(QUOTA.request_tokens - sent, 100) if opened.most_output is None else opened.most_output
        record.close_request(opened, sent, most)
    assert record.amount <= record.limit
