import fc from "fast-check";
import { expect, test } from "vitest";
import { listCitedDocuments } from "../../../src/conversation/citations/citedDocuments";
import { stripMarkdown, writeWithFootnotes } from "../../../src/conversation/citations/footnotes";
import { labelTool } from "../../../src/conversation/steps/toolLabels";
import type { Tool } from "../../../src/conversation/turns";
import { writeSuggestion } from "../../../src/conversation/writeSuggestion";
import { createTranslate } from "../../../src/i18n";
import { citation, evidence, told, turnOf } from "../fixtures";

const [en, fr] = [createTranslate("en"), createTranslate("fr")];

function tool(name: string, attributes: Record<string, string>, status: Tool["status"] = "success"): Tool {
  return { kind: "tool", id: "t", name, attributes, status, error: "" };
}

test.each<[Tool, string]>([
  [tool("search_documents", { query: "dam", found: "8" }), "Searched “dam” · 8 passages"],
  [tool("search_documents", { query: "dam" }, "running"), "Searching “dam”"],
  [tool("search_documents", { query: "dam", document: "d1-long" }), "Searched “dam” in d1-long"],
  [tool("read_document", { document: "The dam", page: "3" }), "Read The dam, page 3"],
  [tool("highlight", { evidence: "4" }), "Marked, source 4"],
  [tool("make_coffee", { query: "strong" }), "Ran make_coffee “strong”"],
  [
    tool("web_search", { query: "dam", found: "6", pages: "3", failed: "2", unresponsive: "brave, qwant" }),
    "Searched the web for “dam” · 6 passages · 3 pages read · 2 failed · no answer from brave, qwant",
  ],
  [tool("web_search", { query: "dam" }, "error"), "Could not search the web for “dam”"],
  [tool("scrape_web_page", { url: "https://www.example.org/a?b#c" }, "running"), "Reading example.org"],
  [tool("url_summarization", { url: "https://example.org/", query: "dam" }), "Summarised example.org “dam”"],
  [
    tool("youtube_transcript", { url: "https://youtu.be/x" }, "error"),
    "Could not read the transcript of a video on youtu.be",
  ],
  [
    tool("pdf_loader", { url: "https://example.org/a.pdf", found: "1", pages: "12" }),
    "Read a PDF on example.org · 1 passage · 12 pages",
  ],
  [tool("image_search", { query: "dam", found: "12" }), "Looked for pictures of “dam” · 12 pictures"],
  [tool("video_search", { query: "dam", found: "1" }), "Looked for videos of “dam” · 1 video"],
  [tool("file_search", { query: "dam" }, "error"), "Could not search “dam”"],
  [tool("scrape_web_page", { url: "javascript:alert(1)" }), "Read “javascript:alert(1)”"],
  [tool("make_coffee", {}, "running"), "Running make_coffee"],
  [tool("firefoxAI", { type: "firefoxAI" }), "Firefox sent the page you have open"],
])("a tool call is told in words: %#", (call, words) => {
  expect(labelTool(en, call, [])).toBe(words);
});

test("a document that a tool names by its id is told by its title", () => {
  const known = [{ ...evidence, document: "abcdef1234", title: "The dam" }];
  expect(labelTool(en, tool("read_document", { document: "abcdef12" }), known)).toBe("Read The dam");
});

test("what is copied has a footnote for each number, in the reader's language", () => {
  const turn = turnOf(
    told([
      ["", "It is **high**.", [2]],
      [" ", "It is old.", [1, 2]],
    ]),
  );
  expect(writeWithFootnotes(turn, en)).toBe(
    "It is **high**. [2] It is old. [1] [2]\n\n*2 of 2 sentences verified*\n\n" +
      "[1] The dam, p. 3: “quote 1” *(verified)*\n[2] The dam, p. 3: “quote 2” *(verified)*",
  );
  expect(writeWithFootnotes(turn, fr)).toContain("[1] The dam, p.\u00a03\u00a0: «\u00a0quote 1\u00a0»");
});

test("a page of the web is copied with its address", () => {
  const turn = turnOf(told([["", "It is high.", [1]]]));
  const url = "https://example.org/dam";
  const web = { ...turn, citations: [{ ...citation(1), url, page: null }] };
  expect(writeWithFootnotes(web, en)).toContain("[1] The dam, https://example.org/dam: “quote 1”");
});

test("an answer without citations is copied as it is", () => {
  expect(writeWithFootnotes(turnOf(told([["", "Hello."]])), en)).toBe("Hello.");
});

test("plain text has no marks of Markdown, and keeps its words and numbers", () => {
  expect(stripMarkdown("# Title\n\nIt is **high** and *old*, `x`. [1]\n\n2 * 3 * 4")).toBe(
    "Title\n\nIt is high and old, x. [1]\n\n2 * 3 * 4",
  );
});

test("each source stands once, with its pages in order", () => {
  const cited = [
    { ...citation(1), page: 9 },
    { ...citation(2), document: "d2" },
    { ...citation(3), page: 4 },
    { ...citation(4), page: null },
  ];
  const sources = listCitedDocuments(cited);
  expect(sources.map(({ document, pages }) => [document, pages.map(({ page }) => page)])).toEqual([
    ["d1", [4, 9]],
    ["d2", [3]],
  ]);
  expect(sources[0]?.citations.map(({ n }) => n)).toEqual([1, 3, 4]);
});

test("sources with one title are told apart by their files' names", () => {
  const cited = [citation(1), { ...citation(2), document: "d2", name: "dam-2.pdf" }, { ...citation(3), title: "Lake" }];
  expect(listCitedDocuments(cited).map(({ title, name }) => [title, name])).toEqual([
    ["The dam", "dam.pdf"],
    ["The dam", "dam-2.pdf"],
  ]);
  expect(
    listCitedDocuments([citation(1), { ...citation(2), document: "d2", title: "Lake" }]).map(({ name }) => name),
  ).toEqual(["", ""]);
});

test("a step that opens a slide says so", () => {
  const slides = { ...evidence, document: "slides-1", kind: "pptx" as const };
  const opened = tool("navigate", { document: "slides-1", page: "2" });
  expect(labelTool(en, opened, [slides])).toContain("slide 2");
  expect(labelTool(fr, opened, [slides])).toContain("diapositive 2");
  expect(labelTool(en, opened, [{ ...slides, kind: "pdf" }])).toContain("page 2");
});

test("a suggestion is asked in the language of its document", () => {
  const about = { document: "d", title: "Le bail", heading: null };
  expect(writeSuggestion({ ...about, language: "fr" }, en)).toBe("De quoi parle «\u00a0Le bail\u00a0»\u202f?");
  expect(writeSuggestion({ ...about, heading: "Loyer", language: "en" }, fr)).toBe(
    "What does “Le bail” say about “Loyer”?",
  );
  expect(writeSuggestion({ ...about, language: "de" }, en)).toBe("What is “Le bail” about?");
  expect(writeSuggestion({ ...about, heading: "Comment résilier ?", language: "fr" }, en)).toBe("Comment résilier ?");
});

test("whatever is in a title or a query, it is told and no placeholder of ours is filled by it", () => {
  fc.assert(
    fc.property(fc.string(), (wild) => {
      expect(writeSuggestion({ document: "d", title: wild, heading: null, language: "en" }, en)).toBe(
        `What is “${wild}” about?`,
      );
    }),
  );
});
