import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Answer, ClientResult } from "../../../src/api/types";
import { ContinueCall } from "../../../src/conversation/changes/ContinueCall";
import { conversationStore } from "../../../src/conversation/conversationStore";
import type { Turn } from "../../../src/conversation/turns";
import { answerOf, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

type State = NonNullable<Answer["progress"]>["state"];

function turn(state: State, isCalled: boolean, status: ClientResult["status"] | null = null): Turn {
  const progress = { state, reason: "Two cases are left.", turn: 1, most: 5 };
  return {
    ...turnOf(told([["", "One case is done."]])),
    answer: { ...answerOf([]), progress },
    calls: isCalled ? [{ id: "k1", tool: "continue", arguments: {} }] : [],
    results: status ? [{ call: "k1", tool: "continue", status, message: "", files: [], images: [] }] : [],
  };
}

let shown: Drawn;

function show(given: Turn, canContinue = true): string[] {
  shown = drawn(<ContinueCall turn={given} canContinue={canContinue} />);
  return [...shown.page.querySelectorAll("button")].map((each) => each.textContent ?? "");
}

afterEach(() => {
  shown.leave();
  vi.restoreAllMocks();
});

test.each([
  ["Go on", "continue"],
  ["Stop", "stop"],
] as const)("work that is not finished asks, and %s answers it", async (name, status) => {
  const report = vi.spyOn(conversationStore, "report").mockResolvedValue();
  expect(show(turn("unfinished", true))).toEqual(["Go on", "Stop"]);
  expect(shown.page.textContent).toContain("The work is not finished. Two cases are left. (turn 1 of at most 5)");
  const pressed = [...shown.page.querySelectorAll("button")].find((each) => each.textContent === name);
  await act(async () => pressed?.click());
  expect(report).toHaveBeenCalledExactlyOnceWith({ call: "k1", status });
});

test("an earlier answer, or one that was answered elsewhere, asks no more", () => {
  expect(show(turn("unfinished", true), false)).toEqual([]);
  shown.leave();
  expect(show(turn("unfinished", true, "stop"))).toEqual([]);
  expect(shown.page.textContent).toContain("You stopped the work here.");
  shown.leave();
  show(turn("unfinished", true, "continue"));
  expect(shown.page.textContent).toBe("");
});

test("work that turned in circles or made no progress says so; work that is done says nothing", () => {
  show(turn("looping", false));
  expect(shown.page.textContent).toContain("The same steps were repeated");
  shown.leave();
  show(turn("stalled", false));
  expect(shown.page.textContent).toContain("no more progress");
  shown.leave();
  show(turn("satisfied", false));
  expect(shown.page.textContent).toBe("");
});
