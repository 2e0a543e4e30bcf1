import { expect, test } from "vitest";
import { describeError } from "../../src/components/ErrorMessage";
import { createTranslate } from "../../src/i18n";

const fault = (reason: string, field: string) => ({
  code: "invalid",
  reason,
  params: { field },
  message: `The request is not right: body.${field}: no.`,
  hint: "/docs says what it takes.",
});

test.each([
  ["en", "field", "url", "Address: this is not valid."],
  ["en", "too_long", "name", "Name: this is too long."],
  ["fr", "empty", "name", "Nom\u00a0: rien n’a été saisi."],
  ["en", "field", "max_tokens", "An entry: this is not valid."],
] as const)("in %s an error of a field (%s, %s) is told in the words of the form", (language, reason, field, words) => {
  const { message, hint } = describeError(createTranslate(language), fault(reason, field));
  expect(message).toBe(words);
  expect(hint).not.toContain("/docs");
});

test("a request that is wrong as a whole shows nothing for developers", () => {
  const { message, hint } = describeError(createTranslate("en"), { ...fault("", "x"), params: {} });
  expect(`${message} ${hint}`).not.toMatch(/body|docs/);
});

test.each([
  ["en", { status: 401, model: "openai:gpt-5" }, "The provider does not accept the key."],
  ["fr", { status: 404, model: "openai:gpt-9" }, "Le fournisseur ne propose pas openai:gpt-9."],
  ["fr", { status: 418, model: "m", said: "Theière." }, "m a refusé la requête (418). Theière."],
  ["fr", { status: 418 }, "Le modèle a refusé la requête (418)."],
] as const)(
  "in %s a model's refusal (%s) is told by its status, never in the server's words",
  (language, params, words) => {
    const fault = { code: "model", reason: "refused", params, message: "The provider refused.", hint: "Check it." };
    const told = describeError(createTranslate(language), fault);
    expect(told.message).toBe(words);
    expect(told.hint).not.toBe("Check it.");
  },
);

test("the path of a file keeps its letters at the beginning of a sentence", () => {
  const params = { path: "src/crane.py" };
  const fault = { code: "edit_refused", reason: "file_changed", params, message: "", hint: "" };
  expect(describeError(createTranslate("en"), fault).message).toMatch(/^src\/crane\.py was changed/);
});
