import { expect, test } from "vitest";
import { getFollowLimit } from "../../../src/conversation/thread/useFollowEnd";

/** A thread whose last exchange begins at 900. */
function makeThread(inside: string): { view: HTMLElement; content: HTMLElement } {
  const view = document.createElement("div");
  view.innerHTML = `<div><article class="exchange"></article><article class="exchange">${inside}</article><ul class="follow-ups"></ul></div>`;
  const content = view.firstElementChild as HTMLElement;
  Object.defineProperty(content.children[1], "offsetTop", { value: 900 });
  return { view, content };
}

test("an answer of passages is not followed below its question, also when suggested questions stand below it", () => {
  const { view, content } = makeThread('<div class="passages"></div>');
  expect(getFollowLimit(view, content)).toBe(868);
});

test("an answer of prose is followed to its end", () => {
  const { view, content } = makeThread('<div class="answer"></div>');
  expect(getFollowLimit(view, content)).toBe(Number.POSITIVE_INFINITY);
});
