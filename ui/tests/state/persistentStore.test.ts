import { afterEach, expect, test } from "vitest";
import { restoreDraft, restoreScope, saveDraft, scopeStore } from "../../src/conversation/composer/questionOptions";
import { createPersistentStore } from "../../src/state/persistentStore";

const NAMES = ["localStorage", "sessionStorage"] as const;
const before = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

afterEach(() => {
  for (const [name, own] of before) {
    if (own) Object.defineProperty(globalThis, name, own);
    else Reflect.deleteProperty(globalThis, name);
  }
});

function forbid(): void {
  for (const name of NAMES) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        throw new DOMException("Access is denied.", "SecurityError");
      },
    });
  }
}

test("a browser that forbids its storage shows the page all the same, and remembers for this visit", () => {
  forbid();
  const kept = createPersistentStore("width", 3);
  expect(kept.get()).toBe(3);
  kept.set(4);
  expect(kept.get()).toBe(4);
  saveDraft("c1", "How high?");
  expect(restoreDraft("c1")).toBe("");
  restoreScope("c1");
  expect(scopeStore.get()).toEqual([]);
});

test("what another tab changes is changed here, and what makes no sense is as at first", () => {
  const kept = createPersistentStore("width", 3);
  const changed = (newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "pincite.width", newValue }));
  changed("5");
  expect(kept.get()).toBe(5);
  changed("{");
  expect(kept.get()).toBe(3);
});
