import { beforeEach, expect, test, vi } from "vitest";

let finish: (value: unknown) => void = () => {};
vi.mock("../../../src/library/upload", () => ({
  uploadFile: async () => ({ id: "d1" }),
  waitUntilSearchable: () =>
    new Promise((resolve) => {
      finish = resolve;
    }),
}));

const { createAttachmentStore } = await import("../../../src/conversation/composer/attachmentStore");
const { restoreScope, restoreSentFiles, scopeStore } = await import(
  "../../../src/conversation/composer/questionOptions"
);

beforeEach(() => {
  sessionStorage.clear();
  restoreScope(null);
});

test("a file that was sent is waited for again after a reload, and then belongs to its question", async () => {
  const before = createAttachmentStore();
  before.attachFiles([new File(["words"], "dam.md")]);
  expect(before.isSending()).toBe(true);
  await vi.waitFor(() => expect(restoreSentFiles(null)).toEqual([{ id: "d1", name: "dam.md" }]));
  expect(before.isSending()).toBe(false);

  const after = createAttachmentStore();
  after.restore("another");
  expect(after.get()).toEqual([]);
  after.restore(null);
  await vi.waitFor(() => expect(after.get()).toMatchObject([{ name: "dam.md", document: "d1", share: 1 }]));
  after.restore(null);
  expect(after.get()).toHaveLength(1);
  finish({ id: "d1", title: "The dam", name: "dam.md" });
  await vi.waitFor(() => expect(scopeStore.get()).toEqual([{ id: "d1", title: "The dam" }]));
  expect(restoreSentFiles(null)).toEqual([]);
});
