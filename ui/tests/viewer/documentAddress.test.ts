import fc from "fast-check";
import { expect, test } from "vitest";
import { makeLink, parseDocumentAddress } from "../../src/viewer/documentAddress";

const mark = { key: "1", document: "d", title: "", kind: null, tone: "pin", n: 1, label: "", quote: "" } as const;

test("the link to a passage opens that passage", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 10_000 }), (start, long) => {
      const link = makeLink("d", { ...mark, boxes: [], page: null, passage: null, start, end: start + long }, 3);
      expect(parseDocumentAddress(new URL(link, "http://x").search).span).toEqual({ start, end: start + long });
    }),
  );
});

test("where nothing is chosen, the link leads to the page", () => {
  expect(parseDocumentAddress(new URL(makeLink("d", null, 12), "http://x").search)).toEqual({ span: null, page: 12 });
  expect(makeLink("d", null, null)).toBe("/d/d");
});

test("an address that makes no sense opens the document at its beginning", () => {
  for (const search of ["?span=9-3", "?span=a-b", "?page=0", "?page=-1", "?span=1-", "?page=1e9", "?span=-1-3"]) {
    expect(parseDocumentAddress(search)).toEqual({ span: null, page: null });
  }
});
