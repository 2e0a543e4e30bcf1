/** What the person may do with documents: one's own, and those of libraries that others share. */
import { useMay } from "../account/accountStore";
import { useStore } from "../state/store";
import type { Document } from "./documents";
import { type Libraries, librariesStore } from "./librariesStore";

/** The key of another person's library is `~OWNER/NAME`. */
const OTHERS = "~";

/** Return whether one may change a document: it is one's own, or in a library in which one may write. */
export function mayChange({ libraries }: Pick<Document, "libraries">, held: Libraries | null): boolean {
  if (!libraries.length) return true;
  return libraries.some((key) => {
    if (!key.startsWith(OTHERS)) return true;
    const access = held?.libraries.find((each) => each.key === key)?.access;
    return access === "writer" || access === "owner";
  });
}

/** Return whether the person who is signed in may change a document. */
export function useMayChange(document: Pick<Document, "libraries">): boolean {
  const held = useStore(librariesStore);
  return useMay("write") && mayChange(document, held);
}
