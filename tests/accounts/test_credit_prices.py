import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.credit_prices import (
    WEB,
    AnswerLimits,
    Spending,
    find_price,
    format_credits,
    make_answer_price,
    price_spending,
    to_amount,
    to_credits,
)
from pincite.settings_quota import PriceSettings, QuotaSettings
from pincite.store.credits import CREDIT

prices = st.builds(
    PriceSettings,
    input=st.floats(0, 5000, allow_nan=False),
    output=st.floats(0, 5000, allow_nan=False),
    request=st.floats(0, 5, allow_nan=False),
)
quotas = st.builds(
    QuotaSettings,
    prices=st.dictionaries(st.sampled_from(["a:one", "a:*", "b:two"]), prices),
    web_request_credits=st.floats(0, 2, allow_nan=False),
    request_tokens=st.integers(1, 20_000),
)
limits = st.builds(AnswerLimits, st.integers(1, 60), st.integers(0, 100), st.integers(0, 600_000))


def test_a_model_without_a_price_costs_a_credit_for_a_thousand_tokens() -> None:
    (booked,) = price_spending(QuotaSettings(), [Spending("openai:any", 1500, 500, 3)])
    assert (to_credits(booked.amount), booked.requests) == (2, 3)


def test_an_answer_without_a_model_is_free() -> None:
    assert price_spending(QuotaSettings(), [Spending("extractive", 0, 0, 0)])[0].amount == 0
    assert make_answer_price(QuotaSettings(), ["extractive"]).price_limits(AnswerLimits(12, 24, 200_000)) == 0


def test_a_price_counts_tokens_that_are_sent_and_received_and_requests() -> None:
    quota = QuotaSettings(prices={"m:x": PriceSettings(input=100, output=300, request=0.5)})
    (booked,) = price_spending(quota, [Spending("m:x", 1_000_000, 2_000_000, 4)])
    assert booked.amount == (100 + 600 + 2) * CREDIT


def test_the_own_name_of_a_model_beats_a_pattern_and_a_longer_pattern_a_shorter() -> None:
    named = {"m:*": 1, "m:large*": 2, "m:large-2": 3}
    quota = QuotaSettings(prices={name: PriceSettings(input=price) for name, price in named.items()})
    found = [find_price(quota, model).input for model in ("m:small", "m:large-1", "m:large-2", "other:large")]
    assert [find_price(quota, model).input for model in ("m:SMALL", "m:Large-1", "m:LARGE-2", "other:Large")] == found
    assert found == [1, 2, 3, 1000]


def test_requests_to_the_web_are_booked_on_their_own() -> None:
    quota = QuotaSettings(web_request_credits=0.25)
    booked = {each.model: each for each in price_spending(quota, [Spending("m:x", 1000), Spending(WEB, requests=6)])}
    assert (booked[WEB].amount, booked[WEB].requests) == (1_500_000, 6)
    assert booked["m:x"].amount == CREDIT


def test_requests_to_one_model_become_one_booking() -> None:
    booked = price_spending(QuotaSettings(), [Spending("m:x", 1, 2, 3), Spending("m:y"), Spending("m:x", 10, 20, 30)])
    assert [(each.model, each.input_tokens, each.output_tokens, each.requests) for each in booked] == [
        ("m:x", 11, 22, 33),
        ("m:y", 0, 0, 0),
    ]


@pytest.mark.parametrize(("credits", "said"), [(0, "0"), (12, "12"), (0.1, "0.1"), (1234.5, "1234.5"), (0.004, "0")])
def test_credits_are_written_with_as_few_digits_as_needed(credits: float, said: str) -> None:
    assert format_credits(to_amount(credits)) == said


@given(quotas, limits, st.integers(0, 10**10))
def test_fitted_limits_never_cost_more_than_the_amount_and_never_allow_more_than_before(
    quota: QuotaSettings, given_limits: AnswerLimits, extra: int
) -> None:
    price = make_answer_price(quota, ["a:one", "b:two"], web_requests_per_call=3)
    least = price.price_limits(price.make_least_limits(given_limits))
    amount = least + extra
    fitted = price.fit_limits(given_limits, amount)
    assert price.price_limits(fitted) <= amount
    assert 1 <= fitted.requests <= given_limits.requests
    assert 0 <= fitted.tool_calls <= given_limits.tool_calls
    assert 0 <= fitted.tokens <= given_limits.tokens


@given(quotas, limits, st.integers(0, 10**10), st.floats(0, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_an_answer_within_its_limits_costs_no_more_than_was_reserved(
    quota: QuotaSettings, given_limits: AnswerLimits, extra: int, sent: float, shared: float, last: int
) -> None:
    """Two models share the tokens, every tool call makes three requests, and the last request passes the limit."""
    price = make_answer_price(quota, ["a:one", "b:two"], web_requests_per_call=3)
    amount = price.price_limits(price.make_least_limits(given_limits)) + extra
    fitted = price.fit_limits(given_limits, amount)
    tokens = fitted.tokens + min(last, quota.request_tokens)
    first, requests = int(tokens * shared), int(fitted.requests * shared)
    second = tokens - first
    booked = price_spending(
        quota,
        [
            Spending("a:one", int(first * sent), first - int(first * sent), requests),
            Spending("b:two", int(second * sent), second - int(second * sent), fitted.requests - requests),
            Spending(WEB, requests=3 * fitted.tool_calls),
        ],
    )
    assert sum(each.amount for each in booked) <= amount


def test_an_amount_too_small_for_one_request_is_refused() -> None:
    price = make_answer_price(QuotaSettings(request_tokens=1000), ["m:x"])
    with pytest.raises(ValueError, match="too small"):
        price.fit_limits(AnswerLimits(12, 24, 200_000), 2 * CREDIT - 1)
    assert price.fit_limits(AnswerLimits(12, 24, 200_000), 2 * CREDIT) == AnswerLimits(1, 0, 1000)
