import { afterEach, describe, expect, it } from "vitest";
import { chooseMatch, findTextRange, joinLines, readSelection } from "../../src/viewer/sourceSelection";

function show(html: string): HTMLElement {
  document.body.innerHTML = `<div id="root">${html}</div><p id="outside">Outside</p>`;
  return document.getElementById("root") as HTMLElement;
}

function select(from: Node, start: number, to: Node, end: number): Range {
  const range = document.createRange();
  range.setStart(from, start);
  range.setEnd(to, end);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
  return range;
}

function find(root: HTMLElement, selector: string): Node {
  return root.querySelector(selector)?.firstChild as Node;
}

afterEach(() => getSelection()?.removeAllRanges());

describe("selected words in a text", () => {
  it("have the characters of the document, whatever is highlighted in them", () => {
    const root = show('<p><span data-from="100">The <a id="lit">heron</a> breeds<i id="end"> here</i></span></p>');
    const range = select(find(root, "#lit"), 2, find(root, "#end"), 3);
    expect(findTextRange(root, range)).toEqual({ start: 106, end: 119 });
  });

  it("reach over blocks, and count signs beyond the first plane as one character", () => {
    const root = show(
      '<h2><span id="a" data-from="10">🦦 Otters</span></h2><p><span id="b" data-from="30">Came</span></p>',
    );
    expect(findTextRange(root, select(find(root, "#a"), 3, find(root, "#b"), 2))).toEqual({ start: 12, end: 32 });
  });

  it("end with the block before when the selection only touches the next one", () => {
    const root = show('<p><span id="a" data-from="0">One</span></p><p id="next"><span data-from="9">Two</span></p>');
    const next = root.querySelector("#next") as Element;
    expect(findTextRange(root, select(find(root, "#a"), 0, next, 0))).toEqual({ start: 0, end: 3 });
  });

  it("know the heading above them, and not the one in which they stand", () => {
    const heading = (text: string) => `<h2 class="clean-heading"><span data-from="0">${text}</span></h2>`;
    const root = show(`<p id="a">Before</p>${heading("Rent")}<p id="b">Monthly</p>${heading("Deposit")}<p>Two</p>`);
    select(find(root, "#b"), 0, find(root, "#b"), 7);
    expect(readSelection(root, getSelection())?.heading).toBe("Rent");
    select(find(root, "#a"), 0, find(root, "#a"), 6);
    expect(readSelection(root, getSelection())?.heading).toBe("");
    const words = root.querySelectorAll("h2 span")[1]?.firstChild as Node;
    select(words, 0, words, 7);
    expect(readSelection(root, getSelection())?.heading).toBe("Rent");
  });

  it("are none outside of the source, and none without words", () => {
    const root = show('<p><span id="a" data-from="0">One  </span></p>');
    const outside = document.getElementById("outside")?.firstChild as Node;
    select(outside, 0, outside, 3);
    expect(readSelection(root, getSelection())).toBeNull();
    select(find(root, "#a"), 3, find(root, "#a"), 5);
    expect(readSelection(root, getSelection())).toBeNull();
  });
});

it("words of several lines stand on one, without soft hyphens", () => {
  expect(joinLines(" The no\u00ad\ntice\n period [17, 21] ")).toBe("The notice period [17, 21]");
  expect(joinLines("The no\u00ad\u2060tice for a well-\u2060known tenant")).toBe("The notice for a well-known tenant");
});

it("of the places with the same words the one is chosen at which they were selected", () => {
  const at = (start: number, page: number, top: number) => ({
    ...{ start, end: start + 5, page, text: "no\ntice" },
    boxes: [{ width: 100, height: 200, rects: [[10, top, 50, top + 10]] }],
  });
  const matches = [at(0, 1, 20), at(50, 2, 20), at(70, 2, 150)];
  expect(chooseMatch(matches, 2, { x: 0.1, y: 0.74 })).toEqual({ start: 70, end: 75, text: "no tice" });
  expect(chooseMatch(matches, 1, null)).toEqual({ start: 0, end: 5, text: "no tice" });
  expect(chooseMatch(matches, 3, null)).toBeNull();
});
