import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "../render";

const { offered } = vi.hoisted(() => {
  const offered = { strict: false, models: [] as object[] };
  vi.stubGlobal("fetch", async () => Response.json(offered));
  return { offered };
});
const { ModelSwitch } = await import("../../../src/conversation/composer/ModelSwitch");
const { choicesStore } = await import("../../../src/conversation/composer/modelChoices");
const { makeRequest } = await import("../../../src/conversation/composer/questionRequest");
const { DEFAULTS, preferencesStore } = await import("../../../src/settings/preferences");

let shown: Drawn;
const model = (name: string, is_default = false) => ({
  name,
  title: name.slice(name.indexOf(":") + 1),
  provider: "Ollama",
  is_default,
});

/** The switch with its menu open. */
async function opened(): Promise<HTMLElement[]> {
  shown = drawn(<ModelSwitch />);
  const menu = shown.page.querySelector("[role=menu]");
  await act(async () => {
    menu?.dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  });
  await act(async () => {});
  return [...shown.page.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

beforeEach(() => {
  preferencesStore.set(DEFAULTS);
  choicesStore.set(null);
  offered.strict = false;
  offered.models = [model("ollama:llama3.2", true), model("openai:gpt-5"), model("extractive")];
});
afterEach(() => shown.leave());

test("the model of the server is shown, and another one goes with the next question", async () => {
  const items = await opened();
  const switched = shown.page.querySelector("button");
  expect(switched?.textContent).toBe("llama3.2");
  act(() => items.find((each) => each.textContent?.startsWith("gpt-5"))?.click());
  expect(makeRequest("Why?").chatModel).toBe("openai:gpt-5");
  expect(switched?.textContent).toBe("gpt-5");
});

test("the model of the server is not fixed in this browser: it may become another one", async () => {
  preferencesStore.set({ ...DEFAULTS, chatModel: "openai:gpt-5" });
  const items = await opened();
  act(() => items.find((each) => each.textContent?.startsWith("llama3.2"))?.click());
  expect(preferencesStore.get().chatModel).toBe("");
});

test("strict answers are switched on beside the model", async () => {
  const items = await opened();
  const strict = items.find((each) => each.getAttribute("role") === "menuitemcheckbox");
  expect(strict?.getAttribute("aria-checked")).toBe("false");
  act(() => strict?.click());
  expect(makeRequest("Why?").strict).toBe(true);
  expect(shown.page.querySelector("button")?.getAttribute("aria-label")).toContain("Only what the sources support");
});

test("a server whose answers are all strict does not let them be switched off", async () => {
  offered.strict = true;
  const items = await opened();
  const strict = items.find((each) => each.getAttribute("role") === "menuitemcheckbox");
  expect(strict?.getAttribute("aria-checked")).toBe("true");
  act(() => strict?.click());
  expect(preferencesStore.get().strict).toBe(false);
});

test("a chosen model that the server no longer has is shown as such", async () => {
  preferencesStore.set({ ...DEFAULTS, chatModel: "gone:model" });
  const items = await opened();
  expect(items[0]?.textContent).toContain("No longer among the server’s models.");
});
