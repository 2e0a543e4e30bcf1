import { expect, test } from "vitest";
import { KeyboardShortcuts } from "../../src/app/KeyboardShortcuts";
import { drawn } from "../conversation/render";

test("Escape goes from the question to the last answer, not to a page of the source beside it", () => {
  const { page, leave } = drawn(
    <>
      <main>
        <article id="first" />
        <article id="last" />
        <textarea id="ask" />
      </main>
      <aside>
        <article id="sheet" />
      </aside>
      <KeyboardShortcuts />
    </>,
  );
  const ask = page.querySelector<HTMLElement>("#ask");
  ask?.focus();
  ask?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  expect(document.activeElement?.id).toBe("last");
  leave();
});
