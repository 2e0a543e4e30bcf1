"""Limits on the page: the monthly one says when it ends and what can be done, and what was asked is kept."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from pincite.accounts.quota import get_month, get_reset_day
from pincite.events import QuotaWarning
from tests.browser.barriers import serious
from tests.browser.conftest import Browse, start_server
from tests.browser.rooms import ask, complete, composer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.staging import Script, Telling
from tests.browser.teams import OWNER, TeamServer, open_team
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.test_accounts import sign_in
from tests.browser.watching import Watch
from tests.browser.words import say

QUESTION = "Who keeps the lighthouse?"
LIMIT, BONUS = 100, 50
PRICING, SUPPORT = "https://pricing.example/", "help@pincite.example"


@pytest.fixture(scope="session")
def limited(_speaker: Speaker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamServer]:
    """A team whose members have credits for a month, and a model that costs some."""
    quota = {
        "QUOTA__PERSON_CREDITS": str(LIMIT),
        "QUOTA__REFERRAL_CREDITS": str(BONUS),
        "QUOTA__PRICING_URL": PRICING,
        "QUOTA__SUPPORT_EMAIL": SUPPORT,
        "QUOTA__REFERRAL_URL": "https://pincite.example/join?code={code}",
    }
    with open_team(tmp_path_factory.mktemp("limited"), start_server, **quota, **_speaker.settings) as opened:
        yield opened


def code_of(team: TeamServer, name: str) -> str:
    return str(team.request(name, "GET", "/api/account/referral").json()["code"])


def redeem(page: Page, code: str) -> Locator:
    """Type a code on the page of the account and send it; the part of the page about referrals."""
    region = page.get_by_role("region", name=say("limits.referral.title"))
    region.get_by_label(say("limits.referral.given")).fill(code)
    region.get_by_role("button", name=say("limits.referral.redeem")).click()
    return region


def test_the_limit_says_when_it_ends_and_what_helps_and_a_code_lets_the_kept_question_be_asked(
    browse: Browse, limited: TeamServer, speaker: Speaker, watches: dict[Page, Watch]
) -> None:
    member = limited.add("Mia Limited")
    own, others = code_of(limited, member), code_of(limited, OWNER)
    limited.spend(member, LIMIT)
    page = sign_in(browse, limited, member)
    watches[page].expect("429", "40[0-9]")
    composer(page).fill(QUESTION)
    composer(page).press("Enter")
    told = page.get_by_role("alert")
    expect(told).to_contain_text(say("limits.title"))
    day = get_reset_day(get_month(datetime.now(UTC).timestamp()))
    expect(told).to_contain_text(say("limits.renewed", day=f"{day:%B} {day.day}, {day.year}"))
    expect(told.get_by_role("link", name=say("limits.pricing"))).to_have_attribute("href", PRICING)
    expect(told.get_by_role("link", name=SUPPORT)).to_have_attribute("href", f"mailto:{SUPPORT}")
    expect(told.get_by_label(say("limits.referral.copy"))).to_have_value(f"https://pincite.example/join?code={own}")
    expect(composer(page)).to_have_value(QUESTION)
    assert serious(page) == []

    page.goto("/account")
    expect(page.get_by_role("region", name=say("limits.usage"))).to_contain_text(like_start("limits.usage.over"))
    expect(redeem(page, own).get_by_role("alert")).to_contain_text(say("errors.referral.own_code"))
    expect(redeem(page, "NOSUCHCODE").get_by_role("alert")).to_contain_text(say("errors.referral.unknown_code"))
    region = redeem(page, others.lower())
    expect(region.get_by_role("status").last).to_have_text(say("limits.referral.done", credits=BONUS))
    expect(page.get_by_role("region", name=say("limits.usage"))).to_contain_text(
        say("people.credits", used=LIMIT, allowed=LIMIT + BONUS)
    )
    expect(redeem(page, others).get_by_role("alert")).to_contain_text(say("errors.referral.second_redemption"))

    page.goto("/")
    expect(composer(page)).to_have_value(QUESTION)
    speaker.will("The keeper is away.")
    complete(ask(page, QUESTION))


def like_start(key: str) -> str:
    """Return the text before the first value."""
    return say(key).split("{")[0]


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "wide"])
def test_the_account_shows_the_credits_to_everybody(
    browse: Browse, limited: TeamServer, viewport: dict[str, int]
) -> None:
    member = limited.add(f"Nils {viewport['width']}")
    limited.spend(member, 40)
    limited.spend(member, 25, months_ago=2)
    page = sign_in(browse, limited, member, "/account", viewport=viewport)
    region = page.get_by_role("region", name=say("limits.usage"))
    expect(region.get_by_role("meter")).to_have_attribute("aria-valuenow", "40")
    expect(region.get_by_role("table", name=say("limits.usage.months")).get_by_role("row")).to_have_count(6)
    expect(page.get_by_role("region", name=say("limits.referral.title"))).to_contain_text(
        say("limits.referral.count", n=0, limit=5)
    )
    assert serious(page) == []
    assert wide_as_the_window(page)


def test_a_warning_is_a_quiet_line_that_is_shown_once(browse: Browse, stage: Server, script: Script) -> None:
    page = browse(stage)
    composer(page).fill(QUESTION)
    composer(page).press("Enter")
    telling = Telling(script)
    telling.say("", "Nobody does.")
    script.tell(QuotaWarning(percent=50, used=50, limit=100, resets="2031-06-01"))
    telling.end()
    line = page.get_by_text(say("limits.warning.person", percent=50, day="June 1, 2031"))
    expect(line).to_be_visible()
    assert serious(page) == []
    page.reload()
    expect(page.get_by_role("heading", name=QUESTION, level=2)).to_be_visible()
    expect(page.get_by_text("Nobody does.")).to_be_visible()
    expect(line).to_have_count(0)


def test_too_many_questions_count_down_and_keep_the_question(
    browse: Browse, limited: TeamServer, watches: dict[Page, Watch]
) -> None:
    page = sign_in(browse, limited, limited.add("Olga Hasty"))
    watches[page].expect("429")
    error = {"code": "rate_limited", "message": "Slower.", "hint": "", "reason": "questions", "params": {"seconds": 2}}
    page.route("**/api/chat", lambda route: route.fulfill(status=429, json={"error": error}))
    composer(page).fill(QUESTION)
    composer(page).press("Enter")
    told = page.get_by_role("alert")
    again = told.get_by_role("button", name=say("conversation.again"))
    expect(again).to_be_disabled()
    expect(composer(page)).to_have_value(QUESTION)
    expect(told).to_contain_text(say("limits.rate.over"))
    expect(again).to_be_enabled()
