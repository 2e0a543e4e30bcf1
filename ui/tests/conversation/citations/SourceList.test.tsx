import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { cardStore as card } from "../../../src/conversation/citations/cardStore";
import { answerOf, citation, numbered, told, turnOf } from "../fixtures";
import { type Drawn, drawn } from "../render";

const { looked } = vi.hoisted(() => {
  const looked: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    looked.push(new URL(request.url).pathname);
    return Response.json({ id: "w1", fetched: new Date(2026, 10, 15, 12).getTime() / 1000, created: 0 });
  });
  return { looked };
});
const { SourceList } = await import("../../../src/conversation/citations/SourceList");
const { CitationChip } = await import("../../../src/conversation/citations/CitationChip");
const { CitationCard } = await import("../../../src/conversation/citations/CitationCard");

let page: Drawn | null = null;
afterEach(() => {
  page?.leave();
  act(() => card.set(null));
});

const URL_ = "https://www.example.org/dam";
const WEB = { ...citation(2), document: "w1", title: "Dams", kind: "html", url: URL_, page: null } as const;

function turn(outline: { heading: string; question: string }[] = []) {
  const answer = { ...answerOf([["", "One.", [1, 2]]]), citations: [citation(1), WEB], outline };
  const events = numbered([{ type: "message_completed", data: answer }], "m1", 10);
  return turnOf([...told([["", "One."]]).slice(0, 1), ...events]);
}

test("documents and pages of the web are told apart, and a page has the way to how it is now beside it", () => {
  page = drawn(<SourceList turn={turn()} />);
  const rows = [...page.page.querySelectorAll("li")];
  expect(rows.map((row) => row.querySelector(".source")?.textContent)).toEqual(["1The damp. 3", "2Damsexample.org"]);
  const paths = rows.map((row) => row.querySelector(".source path")?.getAttribute("d"));
  expect(paths[0]).not.toBe(paths[1]);
  expect(rows[0]?.querySelector("a")).toBeNull();
  const live = rows[1]?.querySelector("a");
  expect([live?.getAttribute("href"), live?.target, live?.rel, live?.getAttribute("aria-label")]).toEqual([
    `${URL_}#:~:text=quote%202`,
    "_blank",
    "noreferrer",
    "Live page: Dams",
  ]);
});

test("the bibliography of a report says the whole address and the day its copy is of", async () => {
  page = drawn(<SourceList turn={turn([{ heading: "In short", question: "What?" }])} />);
  await act(() => vi.waitFor(() => expect(page?.page.textContent).toContain("as of")));
  expect(page.page.querySelector(".bibliography-where")?.textContent).toBe(`${URL_}as of November 15, 2026`);
  expect(looked.filter((path) => path !== "/api/documents/w1")).toEqual([]);
});

test("the card of a citation says site and day of a page of the web", async () => {
  page = drawn(<CitationCard />);
  const about = turn();
  const sentence = about.sentences[0];
  if (!sentence) throw new Error("There is no sentence.");
  const chip = document.createElement("button");
  act(() => card.set({ turn: about, sentence, index: 0, n: 2, citation: { ...WEB }, chip }));
  await act(() => vi.waitFor(() => expect(page?.page.textContent).toContain("2026")));
  expect(page.page.querySelector(".card-from")?.textContent).toBe("example.org · as of November 15, 2026");
});

test("a file of a project is a source by its path and all its cited lines, and its chip says which", () => {
  const file = {
    ...citation(1),
    document: "p1",
    title: "src/app.py",
    kind: "code",
    page: null,
    path: "src/app.py",
  } as const;
  const lines = { ...file, lines: [12, 20] as [number, number] };
  const more = { ...file, n: 2, lines: [34, 34] as [number, number] };
  const answer = { ...answerOf([["", "One.", [1, 2]]]), citations: [lines, more] };
  const events = numbered([{ type: "message_completed", data: answer }], "m1", 10);
  const about = turnOf([...told([["", "One."]]).slice(0, 1), ...events]);
  const [sentence] = about.sentences;
  if (!sentence) throw new Error("There is no sentence.");
  page = drawn(
    <>
      <SourceList turn={about} />
      <CitationChip turn={about} sentence={sentence} index={0} n={1} />
    </>,
  );
  expect(page.page.querySelector(".source")?.textContent).toBe("1, 2src/app.py:12–20, 34");
  const chip = page.page.querySelector(".chip");
  expect([chip?.textContent, chip?.getAttribute("aria-label")]).toEqual([
    "1 app.py:12–20",
    "citation 1 app.py:12–20, verified: src/app.py",
  ]);
});

/** An answer that cites this many places of each of these documents. */
function citing(documents: number, each: number) {
  const citations = Array.from({ length: documents * each }, (_, at) => ({
    ...citation(2 * at + 1),
    document: `d${at % documents}`,
    title: `Paper ${at % documents}`,
    page: at + 1,
  }));
  const answer = { ...answerOf([["", "One.", citations.map(({ n }) => n)]]), citations };
  const events = numbered([{ type: "message_completed", data: answer }], "m1", 10);
  return turnOf([...told([["", "One."]]).slice(0, 1), ...events]);
}

test("sixty citations of one document are one line that names the first, and unfolds to all of them", () => {
  page = drawn(<SourceList turn={citing(1, 60)} />);
  expect(page.page.querySelector(".source")?.textContent).toBe("1, 3, 5, 7 …Paper 0pp. 1–60");
  expect(page.page.querySelectorAll(".source-places li")).toHaveLength(0);
  act(() => page?.page.querySelector<HTMLButtonElement>(".source-fold")?.click());
  expect(page.page.querySelectorAll(".source-places li")).toHaveLength(60);
  expect(page.page.querySelector(".source-places li:last-child")?.textContent).toBe("119p. 60quote 119");
});

test("of many documents the first six are shown, and the rest on demand", () => {
  page = drawn(<SourceList turn={citing(20, 1)} />);
  expect(page.page.querySelectorAll(".sources > ul > li")).toHaveLength(7);
  const more = page.page.querySelector<HTMLButtonElement>(".more-sources");
  expect(more?.textContent).toBe("14 more documents");
  act(() => more?.click());
  expect(page.page.querySelectorAll(".sources > ul > li")).toHaveLength(20);
});
