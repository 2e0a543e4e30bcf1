import { beforeEach, expect, test } from "vitest";
import { asking, enterScope, exclude, focus, include, keepScope, scope } from "../../src/conversation/composing";
import { DEFAULTS, preferences } from "../../src/settings/preferences";

beforeEach(() => {
  sessionStorage.clear();
  scope.set([]);
  focus.set("all");
  preferences.set(DEFAULTS);
});

test("the documents that are chosen go with the question, until they are taken out", () => {
  include({ id: "d1", title: "The dam" });
  include({ id: "d1", title: "The dam" });
  include({ id: "d2", title: "The lake" });
  expect(asking("How?").documents).toEqual(["d1", "d2"]);
  exclude("d1");
  expect(asking("How?").documents).toEqual(["d2"]);
  exclude("d2");
  expect(asking("How?")).toEqual({ message: "How?", focusMode: "all" });
});

test("a conversation has its documents again when one comes back to it", () => {
  include({ id: "d1", title: "The dam" });
  keepScope("c1");
  enterScope("c2");
  expect(scope.get()).toEqual([]);
  enterScope("c1");
  expect(scope.get()).toEqual([{ id: "d1", title: "The dam" }]);
});

test("location and About me go with a question only while they are switched on", () => {
  preferences.set((now) => ({ ...now, location: "Lyon", aboutMe: "a nurse", sendLocation: false, sendAboutMe: false }));
  expect(asking("How?")).not.toHaveProperty("userLocation");
  expect(asking("How?")).not.toHaveProperty("userProfile");
  preferences.set((now) => ({ ...now, sendLocation: true }));
  expect(asking("How?", "m1")).toMatchObject({ userLocation: "Lyon", replaces: "m1" });
  expect(asking("How?")).not.toHaveProperty("userProfile");
});
