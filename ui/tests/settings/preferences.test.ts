import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import {
  DEFAULTS,
  joinSystemModel,
  makeRequestFields,
  normalizePreferences,
  preferencesStore,
  splitSystemModel,
} from "../../src/settings/preferences";

afterEach(() => preferencesStore.set(DEFAULTS));

test("a person who has chosen nothing sends nothing but the question", () => {
  expect(makeRequestFields(DEFAULTS)).toEqual({});
});

test("location and About Me go with a question only when they are switched on and filled in", () => {
  const filled = { ...DEFAULTS, location: " Lyon ", aboutMe: "I am a nurse." };
  expect(makeRequestFields(filled)).toEqual({});
  expect(makeRequestFields({ ...filled, sendLocation: true })).toEqual({ userLocation: "Lyon" });
  expect(makeRequestFields({ ...filled, sendAboutMe: true })).toEqual({ userProfile: "I am a nurse." });
  expect(makeRequestFields({ ...DEFAULTS, location: "  ", sendLocation: true, sendAboutMe: true })).toEqual({});
});

test("a system model that follows the chat model is that one, whatever the server's settings say", () => {
  const chosen = { ...DEFAULTS, chatModel: "ollama:big", systemModelProvider: "ollama", systemModel: "small:8b" };
  expect(makeRequestFields(chosen)).toEqual({ chatModel: "ollama:big", systemModel: "ollama:big" });
  expect(makeRequestFields({ ...chosen, linkSystemToChat: false })).toEqual({
    chatModel: "ollama:big",
    systemModel: "ollama:small:8b",
  });
  expect(makeRequestFields({ ...DEFAULTS, linkSystemToChat: false })).toEqual({});
});

test("a persona and strict answers go with the question once chosen", () => {
  expect(makeRequestFields({ ...DEFAULTS, persona: "p1", strict: true })).toEqual({ persona: "p1", strict: true });
});

test("a model's name survives being kept as provider and model", () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(:[a-z0-9.:-]{1,12})?$/);
  fc.assert(
    fc.property(name, (each) => {
      expect(joinSystemModel({ ...DEFAULTS, ...splitSystemModel(each) })).toBe(each);
    }),
  );
});

test("preferences are remembered by this browser", () => {
  preferencesStore.set((now) => ({ ...now, location: "Lyon" }));
  expect(preferencesStore.get().location).toBe("Lyon");
  expect(JSON.parse(localStorage.getItem("pincite.preferences") ?? "{}")).toMatchObject({ location: "Lyon" });
  expect(preferencesStore.get()).toBe(preferencesStore.get());
});

test("whatever lies in the storage, preferences have all their fields with the right types", () => {
  fc.assert(
    fc.property(fc.anything(), (stored) => {
      const made = normalizePreferences(stored);
      expect(Object.keys(made)).toEqual(Object.keys(DEFAULTS));
      for (const [name, value] of Object.entries(DEFAULTS)) {
        expect(typeof made[name as keyof typeof made]).toBe(typeof value);
      }
    }),
  );
});
