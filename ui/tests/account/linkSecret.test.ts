import { beforeEach, expect, test } from "vitest";
import { linkSecret, takeLinkSecret } from "../../src/account/linkSecret";

beforeEach(() => linkSecret.set(""));

test.each(["/join", "/reset", "/shared"])("the secret of %s leaves the address and is kept in memory alone", (path) => {
  history.replaceState(null, "", `${path}?code=c1#s3cret`);
  takeLinkSecret();
  expect(linkSecret.get()).toBe("s3cret");
  expect(location.pathname + location.search + location.hash).toBe(`${path}?code=c1`);
});

test("a place in a conversation is no secret and stays", () => {
  history.replaceState(null, "", "/c/c1#m2");
  takeLinkSecret();
  expect(linkSecret.get()).toBe("");
  expect(location.hash).toBe("#m2");
});
