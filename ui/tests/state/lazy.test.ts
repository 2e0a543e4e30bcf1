import { expect, test, vi } from "vitest";
import { createLazy } from "../../src/state/lazy";

test("a value is loaded once, and only when it is needed", async () => {
  const load = vi.fn(async () => 7);
  const lazy = createLazy(load);
  expect(load).not.toHaveBeenCalled();
  expect(await Promise.all([lazy(), lazy()])).toEqual([7, 7]);
  expect(load).toHaveBeenCalledOnce();
});

test("a load that failed is tried again", async () => {
  const load = vi.fn(async () => 7).mockRejectedValueOnce(new Error("offline"));
  const lazy = createLazy(load);
  await expect(lazy()).rejects.toThrow("offline");
  expect(await lazy()).toBe(7);
});
