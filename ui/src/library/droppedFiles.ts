/** Read dropped or chosen files, with the folder that each was in. */
import type { FileInFolder } from "./uploadQueue";

const HIDDEN = /^(\.|~\$|Thumbs\.db$|desktop\.ini$)/i;

/** Return whether a drag over the page carries files. */
export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes("Files") ?? false;
}

/** Read all dropped files, with folders at any depth. Must be called while the drop event is handled. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<FileInFolder[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  if (!entries.some((entry) => entry)) return dropHidden(files.map((file) => ({ file, folder: "" })));
  const found = await Promise.all(entries.map((entry) => (entry ? readEntry(entry, "") : [])));
  return found.flat();
}

/** Read the files of an input. It knows their folders if a folder was chosen. */
export function readChosenFiles(files: Iterable<File>): FileInFolder[] {
  return dropHidden([...files].map((file) => ({ file, folder: getFolder(file.webkitRelativePath ?? "") })));
}

/** Return the folder of a path; "" if it has none. */
export function getFolder(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function dropHidden(files: FileInFolder[]): FileInFolder[] {
  return files.filter(({ file, folder }) => ![...folder.split("/"), file.name].some((part) => HIDDEN.test(part)));
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<FileInFolder[]> {
  if (HIDDEN.test(entry.name)) return [];
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    );
    return file ? [{ file, folder }] : [];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inner = folder ? `${folder}/${entry.name}` : entry.name;
  const found: FileInFolder[] = [];
  // A reader returns a folder in portions (100 entries at a time in Chromium), and an empty one at the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!portion.length) return found;
    for (const each of portion) found.push(...(await readEntry(each, inner)));
  }
}
