import { expect, test } from "vitest";
import { getFolder, readChosenFiles, readDroppedFiles } from "../../src/library/droppedFiles";

type Tree = { [name: string]: Tree | null };

/** What a browser hands over for a dropped tree; folders are read in portions of two. */
function transfer(tree: Tree): DataTransfer {
  const entry = (name: string, inner: Tree | null): FileSystemEntry =>
    (inner
      ? {
          name,
          isFile: false,
          createReader: () => {
            const left = Object.entries(inner).map((each) => entry(...each));
            return { readEntries: (give: (portion: FileSystemEntry[]) => void) => give(left.splice(0, 2)) };
          },
        }
      : {
          name,
          isFile: true,
          file: (give: (file: File) => void) => give(new File(["x"], name)),
        }) as unknown as FileSystemEntry;
  const items = Object.entries(tree).map((each) => ({ webkitGetAsEntry: () => entry(...each) }));
  return { items, files: [] } as unknown as DataTransfer;
}

const places = (files: { file: File; folder: string }[]) =>
  files.map(({ file, folder }) => [folder, file.name].filter(Boolean).join("/")).sort();

test("a dropped folder gives every file in it, at any depth, with the folder it lay in", async () => {
  const tree = { reports: { "a.pdf": null, "b.pdf": null, "c.pdf": null, 2024: { deep: { "d.pdf": null } } } };
  expect(places(await readDroppedFiles(transfer(tree)))).toEqual([
    "reports/2024/deep/d.pdf",
    "reports/a.pdf",
    "reports/b.pdf",
    "reports/c.pdf",
  ]);
});

test("files that the system keeps for itself are left behind", async () => {
  const tree = { ".DS_Store": null, "Thumbs.db": null, docs: { ".git": { config: null }, "~$memo.docx": null } };
  expect(await readDroppedFiles(transfer({ ...tree, "memo.docx": null }))).toHaveLength(1);
});

test("a browser that knows no folders still gives its files", async () => {
  const files = [new File(["x"], "a.pdf")];
  expect(places(await readDroppedFiles({ items: [{}], files } as unknown as DataTransfer))).toEqual(["a.pdf"]);
});

test("a chosen folder tells where each file lay", () => {
  const file = Object.defineProperty(new File(["x"], "a.pdf"), "webkitRelativePath", { value: "reports/2024/a.pdf" });
  expect(readChosenFiles([file])).toEqual([{ file, folder: "reports/2024" }]);
  expect(getFolder("a.pdf")).toBe("");
});
