"""Start Firefox for Playwright, as its executable: `bidi.py FIREFOX_ARGUMENTS`.

Playwright drives Firefox over WebDriver BiDi. This proxy forwards the messages with two changes: a command that Firefox
ESR lacks succeeds without effect, and in contexts with the header `TOUCH` mouse actions become touches, because
Playwright has no touch over BiDi.
"""

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

PROGRAM = "firefox-esr"
READY = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
UNKNOWN = "emulation.setMediaFeaturesOverride"
TOUCH = "X-Touch"


class Touching:
    """Converts mouse actions into touches in user contexts with a touch screen."""

    def __init__(self) -> None:
        self._users: set[str] = set()
        self._user_of: dict[str, str] = {}

    def note(self, told: dict[str, Any]) -> None:
        """Record a new window's user context."""
        if told.get("method") == "browsingContext.contextCreated":
            self._user_of[told["params"]["context"]] = told["params"]["userContext"]

    def translate(self, asked: dict[str, Any]) -> None:
        """Strip the header from a command, or turn its mouse pointer into a touch."""
        given = asked["params"]
        if asked["method"] == "network.setExtraHeaders":
            if any(header["name"] == TOUCH for header in given["headers"]):
                self._users.update(given.get("userContexts", ()))
            given["headers"] = [header for header in given["headers"] if header["name"] != TOUCH]
        elif asked["method"] == "input.performActions" and self._user_of.get(given["context"]) in self._users:
            for source in given["actions"]:
                if source["type"] == "pointer":
                    source.update(id="finger", parameters={"pointerType": "touch"})


async def main() -> None:
    """Run Firefox until it exits."""
    firefox = await asyncio.create_subprocess_exec(PROGRAM, *sys.argv[1:], stderr=PIPE)
    assert firefox.stderr is not None
    while not (found := READY.search((await firefox.stderr.readline()).decode())):
        if firefox.stderr.at_eof():
            return
    address = found[1]

    async def forward(playwright: ServerConnection) -> None:
        assert playwright.request is not None
        touching = Touching()
        async with connect(address + playwright.request.path, max_size=None, compression=None) as browser:

            async def to_browser() -> None:
                async for text in playwright:
                    asked = json.loads(text)
                    touching.translate(asked)
                    if asked["method"] == UNKNOWN:
                        await playwright.send(json.dumps({"type": "success", "id": asked["id"], "result": {}}))
                    else:
                        await browser.send(json.dumps(asked))
                await browser.close()

            async def to_playwright() -> None:
                async for text in browser:
                    touching.note(json.loads(text))
                    await playwright.send(text)
                await playwright.close()

            await asyncio.gather(to_browser(), to_playwright())

    async with serve(forward, "127.0.0.1", 0, max_size=None, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"WebDriver BiDi listening on ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
        while await firefox.stderr.readline():
            pass
        await firefox.wait()


if __name__ == "__main__":
    asyncio.run(main())
