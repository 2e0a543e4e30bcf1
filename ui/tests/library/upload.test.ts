import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem";
import { waitUntilSearchable } from "../../src/library/upload";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const progress = (status: string) => `event: progress\ndata: ${JSON.stringify({ document: "d1", status })}\n\n`;
let told: string[][] = [];
let document = {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  fetched.mockReset();
  fetched.mockImplementation(async (asked: string | Request) => {
    const path = typeof asked === "string" ? asked : new URL(asked.url).pathname;
    return path.endsWith("/events") ? new Response((told.shift() ?? []).join("")) : Response.json(document);
  });
  return () => vi.useRealTimers();
});

test("a document is waited for until it can be asked about, not until its vectors are made", async () => {
  told = [[progress("queued"), progress("reading"), progress("searchable"), progress("embedding")]];
  document = { id: "d1", status: "searchable" };
  expect(await waitUntilSearchable("d1")).toEqual(document);
});

test("a document that cannot be read is a problem with the code that says why", async () => {
  told = [[progress("failed")]];
  document = { id: "d1", status: "failed", error: "It needs a password.", error_code: "encrypted" };
  await expect(waitUntilSearchable("d1")).rejects.toMatchObject({ code: "encrypted", message: "It needs a password." });
});

test("a line that breaks is taken up again", async () => {
  told = [[progress("reading")], [progress("ready")]];
  const statuses = ["reading", "ready"];
  fetched.mockRejectedValueOnce(new TypeError("no line"));
  document = {
    get status() {
      return statuses.shift();
    },
  };
  const waited = waitUntilSearchable("d1");
  await vi.advanceTimersByTimeAsync(5000);
  expect((await waited).status).toBe("ready");
});

test("a document that is not there is not waited for", async () => {
  const error = { code: "not_found", message: "No such document.", hint: "" };
  fetched.mockResolvedValue(Response.json({ error }, { status: 404 }));
  await expect(waitUntilSearchable("d1")).rejects.toBeInstanceOf(Problem);
});

test("the wait ends when nobody waits any more", async () => {
  const line = new AbortController();
  fetched.mockRejectedValue(new TypeError("no line"));
  const waited = waitUntilSearchable("d1", line.signal);
  line.abort();
  const ended = expect(waited).rejects.toMatchObject({ name: "AbortError" });
  await vi.advanceTimersByTimeAsync(5000);
  await ended;
});
