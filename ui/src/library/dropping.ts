/** What was dropped or chosen, as files with the folder each lay in. */
import type { Given } from "./queue";

const HIDDEN = /^(\.|~\$|Thumbs\.db$|desktop\.ini$)/i;

/** Whether something that is dragged over the page is a file at all. */
export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}

/** All files in what was dropped, folders at any depth included. Must be called while the drop is handled. */
export async function dropped(transfer: DataTransfer): Promise<Given[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (!entries.some((entry) => entry)) return visible(files.map((file) => ({ file, folder: "" })));
  const found = await Promise.all(entries.map((entry) => (entry ? within(entry, "") : [])));
  return found.flat();
}

/** The files of an input, which knows their folders when a folder was chosen. */
export function chosen(files: Iterable<File>): Given[] {
  return visible([...files].map((file) => ({ file, folder: folderOf(file.webkitRelativePath ?? "") })));
}

/** The folder of a path, "" when it has none. */
export function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function visible(files: Given[]): Given[] {
  return files.filter(({ file, folder }) => ![...folder.split("/"), file.name].some((part) => HIDDEN.test(part)));
}

async function within(entry: FileSystemEntry, folder: string): Promise<Given[]> {
  if (HIDDEN.test(entry.name)) return [];
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    );
    return file ? [{ file, folder }] : [];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inner = folder ? `${folder}/${entry.name}` : entry.name;
  const found: Given[] = [];
  // A reader gives a folder in portions (100 at a time in Chromium), and an empty one at the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!portion.length) return found;
    for (const each of portion) found.push(...(await within(each, inner)));
  }
}
