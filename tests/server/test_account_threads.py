import threading
from functools import partial

import anyio
import anyio.to_thread
import pytest

from pincite.accounts.passwords import PasswordHashing
from pincite.server.account_threads import AccountThreads
from tests.accounts.conftest import PASSWORD
from tests.clock import PATIENCE
from tests.server.team import HASHING

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_two_hundred_sign_ins_hash_two_at_a_time_and_hold_up_nothing_else() -> None:
    threads, lock = AccountThreads(HASHING), threading.Lock()
    at_once, most, done = 0, 0, 0

    def hash(barrier: threading.Event, hashing: PasswordHashing) -> None:
        nonlocal at_once, most, done
        with lock:
            at_once += 1
            most = max(most, at_once)
        barrier.wait()
        assert hashing.verify_password(hashing.hash_password(PASSWORD), PASSWORD)
        with lock:
            at_once -= 1
            done += 1

    barrier = threading.Event()
    async with anyio.create_task_group() as group:
        for _ in range(200):
            group.start_soon(threads.run_hashing, partial(hash, barrier))
        try:
            with anyio.fail_after(PATIENCE):
                while at_once < 2:
                    await anyio.sleep(0.01)
                # The threads of other requests are free, though no hash is ready.
                assert await anyio.to_thread.run_sync(lambda: done) == 0
                assert await threads.run_issuer_request(lambda: "asked") == "asked"
        finally:
            barrier.set()
    assert (done, most) == (200, 2)
