import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TruncatedTitle } from "../../src/viewer/TruncatedTitle";

function parts(text: string): string[] {
  const place = document.createElement("div");
  place.innerHTML = renderToStaticMarkup(<TruncatedTitle text={text} />);
  return [...place.querySelectorAll(".viewer-title > span")].map((each) => each.textContent ?? "");
}

test("the end of a long title begins with a whole word", () => {
  expect(parts("Amcor 4Q 2023 Exhibit 99.1 - June 30, 2023").at(-1)).toBe("June 30, 2023");
});

test("a long name without words keeps its last letters, and nothing of it is lost", () => {
  const name = `${"W".repeat(3000)}👩‍👧final.pdf`;
  expect(parts(name).join("")).toBe(name);
  expect(parts(name).at(-1)).toMatch(/final\.pdf$/);
});

test("a short title is left whole", () => {
  expect(parts("Lease of the mill")).toEqual(["Lease of the mill"]);
});
