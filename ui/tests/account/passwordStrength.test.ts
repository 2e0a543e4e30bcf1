import fc from "fast-check";
import { expect, test } from "vitest";
import { ratePassword } from "../../src/account/passwordStrength";

test.each([
  ["", "empty"],
  ["elevenchars", "short"],
  ["aaaaaaaaaaaa", "weak"],
  ["123456789012", "weak"],
  ["abcdefghijklmn", "weak"],
  ["Password1234", "weak"],
  ["motdepasse2024", "weak"],
  ["correct horse battery staple", "strong"],
  ["xK9#mQ2$vL7!wR", "strong"],
])("%s is %s", (password, strength) => {
  expect(ratePassword(password, 12)).toBe(strength);
});

test("one's own name makes a password easy to guess, whatever its case", () => {
  expect(ratePassword("ada.berg.lovelace", 12)).not.toBe("weak");
  expect(ratePassword("ADA.Berg.Lovelace", 12, ["ada.berg.lovelace"])).toBe("weak");
});

test("a character is what people count as one", () => {
  expect(ratePassword("😀".repeat(11), 12)).toBe("short");
});

test("whatever is typed, too few characters are too short and enough are not", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 40 }), fc.string(), (password, name) => {
      const isShort = [...password.normalize("NFKC")].length < 12;
      expect(ratePassword(password, 12, [name]) === "short").toBe(isShort);
    }),
  );
});
