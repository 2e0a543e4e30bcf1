import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadingTotal } from "../../src/library/ReadingTotal";
import { uploadQueue } from "../../src/library/uploadQueue";
import { type Drawn, drawn } from "../conversation/render";

const { fetched, sent } = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return { fetched, sent: [] as { name: string; answer: (id: string, outcome: string) => void }[] };
});
vi.mock("../../src/library/upload", () => ({
  uploadFile: (file: File, _options: object, _progress: object, stop: AbortSignal) =>
    new Promise((resolve, reject) => {
      stop.addEventListener("abort", reject);
      sent.push({ name: file.name, answer: (id, outcome) => resolve({ id, outcome }) });
    }),
}));

let waiting: { id: string; name: string }[] = [];
let page: Drawn;
const files = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ file: new File(["x"], `${at}.pdf`), folder: "" }));
const told = () => page.page.querySelector("[role=status]")?.textContent;
/** Time passes, and then the server's replies are read, which takes real time. */
const pass = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    for (let at = 0; at < 20; at++) await new Promise(setImmediate);
  });

/** The next file has arrived at the server, which lists it before the upload is answered. */
async function arrive(outcome = "new"): Promise<void> {
  const next = sent.shift();
  if (!next) throw new Error("No file is being sent.");
  const id = `id of ${next.name}`;
  if (outcome === "new") waiting = [{ id, name: next.name }, ...waiting];
  await pass(900);
  await act(async () => next.answer(id, outcome));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  waiting = [];
  fetched.mockImplementation(async () => Response.json({ documents: waiting, total: waiting.length, next: null }));
  page = drawn(<ReadingTotal />);
});
afterEach(() => {
  page.leave();
  uploadQueue.clear();
  sent.length = 0;
  vi.useRealTimers();
});

test("a file that was sent is not done before it was read, and is counted once", async () => {
  act(() => uploadQueue.enqueue(files(5)));
  expect(told()).toBe("0 of 5 documents done");
  for (let at = 0; at < 5; at++) {
    await arrive();
    expect(told()).toBe("0 of 5 documents done");
    await pass(400);
    expect(told()).toBe("0 of 5 documents done");
  }
  await pass(1500);
  expect(told()).toBe("0 of 5 documents done");
  waiting = waiting.slice(0, 3);
  act(() => uploadQueue.dismissKnown());
  await pass(800);
  expect(told()).toContain("2 of 5 documents done");
});

test("a file that the library has already is done when it was sent", async () => {
  act(() => uploadQueue.enqueue(files(3)));
  await arrive("known");
  expect(told()).toBe("1 of 3 documents done");
});
