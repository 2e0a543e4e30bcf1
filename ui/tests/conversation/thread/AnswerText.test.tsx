import fc from "fast-check";
import { act } from "react";
import { expect, test } from "vitest";
import { AnswerText, isSafeLink } from "../../../src/conversation/thread/AnswerText";
import { offerPlaceBeside } from "../../../src/viewer/openSource";
import { clearViewer, viewerStore } from "../../../src/viewer/viewerStore";
import { answerOf, inBrief, type Part, someParts, told, turnOf } from "../fixtures";
import { drawn, html } from "../render";

/** The answer on a page, and its words with the chips as ①. */
function shown(parts: Part[]) {
  const page = document.createElement("div");
  page.innerHTML = html(<AnswerText turn={turnOf(told(parts))} />);
  for (const note of page.querySelectorAll(".says")) note.remove();
  for (const chip of page.querySelectorAll(".chip")) chip.replaceWith(`⟨${chip.textContent}⟩`);
  return { page, text: page.textContent ?? "" };
}

test.each<[string, Part[], string]>([
  [
    "plain sentences",
    [
      ["", "One.", [1]],
      [" ", "Two.", [2, 3]],
    ],
    "One.⟨1⟩ Two.⟨2⟩⟨3⟩",
  ],
  [
    "a sentence that is bold",
    [
      ["", "**One.**", [1]],
      [" ", "Two.", [2]],
    ],
    "One.⟨1⟩ Two.⟨2⟩",
  ],
  [
    "bold that goes over two",
    [
      ["", "**One.", [1]],
      [" ", "Two** on.", [2]],
    ],
    "One.⟨1⟩ Two on.⟨2⟩",
  ],
  [
    "code at a sentence's end",
    [
      ["", "Call `f()`", [1]],
      [" ", "Then.", [2]],
    ],
    "Call f()⟨1⟩ Then.⟨2⟩",
  ],
  [
    "a link over two sentences",
    [
      ["", "[One.", [1]],
      [" ", "Two](http://e.org) on.", [2]],
    ],
    "One. Two⟨1⟩ on.⟨2⟩",
  ],
  [
    "escapes and entities",
    [
      ["", "A \\* &amp; &eacute; b.", [1]],
      [" ", "C.", [2]],
    ],
    "A * & é b.⟨1⟩ C.⟨2⟩",
  ],
  [
    "astral characters",
    [
      ["", "𝒳 and 🙂.", [1]],
      [" ", "B.", [2]],
    ],
    "𝒳 and 🙂.⟨1⟩ B.⟨2⟩",
  ],
  [
    "an address that is found later",
    [
      ["", "See www.e.org now.", [1]],
      [" ", "Or a@b.org there.", [2]],
    ],
    "See www.e.org now.⟨1⟩ Or a@b.org there.⟨2⟩",
  ],
])("citations stand after their sentence: %s", (_, parts, expected) => {
  expect(shown(parts).text).toBe(expected);
});

test("a list has a citation at the end of each item", () => {
  const { page } = shown([
    ["", "- One.", [1]],
    ["\n", "- Two.", [2]],
  ]);
  expect([...page.querySelectorAll("li")].map((each) => each.textContent)).toEqual(["One.⟨1⟩", "Two.⟨2⟩"]);
});

test("a table stays a table: citations of a row stand in its last cell", () => {
  const parts: Part[] = [
    ["", "| a | b |"],
    ["\n|---|---|\n", "| 1 | 2 |", [1]],
    ["\n", "| 3 | 4 |", [2]],
  ];
  const { page } = shown(parts);
  const cells = [...page.querySelectorAll("td")].map((each) => each.textContent);
  expect(cells).toEqual(["1", "2⟨1⟩", "3", "4⟨2⟩"]);
});

test("a row whose last cell is empty is marked there, and a row that the source contradicts has its words below it", () => {
  const parts: Part[] = [
    ["", "| a | b |"],
    ["\n|---|---|\n", "| 1 |  |", [1]],
    ["\n", "| 3 | **4** |", [2], "contradicted", { source: "3 | 5" }],
  ];
  const { page } = shown(parts);
  expect(
    [...page.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent)),
  ).toEqual([["1", "⟨1⟩"], ["3", "4⟨2⟩"], [""]]);
  const made = document.createElement("div");
  made.innerHTML = html(<AnswerText turn={turnOf(told(parts))} />);
  const below = made.querySelector(".says-row td");
  expect(below?.getAttribute("colspan")).toBe("2");
  expect(below?.textContent).toBe("2 The source says: 3 · 5");
});

/** The notes under each block of an answer. */
function notes(parts: Part[]): string[] {
  const made = document.createElement("div");
  made.innerHTML = html(<AnswerText turn={turnOf(told(parts))} />);
  return [...made.querySelectorAll(":is(p, li) > .says:last-child")].map((each) => each.textContent ?? "");
}

test("what the source says stands at the end of the paragraph or item that says otherwise, and moves none of its words", () => {
  expect(
    notes([
      ["", "It is 10 m high.", [1], "contradicted", { source: "It is 12 m high." }],
      [" ", "It is old.", [2]],
      ["\n\n- ", "It leaks.", [2], "contradicted"],
      ["\n- ", "It holds.", [2]],
    ]),
  ).toEqual(["1 The source says: It is 12 m high.", "2 The source says: quote 2"]);
});

test("a note begins with the number of its mark, opens the source there, and shows the source's whole sentence", () => {
  const quote = "It leaked in 1940.\nIt was 12 m\nhigh, as planned. It is old.";
  const whole = turnOf(told([["", "It is 10 m high.", [2, 4], "contradicted", { source: "12 m" }]]));
  const citations = whole.citations.map((each) => (each.n === 4 ? { ...each, quote } : each));
  const { page, leave } = drawn(<AnswerText turn={{ ...whole, citations }} />);
  const takeBack = offerPlaceBeside();
  expect(page.querySelector(".says")?.textContent).toBe("4 The source says: It was 12 m high, as planned.");
  act(() => page.querySelector<HTMLButtonElement>(".says button")?.click());
  expect(viewerStore.get()).toMatchObject({ chosenKey: "m1:4", isOpen: true });
  leave();
  takeBack();
  clearViewer();
});

test("sentences that are found nowhere are said so once a paragraph, unless nothing is cited at all", () => {
  const lost: Part[] = [
    ["", "It flies.", [], "unsupported"],
    [" ", "It swims.", [], "unsupported"],
  ];
  expect(
    notes([
      ["", "It is.", [1]],
      [" ", "It flies.", [], "unsupported"],
    ]),
  ).toEqual(["The dotted sentence was not found in the sources."]);
  expect(notes([["", "It is.", [1]], ["\n\n", "It flies.", [], "unsupported"], ...lost.slice(1)])).toEqual([
    "The 2 dotted sentences were not found in the sources.",
  ]);
  expect(notes(lost)).toEqual([]);
});

test("the words that the source does not support are ruled, and the last of them keeps its citation beside it", () => {
  const made = document.createElement("div");
  const parts: Part[] = [
    ["", "It was *built* in 1931 by hand.", [1], "partial", { unsupported: ["built in", "by hand."] }],
  ];
  made.innerHTML = html(<AnswerText turn={turnOf(told(parts))} />);
  expect([...made.querySelectorAll("u")].map((each) => each.textContent)).toEqual(["built", " in", "by ", "hand."]);
  expect(made.querySelector(".kept")?.textContent).toBe("hand.1");
  expect(made.querySelector(".answer")?.textContent).toBe("It was built in 1931 by hand.1");
});

test("each verdict has a shape of its own, and one that is awaited another", () => {
  const forms = (["verified", "partial", "contradicted", "unsupported", "unchecked"] as const).map(
    (support): Part => [" ", `${support}.`, [1], support],
  );
  const made = document.createElement("div");
  made.innerHTML = html(
    <AnswerText turn={turnOf(told([...forms, [" ", "Soon.", [1], "unchecked", { checking: true }]]).slice(0, -1))} />,
  );
  const shapes = [...made.querySelectorAll(".chip .sign")].map((each) => each.innerHTML);
  expect(new Set(shapes).size).toBe(6);
  expect([...made.querySelectorAll(".chip")].map((each) => each.getAttribute("data-form"))).toEqual([
    ...["verified", "partial", "contradicted", "unsupported", "unchecked", "checking"],
  ]);
});

test("a sentence that says that the sources are silent, a heading and code have no mark", () => {
  const { page } = shown([
    ["", "# Head"],
    ["\n\n", "```\nx = 1\n```"],
    ["\n\n", "**The dam.**"],
    [" ", "The sources do not say.", [], null, { silent: true }],
  ]);
  expect(page.textContent).not.toContain("⟨");
});

test("code ends where it ends, and its citation stands below it", () => {
  const { page } = shown([
    ["", "```\nx = 1 [1]\n```", [1]],
    ["\n\n", "On.", [2]],
  ]);
  expect(page.querySelector("pre")?.textContent).toBe("x = 1 [1]\n");
  expect([...page.querySelectorAll("p")].map((each) => each.textContent)).toEqual(["⟨1⟩", "On.⟨2⟩"]);
});

test("a definition that an answer brings makes no link of a citation, and is seen", () => {
  const { page, text } = shown([
    ["", "One.", [1]],
    ["\n\n[1]: http://evil.org\n\n", "See [1] and [1][1].", [2]],
  ]);
  expect(page.querySelectorAll("a")).toHaveLength(0);
  expect(text).toContain("[1]: http://evil.org");
  expect(text).toContain("See [1] and [1][1].⟨2⟩");
});

test("a sentence that nothing supports says so, with a mark one can reach", () => {
  const { page } = shown([["", "It flies.", [], "unsupported"]]);
  expect(page.querySelector(".sentence")?.getAttribute("data-form")).toBe("unsupported");
  const made = document.createElement("div");
  made.innerHTML = html(<AnswerText turn={turnOf(told([["", "It flies.", [], "unsupported"]]))} />);
  expect(made.querySelector("button")?.getAttribute("aria-label")).toBe("not found in the sources");
});

test("what holds and where it leads is said in a chip's name", () => {
  const made = document.createElement("div");
  made.innerHTML = html(<AnswerText turn={turnOf(told([["", "It is.", [4], "partial"]]))} />);
  expect(made.querySelector("button")?.getAttribute("aria-label")).toBe(
    "citation 4, partly supported: The dam, page 3",
  );
});

test("a citation that has not arrived is a plain number", () => {
  const turn = { ...turnOf(told([["", "It is.", [4]]])), citations: [] };
  const made = document.createElement("div");
  made.innerHTML = html(<AnswerText turn={turn} />);
  expect(made.querySelector("button")).toBeNull();
  expect(made.textContent).toBe("It is.4");
});

test("HTML, scripts and images of an answer are only words", () => {
  const hostile =
    "<img src=x onerror=alert(1)> <script>alert(1)</script> ![pixel](http://evil.org/p.png) [a](javascript:alert(1)) [b](data:text/html,x).";
  const { page, text } = shown([
    ["", hostile, [1]],
    ["\n\n", "<div onclick=alert(1)>block</div>", [2]],
  ]);
  expect(page.querySelectorAll("img, script, [onerror], [onclick]")).toHaveLength(0);
  expect([...page.querySelectorAll("a")].map((each) => each.getAttribute("href"))).toEqual(["http://evil.org/p.png"]);
  expect(text).toContain("<img src=x onerror=alert(1)>");
  expect(text).toContain("<div onclick=alert(1)>block</div>⟨2⟩");
  expect(text).toContain("pixel");
});

test("links leave in a new tab and tell nobody where from", () => {
  const { page } = shown([["", "[a](https://e.org) [m](mailto:a@b.org)."]]);
  for (const link of page.querySelectorAll("a")) {
    expect(link.getAttribute("target")).toBe("_blank");
    expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  }
  expect(page.querySelectorAll("a")).toHaveLength(2);
});

test("only addresses of the web and of mail may be followed", () => {
  for (const bad of [
    "javascript:alert(1)",
    " javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "//e.org",
    "/api/x",
    "file:///x",
  ]) {
    expect(isSafeLink(bad)).toBe(false);
  }
  for (const good of ["http://e.org", "HTTPS://e.org", "mailto:a@b.org"]) expect(isSafeLink(good)).toBe(true);
});

test("whatever the Markdown, every citation is there once, in order, and nothing runs", () => {
  fc.assert(
    fc.property(someParts, (parts) => {
      const { page, text } = shown(parts);
      const expected = parts.flatMap(([, , citations = [], support]) => {
        const numbers = [...new Set(citations)].map(String);
        return numbers.length || !support ? numbers : [""];
      });
      expect([...text.matchAll(/⟨(\d*)⟩/g)].map(([, n]) => n)).toEqual(expected);
      expect(page.querySelectorAll("script, img, b")).toHaveLength(0);
    }),
    { numRuns: 40 },
  );
});

test("the end of an answer alone gives the same page as all of its events", () => {
  fc.assert(
    fc.property(someParts, fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const whole = html(<AnswerText turn={turnOf(told(parts, size))} />);
      expect(html(<AnswerText turn={turnOf(inBrief(parts))} />)).toBe(whole);
      expect(turnOf(told(parts, size)).text).toBe(answerOf(parts).answer);
    }),
    { numRuns: 40 },
  );
});

test("however far an answer has come, it can be shown, and no marker shows in part", () => {
  fc.assert(
    fc.property(someParts, fc.nat(), (parts, cut) => {
      const events = told(parts, 1);
      const some = turnOf(events.slice(0, 1 + (cut % events.length)));
      const made = document.createElement("div");
      made.innerHTML = html(<AnswerText turn={some} />);
      expect(made.textContent).not.toMatch(/\[$/);
    }),
    { numRuns: 40 },
  );
});
