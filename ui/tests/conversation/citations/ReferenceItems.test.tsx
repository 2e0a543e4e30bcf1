import { expect, test } from "vitest";
import { makeReferenceAddress, ReferenceItems } from "../../../src/conversation/citations/ReferenceItems";
import { drawn } from "../render";

test("references are those of a conversation, of an answer, or of one document in it", () => {
  const path = "/api/conversations/c%2F1/export";
  expect(makeReferenceAddress({ conversation: "c/1" }, "bib", "fr")).toBe(`${path}?format=bib`);
  expect(makeReferenceAddress({ conversation: "c/1", message: "m1", document: "d&1" }, "txt", "fr")).toBe(
    `${path}?format=txt&language=fr&message=m1&document=d%261`,
  );
});

test("a menu copies references, and saves them as BibTeX, RIS and CSL-JSON", () => {
  const { page, leave } = drawn(<ReferenceItems scope={{ conversation: "c1" }} close={() => {}} />);
  expect([...page.querySelectorAll("[role=menuitem]")].map((each) => each.textContent?.trim())).toEqual([
    ...["Copy the sources as a list", "Sources as BibTeX", "Sources as RIS (Zotero, EndNote)", "Sources as CSL-JSON"],
  ]);
  expect([...page.querySelectorAll("a")].map((each) => new URL(each.href).search)).toEqual([
    ...["?format=bib", "?format=ris", "?format=csl"],
  ]);
  leave();
});
