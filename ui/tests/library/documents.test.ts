import { expect, test } from "vitest";
import { type Document, raiseReading } from "../../src/library/documents";

const paper = (id: string, status: string) => ({ id, status }) as Document;

test("what is being read stands above what waits, and nothing else changes its place", () => {
  const states = ["ready", "queued", "queued", "reading", "ready", "reading", "queued"];
  const listed = raiseReading(states.map((status, at) => paper(`${at}`, status)));
  expect(listed.map(({ id }) => id).join("")).toBe("0351246");
  const settled = [paper("a", "reading"), paper("b", "ready")];
  expect(raiseReading(settled)).toEqual(settled);
});
