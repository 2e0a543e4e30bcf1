"""Start a Firefox and relay between it and Playwright, over WebDriver BiDi.

Playwright sends a command for preferred colours with every page that it opens. Firefox 153 does not know it yet, and
Playwright gives up at its error. So the relay answers this one command itself. All else passes unchanged.
"""

import asyncio
import json
import re
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

_UNKNOWN = "emulation.setMediaFeaturesOverride"


async def relay(*command: str) -> int:
    """Run Firefox with a relay before it until it ends; its exit status."""
    firefox = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr
    address = await _read_address(firefox.stderr)

    async def pass_on(playwright: ServerConnection) -> None:
        async with connect(f"{address}/session", max_size=None, compression=None) as behind:

            async def pass_back() -> None:
                async for message in behind:
                    await playwright.send(message)

            passing_back = asyncio.create_task(pass_back())
            async for message in playwright:
                command = json.loads(message)
                if command["method"] == _UNKNOWN:
                    await playwright.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
                else:
                    await behind.send(message)
            passing_back.cancel()

    async with serve(pass_on, "127.0.0.1", 0, max_size=None, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        print(f"WebDriver BiDi listening on ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
        async for _ in firefox.stderr:
            pass  # Firefox stands still when nobody reads what it says
        return await firefox.wait()


async def _read_address(said: asyncio.StreamReader) -> str:
    lines = []
    async for line in said:
        lines.append(line.decode())
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", lines[-1]):
            return found[1]
    raise SystemExit("".join(lines))


if __name__ == "__main__":
    sys.exit(asyncio.run(relay(*sys.argv[1:])))
