import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "../render";

const attach = vi.hoisted(() => vi.fn());
vi.mock("../../../src/conversation/composer/attachmentStore", () => ({ attachmentStore: { attachFiles: attach } }));

const { AttachmentDropZone } = await import("../../../src/conversation/composer/AttachmentDropZone");
let page: Drawn | null = null;

afterEach(() => {
  page?.leave();
  attach.mockClear();
});

/** What the browser tells when this is dragged; a folder is an entry with others in it. */
function carried(...entries: object[]) {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { types: ["Files"], items, files: entries.map(() => new File([], "a folder is a file to some")) };
}

function paper(name: string) {
  return { isFile: true, name, file: (take: (file: File) => void) => take(new File(["words"], name)) };
}

function folder(name: string, ...inside: object[]) {
  const portions = [inside, []];
  return {
    isFile: false,
    name,
    createReader: () => ({ readEntries: (take: (found: object[]) => void) => take(portions.shift() ?? []) }),
  };
}

async function drag(type: string, dataTransfer: object, target: EventTarget = document.body): Promise<Event> {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer });
  await act(async () => {
    target.dispatchEvent(event);
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  return event;
}

test("a file that is dropped beside the conversation goes with the question, and the page stays", async () => {
  page = drawn(<AttachmentDropZone>words</AttachmentDropZone>);
  const held = carried(paper("report.pdf"));
  await drag("dragenter", held);
  expect(page.page.querySelector(".drop-over")).not.toBeNull();
  const event = await drag("drop", held);
  expect(event.defaultPrevented).toBe(true);
  expect(page.page.querySelector(".drop-over")).toBeNull();
  expect(attach.mock.calls[0]?.[0]).toMatchObject([{ name: "report.pdf" }]);
});

test("a folder that is dropped is the files in it", async () => {
  page = drawn(<AttachmentDropZone>words</AttachmentDropZone>);
  await drag("drop", carried(folder("papers", paper("one.pdf"), folder("older", paper("two.pdf")), paper(".hidden"))));
  expect(attach.mock.calls[0]?.[0]).toMatchObject([{ name: "one.pdf" }, { name: "two.pdf" }]);
});

test("words that are dragged are nobody's files", async () => {
  page = drawn(<AttachmentDropZone>words</AttachmentDropZone>);
  const event = await drag("drop", { types: ["text/plain"], items: [], files: [] });
  expect(event.defaultPrevented).toBe(false);
  expect(attach).not.toHaveBeenCalled();
});
