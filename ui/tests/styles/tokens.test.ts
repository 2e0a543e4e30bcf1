import { expect, test } from "vitest";
import { checkComponent, checkNames, checkStyleSheet } from "../../checks/tokens.mjs";

test.each([
  ["color: #fff"],
  ["background: rgb(0 0 0 / 40%)"],
  ["background: color-mix(in srgb, var(--ink) 7%, transparent)"],
  ["border: var(--stroke-1) solid rebeccapurple"],
  ["margin: 0 -4px"],
  ["font-size: 0.875rem"],
  ["transition: color 140ms"],
  ["width: calc(100vw - 16px)"],
])("a style sheet may not name %s", (declaration) => {
  expect(checkStyleSheet(`.a {\n  ${declaration};\n}`)).toHaveLength(1);
  expect(checkStyleSheet(`.a:hover { ${declaration} }`)).toHaveLength(1);
});

test.each([
  ["color: var(--ink)"],
  ["white-space: nowrap"],
  ["background: transparent"],
  ["border-color: currentColor"],
  ["margin: 0 auto"],
  ["width: 50%; height: 12vh; max-width: 40ch; text-indent: -1em"],
  ["line-height: 1.5; z-index: 30; opacity: 0.45"],
  ['content: \'#fff\'; quotes: "4px" "4px"'],
  ["/* 4px */ top: 0"],
])("a style sheet may say %s", (declaration) => {
  expect(checkStyleSheet(`@media (max-width: 760px) { .a { ${declaration}; } }`)).toEqual([]);
});

test("a component names no colour, and no size in a style", () => {
  expect(checkComponent('<p style={{ height: 36 }} color="#fff" />')).toHaveLength(2);
  expect(checkComponent("<p style={{ paddingLeft: 8 + depth }} />")).toHaveLength(1);
  expect(
    checkComponent(`<p style={{ width: \`\${width}%\`, height: "var(--space-16)", top: tops[at] ?? 0 }} />`),
  ).toEqual([]);
  expect(checkComponent('<a href="#main" title="#12" />')).toEqual([]);
});

test("a token that is used is defined, and one that is defined is used", () => {
  expect(
    checkNames(":root { --a: 1px; --b: 2px; }", ".x { top: var(--a); left: var(--c); --d: 1; width: var(--d); }"),
  ).toEqual(["--c is used and not defined", "--b is defined and not used"]);
});
