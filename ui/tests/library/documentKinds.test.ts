import { expect, test } from "vitest";
import { getIcon, getKind, KIND_LABELS } from "../../src/library/documentKinds";
import type { Document } from "../../src/library/documents";

const icon = (kind: string, more: Partial<Document> = {}) =>
  getIcon({ kind: kind as Document["kind"], name: "", url: null, status: "ready", ...more });

test("each sort of document is told by its icon, and so is one that failed", () => {
  const sorts = ["pdf", "docx", "pptx", "xlsx", "html", "markdown", "text", "code", "email", "image", "epub"];
  expect(new Set(sorts.map((kind) => icon(kind))).size).toBe(sorts.length);
  expect(Object.keys(KIND_LABELS).map((kind) => icon(kind))).not.toContain(undefined);
  expect(icon("pdf", { status: "failed" })).toBe("fileFailed");
  expect(icon("html", { url: "https://example.org" })).toBe("web");
});

test("until a file is read, its name tells what it is", () => {
  const waiting = (name: string) => getKind({ kind: "text", name, status: "queued" });
  expect(["Report.PDF", "sales.xlsm", "a.jpeg", "notes.txt", "LICENSE", "constructor"].map(waiting)).toEqual([
    ...["pdf", "xlsx", "image"],
    ...["text", "text", "text"],
  ]);
  expect(icon("text", { name: "report.pdf", status: "reading" })).toBe(icon("pdf"));
  expect(getKind({ kind: "text", name: "report.pdf", status: "ready" })).toBe("text");
});
