import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRequestFields } from "../../src/conversation/composer/questionRequest";
import { chosenLanguage } from "../../src/i18n";
import { Models } from "../../src/settings/Models";
import { DEFAULTS, preferencesStore } from "../../src/settings/preferences";
import type { ServerSettings } from "../../src/settings/settingsApi";

const answers = vi.hoisted(() => {
  const answers: Record<string, unknown> = {};
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (request: Request) => Response.json(answers[new URL(request.url).pathname] ?? {}));
  return answers;
});

const SERVER = { chat_model: "", system_model: "", strict: false } as ServerSettings;
const model = (name: string) => ({ name, provider: "ollama", roles: [], reachable: true, local: true });

let root: Root;
let place: HTMLElement;

beforeEach(async () => {
  chosenLanguage.set("en");
  preferencesStore.set(DEFAULTS);
  answers["/api/models"] = [model("ollama:big"), model("ollama:small")];
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  const loaded = { value: SERVER, problem: null, retry: () => undefined, set: () => undefined };
  await act(async () => root.render(<Models loaded={loaded} />));
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

const selects = () => [...place.querySelectorAll("select")] as [HTMLSelectElement, HTMLSelectElement];
const switched = (name: RegExp) =>
  [...place.querySelectorAll<HTMLInputElement>("input[role=switch]")].find((each) =>
    name.test(each.closest("label")?.textContent ?? ""),
  );

async function choose(select: HTMLSelectElement, value: string) {
  await act(async () => {
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

test("the system model follows the chat model until one says otherwise", async () => {
  const [chat, system] = selects();
  expect(switched(/follows/)?.checked).toBe(true);
  expect(system.disabled).toBe(true);
  await choose(chat, "ollama:big");
  expect(makeRequestFields(preferencesStore.get())).toEqual({ chatModel: "ollama:big", systemModel: "ollama:big" });
});

test("what the server is set to is told as it is, also where its two models are not one", async () => {
  const server = { ...SERVER, chat_model: "ollama:big", system_model: "ollama:small" };
  const loaded = { value: server, problem: null, retry: () => undefined, set: () => undefined };
  await act(async () => root.render(<Models loaded={loaded} />));
  const [chat, system] = selects();
  expect([chat, system].map((each) => each.selectedOptions[0]?.textContent)).toEqual([
    expect.stringContaining("ollama:big"),
    expect.stringContaining("ollama:small"),
  ]);
  expect(place.textContent).not.toContain("One model does everything.");
  await choose(chat, "ollama:big");
  expect(place.textContent).toContain("One model does everything.");
});

test("a system model of one's own is chosen once it no longer follows, and kept as provider and model", async () => {
  await act(async () => switched(/follows/)?.click());
  const [, system] = selects();
  expect(system.disabled).toBe(false);
  await choose(system, "ollama:small");
  expect(preferencesStore.get()).toMatchObject({ systemModelProvider: "ollama", systemModel: "small" });
  expect(makeRequestFields(preferencesStore.get())).toEqual({ systemModel: "ollama:small" });
});

test("a trial says in words that a model answers, or why not and what to do", async () => {
  const button = () => [...place.querySelectorAll("button")].find((each) => each.textContent === "Test");
  answers["/api/models/test"] = { model: "extractive", ok: true, detail: "", hint: "", seconds: 0.83 };
  await act(async () => button()?.click());
  expect(place.textContent).toContain("It answers, in 0.8 s.");
  answers["/api/models/test"] = { model: "x", ok: false, detail: "No key.", hint: "Set one.", seconds: 0 };
  await act(async () => button()?.click());
  expect(place.textContent).toContain("No key. Set one.");
  expect(place.textContent).not.toContain("It answers");
});
