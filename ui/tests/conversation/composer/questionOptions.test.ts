import { beforeEach, expect, test } from "vitest";
import {
  addToScope,
  addToScopeOf,
  beginScope,
  chooseNotebook,
  endOneQuestion,
  focusStore,
  notebookScopeStore,
  removeFromScope,
  restoreScope,
  saveScope,
  scopeConversation,
  scopeStore,
  tagScopeStore,
  toggleTag,
} from "../../../src/conversation/composer/questionOptions";
import { makeRequest } from "../../../src/conversation/composer/questionRequest";
import { DEFAULTS, preferencesStore } from "../../../src/settings/preferences";

beforeEach(() => {
  sessionStorage.clear();
  scopeConversation.set(null);
  scopeStore.set([]);
  tagScopeStore.set([]);
  focusStore.set("all");
  preferencesStore.set(DEFAULTS);
});

test("the documents that are chosen go with the question, until they are taken out", () => {
  addToScope({ id: "d1", title: "The dam" });
  addToScope({ id: "d1", title: "The dam" });
  addToScope({ id: "d2", title: "The lake" });
  expect(makeRequest("How?").documents).toEqual(["d1", "d2"]);
  removeFromScope("d1");
  expect(makeRequest("How?").documents).toEqual(["d2"]);
  removeFromScope("d2");
  expect(makeRequest("How?")).toEqual({ message: "How?", focusMode: "all" });
});

test("a document that was chosen for words of it goes with one question alone", () => {
  addToScope({ id: "d1", title: "The dam" });
  addToScope({ id: "d2", title: "The lake", isForOneQuestion: true });
  addToScope({ id: "d1", title: "The dam", isForOneQuestion: true });
  const documents = makeRequest("What does it mean?").documents ?? [];
  expect(documents).toEqual(["d1", "d2"]);
  endOneQuestion("What does it mean?", documents);
  expect(makeRequest("And now?").documents).toEqual(["d1"]);
  // Other words of the same document, while the answer is written.
  addToScope({ id: "d2", title: "The lake", isForOneQuestion: true });
  expect(makeRequest("And this?").documents).toEqual(["d1", "d2"]);
});

test("a question that is asked again is about the documents that were chosen for it alone", () => {
  addToScope({ id: "d2", title: "The lake", isForOneQuestion: true });
  endOneQuestion("What does it mean?", ["d2"]);
  expect(makeRequest("What does it mean here?", "m1", "What does it mean?").documents).toEqual(["d2"]);
  expect(makeRequest("What does it mean?").documents).toBeUndefined();
  expect(makeRequest("How high?", "m2", "How high?").documents).toBeUndefined();
});

test("a conversation has its documents again when one comes back to it", () => {
  addToScope({ id: "d1", title: "The dam" });
  saveScope("c1");
  restoreScope("c2");
  expect(scopeStore.get()).toEqual([]);
  restoreScope("c1");
  expect(scopeStore.get()).toEqual([{ id: "d1", title: "The dam" }]);
});

test("tags go with the question instead of documents, and stay with their conversation", () => {
  toggleTag("lease");
  toggleTag("due soon");
  expect(makeRequest("How?")).toMatchObject({ tags: ["lease", "due soon"] });
  toggleTag("due soon");
  saveScope("c1");
  restoreScope("c2");
  expect(makeRequest("How?")).not.toHaveProperty("tags");
  restoreScope("c1");
  expect(tagScopeStore.get()).toEqual(["lease"]);
  addToScope({ id: "d1", title: "The dam" });
  expect(makeRequest("How?")).not.toHaveProperty("tags");
  toggleTag("lease");
  expect(makeRequest("How?")).toMatchObject({ tags: ["lease"] });
  expect(makeRequest("How?")).not.toHaveProperty("documents");
});

test("a notebook goes with the question instead of what was chosen, and stays with its conversation", () => {
  addToScope({ id: "d1", title: "The dam" });
  chooseNotebook({ id: "n1", title: "Dams" });
  expect(makeRequest("How?")).toMatchObject({ notebook: "n1" });
  expect(makeRequest("How?")).not.toHaveProperty("documents");
  addToScope({ id: "d2", title: "The lake" });
  expect(makeRequest("How?")).toMatchObject({ notebook: "n1", documents: ["d2"] });
  saveScope("c1");
  restoreScope("c2");
  expect(makeRequest("How?")).not.toHaveProperty("notebook");
  restoreScope("c1");
  expect(notebookScopeStore.get()).toEqual({ id: "n1", title: "Dams" });
  beginScope([]);
  expect(makeRequest("How?")).not.toHaveProperty("notebook");
});

test("documents of a question that was not sent outlast a reload, each conversation's own", () => {
  restoreScope(null);
  addToScope({ id: "d1", title: "The dam" });
  restoreScope("c1");
  expect(scopeStore.get()).toEqual([]);
  addToScope({ id: "d2", title: "The lake" });
  restoreScope(null);
  expect(scopeStore.get()).toEqual([{ id: "d1", title: "The dam" }]);
  addToScopeOf("c1", { id: "d3", title: "The fish" });
  expect(scopeStore.get()).toHaveLength(1);
  restoreScope("c1");
  expect(scopeStore.get().map(({ id }) => id)).toEqual(["d2", "d3"]);
  restoreScope(null);
  saveScope("c2");
  restoreScope(null);
  expect(scopeStore.get()).toEqual([]);
  restoreScope("c2");
  expect(scopeStore.get()).toEqual([{ id: "d1", title: "The dam" }]);
});
