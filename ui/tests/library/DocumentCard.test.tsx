import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "../conversation/render";

let overview = {};
vi.mock("../../src/api/client", () => ({
  unwrap: (answer: { data: unknown }) => answer.data,
  server: { GET: async (path: string) => ({ data: path.endsWith("overview") ? overview : { chat_model: "" } }) },
}));

const { DocumentCard } = await import("../../src/library/DocumentCard");
type Document = Parameters<typeof DocumentCard>[0]["document"];

let page: Drawn | null = null;
afterEach(() => page?.leave());

async function listHeadings(title: string, headings: string[]): Promise<(string | null)[]> {
  const outline = headings.map((each, start) => ({ title: each, level: 1, start, page: null, label: "" }));
  overview = { document: "d1", outline, headings: outline.length, questions: [], summary: "" };
  const document = { id: "d1", title, name: "report.pdf", kind: "pdf", pages: 2, bytes: 100, libraries: [] };
  page = drawn(<DocumentCard document={document as unknown as Document} onAsk={() => {}} />);
  await act(async () => {});
  const shown = [...page.page.querySelectorAll(".card-outline li")].map((each) => each.textContent);
  page.leave();
  return shown;
}

test("an outline that only repeats the title is not shown", async () => {
  expect(await listHeadings("Inspection report", ["Inspection report"])).toEqual([]);
  expect(await listHeadings("Inspection report", ["Pumps"])).toEqual(["Pumps"]);
  expect(await listHeadings("Inspection report", ["Inspection report", "Pumps"])).toEqual([
    "Inspection report",
    "Pumps",
  ]);
});
