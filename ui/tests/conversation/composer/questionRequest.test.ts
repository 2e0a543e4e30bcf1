import { afterEach, expect, test } from "vitest";
import { makeRequest, makeRequestFields } from "../../../src/conversation/composer/questionRequest";
import { DEFAULTS, preferencesStore } from "../../../src/settings/preferences";

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

test("location and About me go with a question only while they are switched on", () => {
  preferencesStore.set((now) => ({
    ...now,
    location: "Lyon",
    aboutMe: "a nurse",
    sendLocation: false,
    sendAboutMe: false,
  }));
  expect(makeRequest("How?")).not.toHaveProperty("userLocation");
  expect(makeRequest("How?")).not.toHaveProperty("userProfile");
  preferencesStore.set((now) => ({ ...now, sendLocation: true }));
  expect(makeRequest("How?", "m1")).toMatchObject({ userLocation: "Lyon", replaces: "m1" });
  expect(makeRequest("How?")).not.toHaveProperty("userProfile");
});
