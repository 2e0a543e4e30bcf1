import { act } from "react";
import { afterEach, expect, test } from "vitest";
import type { Medium } from "../../../src/api/types";
import { Exchange } from "../../../src/conversation/thread/Exchange";
import { answerOf, numbered, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

let shown: Drawn | null = null;
afterEach(() => shown?.leave());

function medium(n: number, more: Partial<Medium> = {}): Medium {
  return {
    ...{ n, kind: "image", url: `https://www.example.org/${n}`, title: `Dam ${n}`, length: null, source: "" },
    ...{ image: null, thumbnail: "https://elsewhere.example/small.png" },
    ...more,
  };
}

function gallery(media: Medium[], isDone = true): HTMLElement {
  const begun = told([["", "One."]]).slice(0, 1);
  const end = isDone
    ? ({ type: "message_completed", data: { ...answerOf([["", "One."]]), media } } as const)
    : ({ type: "media", data: { items: media } } as const);
  const turn = turnOf([...begun, ...numbered([end], "m1", 10)]);
  shown = drawn(<Exchange turn={turn} later={0} onAsk={() => {}} />);
  return shown.page;
}

test("pictures come from our own server alone, and are told to who cannot see them", () => {
  const page = gallery([medium(1), medium(2, { kind: "video", length: "4:05" })]);
  const pictures = [...page.querySelectorAll<HTMLImageElement>(".tile img")];
  expect(pictures.map((each) => each.getAttribute("src"))).toEqual([
    "/api/messages/m1/media/1",
    "/api/messages/m1/media/2",
  ]);
  expect([...page.querySelectorAll(".tile")].map((each) => each.getAttribute("aria-label"))).toEqual([
    "Dam 1, picture on example.org",
    "Dam 2, video of 4:05 on example.org",
  ]);
  expect(page.querySelector(".tile-video")?.textContent).toBe("4:05");
});

test("a picture that cannot be had leaves a quiet place with its title", () => {
  const page = gallery([medium(1), medium(2, { thumbnail: null })]);
  expect(page.querySelectorAll(".tile-none")).toHaveLength(1);
  act(() => page.querySelector("img")?.dispatchEvent(new Event("error")));
  expect(page.querySelectorAll(".tile-none")).toHaveLength(2);
  expect(page.querySelector(".tile-words")?.textContent).toContain("Dam 1");
});

test("a press opens a picture large, with its neighbours and the way to its page", () => {
  const page = gallery([medium(1), medium(2)]);
  act(() => page.querySelector<HTMLButtonElement>(".tile")?.click());
  const window = page.querySelector("dialog");
  expect(window?.querySelector("h2")?.textContent).toBe("Dam 1");
  act(() => window?.querySelector<HTMLButtonElement>('[aria-label="Next picture"]')?.click());
  expect(window?.querySelector("h2")?.textContent).toBe("Dam 2");
  expect(window?.querySelector("img")?.getAttribute("alt")).toBe("Dam 2");
  const link = window?.querySelector("a");
  expect([link?.href, link?.rel, link?.target]).toEqual(["https://www.example.org/2", "noreferrer", "_blank"]);
});

test("an address that is none of the web is not followed", () => {
  const page = gallery([medium(1, { url: "javascript:alert(1)" })]);
  act(() => page.querySelector<HTMLButtonElement>(".tile")?.click());
  expect(page.querySelector("dialog a")).toBeNull();
});

test("many pictures are shown when they are wished for; none leave no trace", () => {
  const page = gallery(Array.from({ length: 20 }, (_, n) => medium(n + 1)));
  expect(page.querySelectorAll(".tile")).toHaveLength(8);
  act(() => page.querySelector<HTMLButtonElement>(".plain-button")?.click());
  expect(page.querySelectorAll(".tile")).toHaveLength(20);
  shown?.leave();
  expect(gallery([]).querySelector(".gallery")).toBeNull();
});

test("while an answer is being written nothing comes between its words and their reader", () => {
  expect(gallery([medium(1)], false).querySelector(".gallery")).toBeNull();
});
