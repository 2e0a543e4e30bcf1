import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import {
  DEFAULTS,
  joinSystemModel,
  normalizePreferences,
  preferencesStore,
  splitSystemModel,
} from "../../src/settings/preferences";

afterEach(() => preferencesStore.set(DEFAULTS));

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
