import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const answers = new Map<string, () => Response | Promise<Response>>();
vi.stubGlobal("fetch", async (input: Request) => {
  const answer = answers.get(new URL(input.url).pathname);
  if (!answer) throw new TypeError("Failed to fetch");
  return answer();
});
const { DocumentReader } = await import("../../src/viewer/DocumentReader");

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
const paper = (id: string, more: object) =>
  json({
    id,
    title: "Report",
    name: "report.txt",
    kind: "text",
    pages: 0,
    updated: 1,
    error: "",
    url: null,
    libraries: [],
    metadata: {},
    ...more,
  });

let count = 0;

/** The reader with a document of which the server says this, when it shows what is wanted. */
async function opened(wanted: string, answer: (id: string) => void, marks: [number, number][] = []) {
  const id = `doc${count++}`;
  answer(id);
  const place = document.createElement("div");
  const lit = marks.map(([start, end], at) => ({
    ...{ key: `m${at}`, document: id, title: "Report", kind: null, tone: "pin" as const, n: at + 1, page: null },
    ...{ label: "", start, end, boxes: [], quote: "", passage: null },
  }));
  const reading = { document: id, page: null, chosenKey: lit[0]?.key ?? null, marks: lit, request: 1 };
  act(() =>
    createRoot(place).render(
      <DocumentReader
        reading={reading}
        onChoose={() => {}}
        onStep={() => {}}
        onClose={() => {}}
        onFound={() => {}}
        onOther={() => {}}
      />,
    ),
  );
  for (let tries = 0; tries < 200 && !place.querySelector(wanted); tries++) {
    await act(() => new Promise<void>((resolve) => setTimeout(resolve, 5)));
  }
  return place;
}

afterEach(() => answers.clear());

test("a document that was removed says so, and that what was quoted stays", async () => {
  const gone = { error: { code: "not_found", message: "", hint: "" } };
  const place = await opened(".empty", (id) => answers.set(`/api/documents/${id}`, () => json(gone, 404)));
  expect(place.textContent).toContain("This document is no longer in the library.");
  expect(place.textContent).toContain("What was quoted from it stays");
});

test("a document that is being read says that it opens by itself", async () => {
  const reading = { status: "reading" };
  const place = await opened(".empty", (id) => answers.set(`/api/documents/${id}`, () => paper(id, reading)));
  expect(place.textContent).toContain("still being read");
});

test("a document that failed says why, and where to try again", async () => {
  const failed = { status: "failed", error: "Locked.", error_code: "encrypted" };
  const place = await opened(".trouble", (id) => answers.set(`/api/documents/${id}`, () => paper(id, failed)));
  expect(place.querySelector("[role=alert]")?.textContent).toContain("protected by a password");
  expect(place.querySelector("a[href='/library']")).not.toBeNull();
});

test("a server that is away is told, with a way to try again", async () => {
  const place = await opened(".trouble", () => {});
  expect(place.querySelector("[role=alert]")?.textContent).toContain("The server does not answer.");
  expect(place.querySelector("button.button")).not.toBeNull();
});

test("a text opens with every passage lit, the chosen one above", async () => {
  const text = "The dam was built in 1952.";
  const blocks = [{ kind: "paragraph", level: 0, start: 0, end: text.length, text }];
  const place = await opened(
    "[data-chosen]",
    (id) => {
      answers.set(`/api/documents/${id}`, () => paper(id, { status: "ready" }));
      answers.set(`/api/documents/${id}/pages`, () => json({ document: id, pages: [] }));
      answers.set(`/api/documents/${id}/blocks`, () =>
        json({ document: id, length: text.length, start: 0, end: text.length, blocks }),
      );
    },
    [
      [21, 25],
      [4, 7],
    ],
  );
  const lit = [...place.querySelectorAll("[data-mark]")].map((each) => each.textContent);
  expect(lit).toEqual(["dam", "1952"]);
  expect(place.querySelector("[data-chosen]")?.textContent).toBe("1952");
  expect(place.querySelector("[aria-live=polite]")?.textContent).toBe("Citation 1");
});

test("a file of a project opens with its line numbers, the cited lines marked, and says if it has changed", async () => {
  const text = "def lift():\n    tons = 9\n    return tons\n";
  const about = { libraries: ["project:abc"], metadata: { project: "abc", path: "src/crane.py" } };
  const place = await opened(
    ".viewer-snapshot",
    (id) => {
      answers.set(`/api/documents/${id}`, () => paper(id, { status: "ready", kind: "code", ...about }));
      answers.set(`/api/documents/${id}/pages`, () => json({ document: id, pages: [] }));
      answers.set(`/api/documents/${id}/text`, () => json({ document: id, start: 0, end: text.length, text }));
      answers.set("/api/projects/abc/files", () => json({ project: "abc", path: "src/crane.py", text: "new" }));
    },
    [[16, 24]],
  );
  const numbers = [...place.querySelectorAll<HTMLElement>(".code-number")].map((each) => each.dataset.number);
  expect(numbers).toEqual(["1", "2", "3"]);
  const marked = [...place.querySelectorAll<HTMLElement>("[data-lines]")].map((each) => each.dataset.line);
  expect(marked).toEqual(["2"]);
  expect(place.querySelector("[data-chosen]")?.textContent).toBe("tons = 9");
  expect(place.querySelector("h2")?.textContent).toBe("src/crane.py");
  expect(place.querySelector(".viewer-snapshot")?.textContent).toContain("It has changed since.");
});

test("a presentation opens as its slides, and a slide that cannot be drawn as its text", async () => {
  const look = { bold: false, italic: false, underline: false, strike: false, shift: 0, breaks: 0, font: "sans" };
  const runs = [{ ...look, start: 0, end: 6, text: "Otters", size: 44, colour: "#000000", ground: null }];
  const words = { runs, align: "left", margin: 0, indent: 0, before: 0, after: 0, line: 1, bullet: "", figures: [] };
  const shape = {
    ...{ left: 0, top: 0, width: 9, height: 9, layer: 0, turn: 0, form: "box", fill: null, line: null, thickness: 0 },
    ...{ picture: null, anchor: "top", insets: [0, 0, 0, 0], wraps: true, paragraphs: [words], table: null },
  };
  const drawing = { width: 960, height: 540, background: null, picture: null, shapes: [shape] };
  const notes = { kind: "paragraph", level: 0, start: 8, end: 13, text: "Wave." };
  const sheets = [
    { number: 1, label: "slide 1", width: 0, height: 0, start: 0, end: 13 },
    { number: 2, label: "slide 2", width: 0, height: 0, start: 13, end: 20 },
  ];
  const place = await opened(
    ".slide-rest [data-chosen]",
    (id) => {
      answers.set(`/api/documents/${id}`, () => paper(id, { status: "ready", kind: "pptx" }));
      answers.set(`/api/documents/${id}/pages`, () => json({ document: id, pages: sheets }));
      answers.set(`/api/documents/${id}/boxes`, () => json([]));
      const slide = { document: id, number: 1, start: 0, end: 13, drawing, blocks: [notes] };
      answers.set(`/api/documents/${id}/slides/1`, () => json(slide));
    },
    [
      [8, 12],
      [2, 6],
    ],
  );
  expect(place.querySelector(".slide .lit")?.textContent).toBe("ters");
  expect(place.querySelector(".slide-rest .lit.chosen")?.textContent).toBe("Wave");
  expect(place.querySelector("article")?.getAttribute("aria-label")).toBe("Slide 1");
});

test("a Word document opens on its sheet with its look, and what is not drawn as text", async () => {
  const look = { underline: false, strike: false, shift: 0, breaks: 0, font: "serif", size: 11, ground: null };
  const run = (start: number, text: string, bold = false) => ({
    ...{ ...look, start, end: start + text.length, text, bold, italic: false, colour: null },
  });
  const plain = { align: "center", margin: 18, indent: -18, before: 0, after: 10, line: 1.15, bullet: "", figures: [] };
  const paragraph = { ...plain, label: run(7, "1."), runs: [run(10, "The dam "), run(18, "held", true)] };
  const picture = { number: 4, description: "A dam", left: 0, top: 0, right: 0, bottom: 0 };
  const figure = { ...plain, label: null, runs: [], figures: [{ picture, width: 144, height: 72 }] };
  const place = await opened(
    ".drawn [data-chosen]",
    (id) => {
      answers.set(`/api/documents/${id}`, () => paper(id, { status: "ready", kind: "docx" }));
      answers.set(`/api/documents/${id}/pages`, () => json({ document: id, pages: [] }));
      answers.set(`/api/documents/${id}/drawing`, () =>
        json({
          ...{ document: id, length: 22, start: 0, end: 22, width: 468 },
          drawings: [
            { start: 7, end: 22, level: 2, paragraph, table: null },
            { start: 22, end: 22, level: 0, paragraph: figure, table: null },
          ],
          blocks: [{ kind: "header", level: 0, start: 0, end: 5, text: "Board" }],
        }),
      );
    },
    [[14, 22]],
  );
  expect([...place.querySelectorAll(".lit")].map((each) => each.textContent)).toEqual(["dam ", "held"]);
  const heading = place.querySelector("h3.drawn-paragraph");
  expect(heading?.textContent).toBe("1. The dam held");
  expect([...(heading?.querySelectorAll<HTMLElement>("[data-from]") ?? [])].map((each) => each.dataset.from)).toEqual([
    "7",
    "10",
    "18",
  ]);
  expect(place.querySelector(".clean-edge")?.textContent).toBe("Board");
  expect(place.querySelector("img")?.alt).toBe("A dam");
  expect([...place.querySelectorAll<HTMLElement>("[data-block]")].map((each) => each.dataset.block)).toEqual([
    "0",
    "7",
    "22",
  ]);
});
