"""A task that waits for news of a conversation is woken by them, and by no others."""

import asyncio
import gc

from pincite.conversations.notifications import Notifications
from tests.clock import PATIENCE


def test_those_who_wait_for_a_conversation_are_woken_together_and_once() -> None:
    notifications = Notifications()
    one, other, elsewhere = (notifications.listen(name) for name in ("a", "a", "b"))
    notifications.notify("a")
    assert (one.is_set(), other.is_set(), elsewhere.is_set()) == (True, True, False)
    assert not notifications.listen("a").is_set()


def test_news_between_looking_and_waiting_are_not_missed() -> None:
    async def look_then_wait() -> None:
        notifications = Notifications()
        news = notifications.listen("a")
        notifications.notify("a")  # while the conversation is read
        await asyncio.wait_for(news.wait(), timeout=PATIENCE)

    asyncio.run(look_then_wait())


def test_at_the_end_everybody_is_woken() -> None:
    notifications = Notifications()
    waiting = [notifications.listen(name) for name in ("a", "b", "c")]
    notifications.notify_all()
    assert all(each.is_set() for each in waiting)


def test_a_conversation_that_nobody_waits_for_takes_no_memory() -> None:
    notifications = Notifications()
    for number in range(100):
        notifications.listen(f"{number}")
    kept = notifications.listen("kept")
    gc.collect()
    assert list(notifications._waiting) == ["kept"]
    assert not kept.is_set()
