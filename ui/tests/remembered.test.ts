import { afterEach, expect, test } from "vitest";
import { draftOf, enterScope, keepDraft, scope } from "../src/conversation/composing";
import { remembered } from "../src/remembered";

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
  const kept = remembered("width", 3);
  expect(kept.get()).toBe(3);
  kept.set(4);
  expect(kept.get()).toBe(4);
  keepDraft("c1", "How high?");
  expect(draftOf("c1")).toBe("");
  enterScope("c1");
  expect(scope.get()).toEqual([]);
});

test("what another tab changes is changed here, and what makes no sense is as at first", () => {
  const kept = remembered("width", 3);
  const changed = (newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event("storage"), { key: "pincite.width", newValue }));
  changed("5");
  expect(kept.get()).toBe(5);
  changed("{");
  expect(kept.get()).toBe(3);
});
