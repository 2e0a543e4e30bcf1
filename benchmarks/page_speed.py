"""Measure the page in a real browser: download size, time until usable, delay of answers, scrolling and memory.

    python benchmarks/page_speed.py [--pages 500] [--exchanges 60]

The server is a real one on this machine, with `extractive`. `Script` is the compressed size of the first page's script.
`Usable` is the time from the navigation to a question box that accepts input. `First words` is the time from the first
answer text that the page's script gets until the page has painted it, and until the browser says that it is on the
screen. The second question is asked at once, while the source of the first answer is still being drawn. `Scrolling`
scrolls through a PDF from end to end; a frame is late after 34 ms (two frames at 60 Hz). `Memory` is the script heap
after `--exchanges` questions in one conversation, about an hour of work, after a garbage collection.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from fpdf import FPDF
from playwright.sync_api import Browser, Page
from tests.browser.chrome import chromium
from tests.browser.script_sizes import measure_scripts
from tests.program import run, serving

from pincite.evaluate.machine_info import describe_machine
from pincite.server.ui_files import BUILT

_VISITS = 10
_LATE = 34  # ms
_FACTS = 60
_WARM = 10  # seconds

# Records when the first text of an answer reaches the page, when the page has painted it and when it is on the screen.
# A timer set in the frame would wait behind whatever else is due, and would count that as well. An answer that consists
# of passages has `data-answer` twice, so its exchange tells the answers apart.
_WATCH = """
window.seen = { turn: 0 };
const fetched = window.fetch;
window.fetch = async (...given) => {
  const response = await fetched(...given);
  if (!String(given[0]).includes("/api/chat") || !response.body) return response;
  const decoder = new TextDecoder();
  const noted = new TransformStream({
    transform(piece, out) {
      if (!seen.came && decoder.decode(piece, { stream: true }).includes("event: text")) seen.came = performance.now();
      out.enqueue(piece);
    },
  });
  return new Response(response.body.pipeThrough(noted), response);
};
new MutationObserver(() => {
  if (!seen.came || seen.shown) return;
  const answer = document.querySelectorAll("article.exchange")[seen.turn]?.querySelector("[data-answer]");
  for (const each of answer?.querySelectorAll("*") ?? []) each.setAttribute("elementtiming", `answer ${seen.turn}`);
}).observe(document, { childList: true, subtree: true, characterData: true });
new PerformanceObserver((list) => {
  const painted = list.getEntries().find(({ identifier }) => identifier === `answer ${seen.turn}`);
  if (painted && !seen.shown) Object.assign(seen, { painted: painted.paintTime, shown: painted.presentationTime });
}).observe({ type: "element" });
"""

_SCROLL = """
async ([selector, seconds]) => {
  const box = document.querySelector(selector);
  const frames = [];
  const begun = performance.now();
  const far = box.scrollHeight - box.clientHeight;
  let last = begun, most = 0;
  while (last - begun < seconds * 1000) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    box.scrollTop = far * Math.min(1, (now - begun) / (seconds * 1000));
    most = Math.max(most, document.querySelectorAll("canvas").length);
  }
  return { frames, most };
}
"""


def usable(browser: Browser, address: str) -> list[float]:
    """Return the milliseconds until the question box accepts input, each time with an empty browser cache."""
    times = []
    for _ in range(_VISITS):
        with browser.new_context() as context:
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(address, wait_until="commit")
            page.locator("#ask").fill("a")
            times.append((time.perf_counter() - begun) * 1000)
    return times


def first_words(browser: Browser, address: str, facts: list[str]) -> list[list[tuple[float, float]]]:
    """Return the milliseconds until the first text is painted and shown, for the three answers of each visit."""
    times: list[list[tuple[float, float]]] = [[], [], []]
    for place in range(0, 3 * _VISITS, 3):
        # What waits for a condition in the page is made of a string, which the page's policy forbids.
        with browser.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True) as context:
            context.add_init_script(_WATCH)
            page = context.new_page()
            page.goto(address)
            for turn, fact in enumerate(facts[place : place + 3]):
                page.evaluate("(turn) => { window.seen = { turn }; }", turn)
                ask(page, fact)
                page.wait_for_function("seen.shown", timeout=60_000)
                painted, shown = page.evaluate("[seen.painted - seen.came, seen.shown - seen.came]")
                times[turn].append((painted, shown))
                page.locator("article[data-state=done]").nth(turn).wait_for(timeout=60_000)
    return times


def ask(page: Page, question: str) -> None:
    page.locator("#ask").fill(question)
    page.keyboard.press("Enter")


def scrolled(browser: Browser, address: str, document: str, seconds: float) -> tuple[list[float], int]:
    """Return the duration of each frame while scrolling through a PDF, and the maximum number of canvases."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{address}/d/{document}")
        page.wait_for_selector("canvas")
        page.wait_for_timeout(1000)
        found = page.evaluate(_SCROLL, ["[data-scroller]", seconds])
    return found["frames"], found["most"]


def remembered(browser: Browser, address: str, facts: list[str], exchanges: int) -> tuple[float, float]:
    """Return the megabytes of the script heap after the first question and after the last."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.goto(address)
        sizes = []
        for number in range(exchanges):
            ask(page, facts[number % len(facts)])
            page.locator("article[data-state=done]").nth(number).wait_for(timeout=60_000)
            if number in (0, exchanges - 1):
                sizes.append(heap(page))
    return sizes[0], sizes[-1]


def heap(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def made(folder: Path, pages: int) -> tuple[Path, list[str]]:
    """Write a PDF with a fact on each of many pages. Return its path and questions about some facts."""
    pdf = FPDF(format="A4", unit="pt")
    pdf.set_font("helvetica", size=11)
    names = [f"Station {number}" for number in range(1, pages + 1)]
    for number, name in enumerate(names):
        pdf.add_page()
        for line in range(40):
            pdf.text(60, 60 + line * 18, f"{name} reported {number * 41 + line} measurements in its log number {line}.")
        pdf.text(60, 800, f"{name} was opened in {1900 + number % 100} by the harbour office.")
    path = folder / "stations.pdf"
    pdf.output(str(path))
    return path, [f"When was {name} opened by the harbour office?" for name in names[:_FACTS]]


def middle(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2]:.0f} / {ordered[int(len(ordered) * 0.95)]:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--exchanges", type=int, default=60)
    given = parser.parse_args()
    print(describe_machine())
    script, style, worker = measure_scripts(BUILT)
    print(f"Script {script / 1000:.0f} kB, style {style / 1000:.0f} kB, PDF worker {worker / 1000:.0f} kB, all packed")
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        data = Path(folder) / "data"
        path, facts = made(Path(folder), given.pages)
        added = run("add", path, "--json", data=data)
        document = json.loads(added.stdout.splitlines()[0])["document"]
        with serving(data) as address:
            time.sleep(_WARM)  # the server loads its models
            print(f"Usable, ms, p50 / p95 of {_VISITS}: {middle(usable(browser, address))}")
            for name, times in zip(("first", "second", "third"), first_words(browser, address, facts), strict=True):
                painted, shown = ([each[at] for each in times] for at in (0, 1))
                print(
                    f"First words of the {name} answer, ms, p50 / p95: painted {middle(painted)}, shown {middle(shown)}"
                )
            frames, most = scrolled(browser, address, document, 20)
            late = sum(frame > _LATE for frame in frames)
            print(
                f"Scrolling {given.pages} pages in 20 s, ms a frame, p50 / p95: {middle(frames)}; "
                f"{late} of {len(frames)} late; at most {most} canvases at once"
            )
            begun, ended = remembered(browser, address, facts, given.exchanges)
            print(f"Memory, MB: {begun:.1f} after the first question, {ended:.1f} after {given.exchanges}")


if __name__ == "__main__":
    main()
