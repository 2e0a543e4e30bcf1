import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { countDaysAgo, formatDuration, formatSize, formatWhen } from "../../src/text/formatAmounts";

const NOON = new Date(2026, 10, 15, 12).getTime();
const seconds = (...date: [number, number, number, number]) => new Date(...date).getTime() / 1000;

test("sizes are said in the unit that suits them", () => {
  expect(formatSize(17, "en")).toBe("17 bytes");
  expect(formatSize(3437, "en")).toBe("3 kB");
  expect(formatSize(2_140_000, "en")).toBe("2.1 MB");
  expect(formatSize(2_140_000, "fr").replace(/\s/g, " ")).toBe("2,1 Mo");
  expect(formatSize(999_999, "en")).toBe("1 MB");
});

test("any size is said with at most four digits before its unit", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (bytes) => {
      expect(formatSize(bytes, "en")).toMatch(/^\d{1,3}(\.\d)? (byte|bytes|kB|MB|GB)$/);
    }),
  );
});

test("a time that is left is never nothing", () => {
  expect(formatDuration(0.2, "en")).toBe("1 sec");
  expect(formatDuration(40, "en")).toBe("40 sec");
  expect(formatDuration(200, "en")).toBe("3 min");
  expect(formatDuration(7200, "fr").replace(/\s/g, " ")).toBe("2 h");
});

test("days are counted by the calendar, not by hours", () => {
  expect(countDaysAgo(seconds(2026, 10, 15, 0), NOON)).toBe(0);
  expect(countDaysAgo(seconds(2026, 10, 14, 23), NOON)).toBe(1);
  expect(countDaysAgo(seconds(2026, 10, 9, 1), NOON)).toBe(6);
});

test("the time of today is written as people write it", () => {
  expect(formatWhen(seconds(2026, 10, 15, 9), "en", NOON).replace(/\s/g, " ")).toBe("9:00 AM");
  expect(formatWhen(seconds(2026, 10, 15, 9), "fr", NOON)).toBe("09:00");
});

test("a time is written as in the country of the browser, if it speaks the language of the page", () => {
  const languages = vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr-CH", "en-GB", "en-US"]);
  onTestFinished(() => languages.mockRestore());
  expect(formatWhen(seconds(2026, 10, 15, 9), "en", NOON)).toBe("09:00");
  expect(formatWhen(seconds(2026, 2, 3, 9), "en", NOON)).toBe("3 Mar");
});

test("the year is said only when it is another one", () => {
  expect(formatWhen(seconds(2026, 10, 14, 23), "fr", NOON)).toBe("hier");
  expect(formatWhen(seconds(2026, 2, 3, 9), "en", NOON)).toBe("Mar 3");
  expect(formatWhen(seconds(2024, 2, 3, 9), "en", NOON)).toBe("Mar 3, 2024");
});
