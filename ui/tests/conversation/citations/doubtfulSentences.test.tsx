import { act } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stepDoubtful } from "../../../src/conversation/citations/doubtfulSentences";
import { EMPTY_CONVERSATION } from "../../../src/conversation/conversationState";
import { conversationStore } from "../../../src/conversation/conversationStore";
import { AnswerText } from "../../../src/conversation/thread/AnswerText";
import { VerdictSummary } from "../../../src/conversation/thread/VerdictSummary";
import { clearViewer, viewerStore } from "../../../src/viewer/viewerStore";
import { type Part, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

const PARTS: Part[] = [
  ["", "All is well.", [1], "verified"],
  [" ", "It is said twice.", [1, 2], "partial"],
  [" ", "It was in May.", [2], "contradicted"],
  [" ", "Nobody knows.", [], "unsupported"],
  [" ", "It may be.", [1], "unchecked"],
];
const turn = turnOf(told(PARTS));
let page: Drawn;

beforeEach(() => {
  HTMLElement.prototype.scrollIntoView = () => {};
  conversationStore.set({ ...EMPTY_CONVERSATION, id: "c1", thread: { turns: [turn], seq: 9 } });
  page = drawn(
    <main>
      <VerdictSummary turn={turn} />
      <AnswerText turn={turn} />
    </main>,
  );
});
afterEach(() => {
  page.leave();
  clearViewer();
  conversationStore.set(EMPTY_CONVERSATION);
});

function step(by: 1 | -1): string {
  act(() => stepDoubtful(by));
  return (document.activeElement as HTMLElement).closest<HTMLElement>("[data-form]")?.dataset.form ?? "";
}

test("steps go to each sentence that is not verified, once, and around", () => {
  expect([1, 1, 1, 1, 1].map(() => step(1))).toEqual([
    ...["partial", "contradicted", "unsupported", "unchecked", "partial"],
  ]);
  expect([1, 1].map(() => step(-1))).toEqual(["unchecked", "unsupported"]);
});

test("from a verified sentence, steps go to the next doubtful one or the one before", () => {
  const verified = page.page.querySelector<HTMLElement>(".chip[data-form=verified]");
  verified?.focus();
  expect(step(1)).toBe("partial");
  verified?.focus();
  expect(step(-1)).toBe("unchecked");
});

test("an open source follows to the cited words; a closed one stays closed", () => {
  step(1);
  expect(viewerStore.get().isOpen).toBe(false);
  viewerStore.set((now) => ({ ...now, isOpen: true }));
  step(1);
  expect(viewerStore.get()).toMatchObject({ chosenKey: "m1:2", document: "d1" });
});

test("a count in the summary leads to the sentences that it counts, and the verified ones lead nowhere", () => {
  const buttons = [...page.page.querySelectorAll<HTMLButtonElement>(".summary button")];
  expect(buttons.map((each) => each.textContent)).toEqual([
    ...["1 contradicted", "1 not found", "1 partly supported", "1 not checked"],
  ]);
  act(() => buttons[1]?.click());
  expect((document.activeElement as HTMLElement).dataset.form).toBe("unsupported");
});
