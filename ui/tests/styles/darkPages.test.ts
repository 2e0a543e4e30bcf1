import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../src", path), "utf8");
const TOKENS = read("styles/tokens.css");

type Colour = [red: number, green: number, blue: number];

/** The colours that the rule with this selector gives to names. */
function colours(selector: string): Map<string, Colour> {
  const rule = TOKENS.slice(TOKENS.indexOf(`${selector} {`)).split("}")[0] ?? "";
  const found = rule.matchAll(/(--[\w-]+): #(\w\w)(\w\w)(\w\w);/g);
  return new Map(
    [...found].map(([, name = "", ...parts]) => [name, parts.map((each) => parseInt(each, 16)) as Colour]),
  );
}

/** What `invert(0.9) hue-rotate(180deg)` makes of a colour. */
function invert(colour: Colour): Colour {
  const [r, g, b] = colour.map((each) => 0.9 * 255 - 0.8 * each) as Colour;
  const turned = [
    -0.574 * r + 1.43 * g + 0.144 * b,
    0.426 * r + 0.43 * g + 0.144 * b,
    0.426 * r + 1.43 * g - 0.856 * b,
  ];
  return turned.map((each) => Math.min(255, Math.max(0, Math.round(each)))) as Colour;
}

function contrast(one: Colour, other: Colour): number {
  const [low = 0, high = 0] = [one, other]
    .map((colour) =>
      colour.map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4)),
    )
    .map(([r = 0, g = 0, b = 0]) => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
    .sort((a, b) => a - b);
  return high / low;
}

const MARKS = colours(":root[data-theme] [data-dark-pages] :is(.sheet, .thumbnail-page)");
const PAGE = invert([255, 255, 255]);
const WORDS = invert([0, 0, 0]);

test("every mark is seen on a dark page, and the words on it are read", () => {
  expect(read("viewer/pages.css")).toContain("filter: invert(0.9) hue-rotate(180deg);");
  expect(MARKS.size).toBeGreaterThan(10);
  for (const [name, colour] of MARKS) {
    expect(contrast(invert(colour), PAGE), name).toBeGreaterThanOrEqual(3);
    if (!/line|edge/.test(name)) expect(contrast(invert(colour), WORDS), name).toBeGreaterThanOrEqual(4.5);
  }
});

test("the legend has the colours that are on the page", () => {
  const legend = colours(":root[data-theme] .reader[data-dark-pages]:has(.sheet) .viewer-legend");
  expect(legend.get("--legend-ink")).toEqual(WORDS);
  for (const name of ["pin", "pin-line", "other-line"]) {
    const [shown = WORDS, told = PAGE] = [invert(MARKS.get(`--${name}`) ?? PAGE), legend.get(`--legend-${name}`)];
    for (const at of [0, 1, 2]) expect(Math.abs((shown[at] ?? 0) - (told[at] ?? 0)), name).toBeLessThanOrEqual(1);
  }
  const light = colours(":root");
  const dimmed = colours(':root[data-theme="dark"] .reader:has(.sheet) .viewer-legend');
  const dim = (name: string) => light.get(name)?.map((each) => Math.round(each * 0.88));
  expect(dimmed.get("--legend-pin")).toEqual(dim("--pin"));
  expect(dimmed.get("--legend-pin-line")).toEqual(dim("--pin"));
  expect(dimmed.get("--legend-other-line")).toEqual(dim("--mark-medium"));
});
