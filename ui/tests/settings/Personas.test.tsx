import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRequestFields } from "../../src/conversation/composer/questionRequest";
import { chosenLanguage } from "../../src/i18n";
import { Personas } from "../../src/settings/Personas";
import { DEFAULTS, preferencesStore } from "../../src/settings/preferences";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  preferencesStore.set(DEFAULTS);
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

async function show(names: string[]) {
  const personas = names.map((name) => ({
    id: `p-${name}`,
    name,
    instructions: `Be ${name}.`,
    created: 0,
    updated: 0,
  }));
  fetched.mockImplementation(async () => Response.json(personas));
  await act(async () => root.render(<Personas />));
}

const press = (name: string) => act(async () => place.querySelector<HTMLElement>(`[aria-label="${name}"]`)?.click());

test("the persona that is chosen goes with a question", async () => {
  await show(["brief", "exact"]);
  const [none, , exact] = place.querySelectorAll<HTMLInputElement>("input[type=radio]");
  expect(none?.checked).toBe(true);
  await act(async () => exact?.click());
  expect(makeRequestFields(preferencesStore.get())).toEqual({ persona: "p-exact" });
});

test("a persona that is deleted is gone from the list and from the next question", async () => {
  preferencesStore.set({ ...DEFAULTS, persona: "p-dull" });
  await show(["dull", "kind"]);
  await press("Delete “dull”");
  expect(place.textContent).not.toContain("dull");
  expect(place.textContent).toContain("kind");
  expect(makeRequestFields(preferencesStore.get())).toEqual({});
});

test("without personas the room says what one is", async () => {
  await show([]);
  expect(place.textContent).toContain("A persona is how you want to be answered");
  expect(place.querySelectorAll("input[type=radio]")).toHaveLength(0);
});
