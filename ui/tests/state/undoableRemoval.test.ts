import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRemoval } from "../../src/state/undoableRemoval";

const { undo, toast } = vi.hoisted(() => {
  const undo = { run: () => undefined as undefined };
  const toast = vi.fn((_: string, action?: { run: () => undefined }) => {
    if (action) undo.run = action.run;
  });
  return { undo, toast };
});
vi.mock("../../src/components/toastStore", () => ({ showToast: toast }));

const fetched = vi.fn(async () => new Response(null, { status: 204 }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  fetched.mockClear();
});
afterEach(() => vi.useRealTimers());

const made = () => createRemoval((id) => `/api/things/${id}`);

test("what is removed is gone from the page at once and from the server only after a while", async () => {
  const things = made();
  things.remove(["a", "b"], "Two were removed.");
  expect([...things.gone.get()]).toEqual(["a", "b"]);
  expect(fetched).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetched.mock.calls.map(([path]: unknown[]) => path)).toEqual(["/api/things/a", "/api/things/b"]);
  expect(things.gone.get().size).toBe(2);
});

test("what is undone comes back and is never deleted", async () => {
  const things = made();
  things.remove(["a"], "Removed.");
  undo.run();
  await vi.advanceTimersByTimeAsync(10_000);
  window.dispatchEvent(new Event("pagehide"));
  expect(things.gone.get().size).toBe(0);
  expect(fetched).not.toHaveBeenCalled();
});

test("what comes anew while it is on its way out is shown again and not deleted; the rest goes", async () => {
  const things = made();
  things.remove(["a", "b"], "Two were removed.");
  things.keep("a");
  expect([...things.gone.get()]).toEqual(["b"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetched.mock.calls.map(([path]: unknown[]) => path)).toEqual(["/api/things/b"]);
});

test("leaving the page carries a removal out, once", async () => {
  made().remove(["a"], "Removed.");
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetched).toHaveBeenCalledExactlyOnceWith("/api/things/a", { method: "DELETE", keepalive: true });
});

test("what the server would not delete comes back, and why is said", async () => {
  const error = { code: "storage", message: "The disk refused.", hint: "" };
  fetched.mockResolvedValueOnce(Response.json({ error }, { status: 503 }) as Response);
  const things = made();
  things.remove(["a", "b"], "Removed.");
  await vi.advanceTimersByTimeAsync(10_000);
  expect([...things.gone.get()]).toEqual(["b"]);
  expect(toast).toHaveBeenCalledTimes(2);
});

test("what is deleted elsewhere already is no trouble", async () => {
  fetched.mockResolvedValueOnce(new Response(null, { status: 404 }));
  const things = made();
  things.remove(["a"], "Removed.");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(things.gone.get().size).toBe(1);
});
