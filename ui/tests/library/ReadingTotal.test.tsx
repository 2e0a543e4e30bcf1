import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadingTotal } from "../../src/library/ReadingTotal";
import { uploadQueue } from "../../src/library/uploadQueue";
import { type Drawn, drawn } from "../conversation/render";

const { fetched, sent } = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return { fetched, sent: [] as ((outcome: string) => void)[] };
});
vi.mock("../../src/library/upload", () => ({
  uploadFile: () =>
    new Promise((resolve) => sent.push((outcome) => resolve({ id: `d${sent.length}-${Math.random()}`, outcome }))),
}));

let waiting = 0;
let page: Drawn;
const files = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ file: new File(["x"], `${at}.pdf`), folder: "" }));
const told = () => page.page.querySelector("[role=status]")?.textContent;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

/** The next file has arrived at the server, which lists it at once. */
async function arrive(outcome = "new"): Promise<void> {
  if (outcome === "new") waiting += 1;
  const answer = sent.shift();
  await act(async () => answer?.(outcome));
}

beforeEach(() => {
  vi.useFakeTimers();
  waiting = 0;
  fetched.mockImplementation(async () => Response.json({ documents: [], total: waiting, next: null }));
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
  waiting = 3;
  act(() => uploadQueue.dismissKnown());
  await pass(800);
  expect(told()).toContain("2 of 5 documents done");
});

test("a file that the library has already is done when it was sent", async () => {
  act(() => uploadQueue.enqueue(files(3)));
  await arrive("known");
  expect(told()).toBe("1 of 3 documents done");
});
