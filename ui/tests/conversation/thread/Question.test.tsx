import { act } from "react";
import { expect, test } from "vitest";
import { Question } from "../../../src/conversation/thread/Question";
import { drawn } from "../render";

test("a long question is folded, by its characters or its lines, and a short one has nothing to unfold", () => {
  const asked = (text: string) => drawn(<Question text={text} later={0} isLocked={false} onAsk={() => {}} />);
  for (const [text, isFolded] of [
    ["Where?", false],
    ["a ".repeat(700), true],
    ["a\n".repeat(20), true],
  ] as const) {
    const { page, leave } = asked(text);
    expect(page.querySelector("h2")?.hasAttribute("data-folded")).toBe(isFolded);
    const button = page.querySelector<HTMLButtonElement>(".question-fold");
    expect(button !== null).toBe(isFolded);
    act(() => button?.click());
    expect(page.querySelector("h2")?.hasAttribute("data-folded")).toBe(false);
    expect(page.querySelector("h2")?.textContent).toBe(text);
    leave();
  }
});
