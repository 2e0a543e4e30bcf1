import { expect, test } from "vitest";
import { isSafeAddress, placeRect } from "../../src/viewer/PageLinks";

test("links lead to the web or to a mail address, never to scripts or files", () => {
  const safe = ["https://a.org", "HTTP://a.org/x", "mailto:a@b.org"];
  const unsafe = ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//a.org", "", null, undefined, 7];
  expect(safe.every(isSafeAddress)).toBe(true);
  expect(unsafe.some(isSafeAddress)).toBe(false);
});

test("the place of a link counts from the top of its page, also on a rotated one", () => {
  expect(placeRect([1, 0, 0, -1, 0, 800], [60, 700, 160, 720])).toEqual([60, 80, 160, 100]);
  expect(placeRect([0, 1, 1, 0, 0, 0], [60, 700, 160, 720])).toEqual([700, 60, 720, 160]);
});
