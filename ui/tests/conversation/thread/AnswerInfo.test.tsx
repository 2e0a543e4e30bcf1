import { afterEach, expect, test } from "vitest";
import type { SentItem } from "../../../src/api/types";
import { AnswerInfo } from "../../../src/conversation/thread/AnswerInfo";
import { answerOf, numbered, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

let shown: Drawn | null = null;
afterEach(() => shown?.leave());

const SENT: SentItem[] = [
  { kind: "search", value: "lake of Corvel", origin: null },
  { kind: "page", value: "https://example.org/lake?a=1", origin: "search" },
];

function drawnInfo(more: Parameters<typeof numbered>[0]): string[] {
  const turn = turnOf([...told([["", "One."]]).slice(0, 1), ...numbered(more, "m1", 10)]);
  shown = drawn(<AnswerInfo turn={turn} />);
  const names = [...shown.page.querySelectorAll("dt")];
  const row = names.find((each) => each.textContent === "Left this machine")?.nextElementSibling;
  expect(row?.querySelector("a")).toBeNull();
  return [...(row?.querySelectorAll("li") ?? [])]
    .map((each) => each.textContent ?? "")
    .concat(row?.querySelector("li") ? [] : [row?.textContent ?? ""]);
}

test("an answer says which addresses and searches left the machine, and opens none of them", () => {
  const answer = { type: "message_completed", data: { ...answerOf([["", "One."]]), sent: SENT } } as const;
  expect(drawnInfo([answer])).toEqual(["search “lake of Corvel”", "https://example.org/lake?a=1"]);
});

test("an answer that broke off still says what left before", () => {
  const left = SENT.map((data) => ({ type: "sent", data }) as const);
  const answer = { type: "message_completed", data: answerOf([["", "One."]]) } as const;
  expect(drawnInfo([...left, answer])).toEqual(["search “lake of Corvel”", "https://example.org/lake?a=1"]);
});

test("an answer for which nothing left says so, also one from before this was recorded", () => {
  const { sent: _, ...older } = answerOf([["", "One."]]);
  const answer = { type: "message_completed", data: older } as unknown as Parameters<typeof numbered>[0][number];
  expect(drawnInfo([answer])).toEqual(["nothing"]);
});
