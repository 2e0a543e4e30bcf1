import fc from "fast-check";
import { expect, test } from "vitest";
import { checkReturnPath, makeSignInPath } from "../../src/account/returnPath";

test.each(["/", "/library", "/c/c1?x=1#m2", "/d/d1?span=3-9"])("%s is where the sign-in leads back to", (path) => {
  expect(checkReturnPath(path)).toBe(path);
});

test.each([
  null,
  "",
  "library",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/.//evil.example",
  "/sign-in?next=/sign-in",
  "/join",
  "/api/account/export",
])("%s leads to the first page instead", (path) => {
  expect(checkReturnPath(path)).toBe("/");
});

test("whatever the address asks for, the page stays on its own server and outside of the API", () => {
  const here = "https://pincite.example/";
  const parts = fc.constantFrom(
    "/",
    "\\",
    "..",
    ".",
    "evil.example",
    "@",
    ":",
    "%2f",
    "%5c",
    "\t",
    "?",
    "#",
    "api",
    " ",
  );
  const odd = fc.array(parts, { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), odd), (given) => {
      const { origin, pathname } = new URL(checkReturnPath(given), here);
      expect(origin).toBe("https://pincite.example");
      expect(pathname).not.toMatch(/^\/api(\/|$)/);
    }),
  );
});

test("the address of the sign-in form carries the whole place, and nothing for the first page", () => {
  expect(makeSignInPath({ pathname: "/c/c1", search: "?a=b", hash: "#m" })).toBe("/sign-in?next=%2Fc%2Fc1%3Fa%3Db%23m");
  expect(makeSignInPath({ pathname: "/", search: "", hash: "" })).toBe("/sign-in");
});
