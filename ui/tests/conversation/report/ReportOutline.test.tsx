import fc from "fast-check";
import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { WireEvent } from "../../../src/api/types";
import { makeAnchor } from "../../../src/conversation/report/reportSections";
import { Exchange } from "../../../src/conversation/thread/Exchange";
import { answerOf, numbered, type Part, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

type Said = Pick<WireEvent, "type" | "data">;
let shown: Drawn | null = null;
afterEach(() => {
  shown?.leave();
  vi.restoreAllMocks();
});

const SECTIONS = [
  { heading: "In short", question: "How old is the dam?" },
  { heading: "L’âge du barrage", question: "Built when?" },
  { heading: "Its keepers", question: "Who keeps it?" },
];
const OUTLINE: Said = { type: "outline", data: { sections: SECTIONS } };
const begun = (id: string, task: string): Said => ({
  type: "subagent_started",
  data: { content: "", subagentId: id, name: "section_writer", task, status: "running" },
});
const REPORT: Part[] = [
  ["", "## In short"],
  ["\n\n", "It is old.", [1]],
  ["\n\n", "## L’âge du barrage"],
  ["\n\n", "It was built in 1931.", [2]],
  ["\n\n", "## Where sources disagree"],
  ["\n\n", "One says 1932.", [3]],
];

function show(events: Said[]): HTMLElement {
  const turn = turnOf([...told([["", "One."]]).slice(0, 1), ...numbered(events, "m1", 10)]);
  shown = drawn(<Exchange turn={turn} later={0} onAsk={() => {}} />);
  return shown.page;
}

function stages(page: HTMLElement): (string | null)[] {
  return [...page.querySelectorAll(".outline [role=img]")].map((each) => each.getAttribute("aria-label"));
}

test("while a report is made, its outline says how far each section is", () => {
  const events: Said[] = [
    OUTLINE,
    begun("s1", "How old is the dam?"),
    begun("s2", "Built when?"),
    { type: "subagent_completed", data: { subagentId: "s1", status: "success", summary: "Old.", seconds: 1 } },
  ];
  const page = show(events);
  expect(stages(page)).toEqual(["researched", "being researched", "waiting"]);
  expect(page.querySelector(".part")).toBeNull();
  shown?.leave();
  const written = show([...events, { type: "text", data: { delta: "## In short\n\nIt is" } }]);
  expect(stages(written)).toEqual(["written", "being researched", "waiting"]);
});

test("when it is done, the outline is its contents: each section can be gone to, and what was added too", () => {
  const end: Said = { type: "message_completed", data: { ...answerOf(REPORT), outline: SECTIONS } };
  const page = show([OUTLINE, end]);
  expect(stages(page)).toEqual([]);
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".outline a")];
  expect(links.map((each) => each.textContent)).toEqual(["In short", "L’âge du barrage", "Where sources disagree"]);
  for (const link of links) {
    const there = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    expect(there?.tagName).toBe("H3");
    expect(there?.textContent).toBe(link.textContent);
    const scrolled = vi.fn();
    if (there) there.scrollIntoView = scrolled;
    act(() => link.click());
    expect(scrolled).toHaveBeenCalledOnce();
  }
});

test("an answer that is no report has headings and no contents", () => {
  const page = show([{ type: "message_completed", data: answerOf(REPORT) }]);
  expect(page.querySelectorAll(".answer h3")).toHaveLength(3);
  expect(page.querySelector(".outline")).toBeNull();
  expect(page.querySelector(".bibliography")).toBeNull();
});

test("what stands in code, or below a section, is no section", () => {
  const parts: Part[] = [...REPORT, ["\n\n### Details\n\n```\n## not me\n```\n\n", "The end.", [1]]];
  const end: Said = { type: "message_completed", data: { ...answerOf(parts), outline: SECTIONS } };
  const links = [...show([OUTLINE, end]).querySelectorAll(".outline a")];
  expect(links.map((each) => each.textContent)).toEqual(["In short", "L’âge du barrage", "Where sources disagree"]);
});

test("a report ends in a bibliography: each source once, with pages", () => {
  const end: Said = { type: "message_completed", data: { ...answerOf(REPORT), outline: SECTIONS } };
  const page = show([OUTLINE, end]);
  expect(page.querySelector(".sources")).toBeNull();
  expect(page.querySelector(".bibliography h3")?.textContent).toBe("Bibliography");
  expect([...page.querySelectorAll(".bibliography .source")].map((each) => each.textContent)).toEqual([
    "1–3The damp. 3",
  ]);
});

test("whatever a heading says, its address is one word", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (wild) => {
      expect(makeAnchor("m", wild)).not.toMatch(/\s/);
    }),
  );
});
