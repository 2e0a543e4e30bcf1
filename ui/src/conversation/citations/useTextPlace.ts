/** Places in texts that have neither pages nor headings. */
import { useEffect } from "react";
import { server, unwrap } from "../../api/client";
import { useTranslate } from "../../i18n";
import { isHiddenDocument } from "../../sharing/hiddenDocuments";
import { onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";
import { useSelector } from "../../state/useSelector";
import { nameTextPlace } from "../../text/placeNames";

/** By document, in characters; null while it is loading. */
const textLengths = createStore<Readonly<Record<string, number | null>>>({});
onPersonGone(() => textLengths.set({}));

/** Name where in the text of its document a passage is; "" without one and until the length of the text is known. */
export function useTextPlace(passage: { document: string; start: number } | null): string {
  const t = useTranslate();
  const known = passage ? nameTextPlace(t, passage.start, null) : "";
  const document = passage && !known ? passage.document : null;
  useEffect(() => {
    if (document && !isHiddenDocument(document)) void loadTextLength(document);
  }, [document]);
  const length = useSelector(textLengths, (lengths) => (document ? (lengths[document] ?? null) : null));
  return known || (passage ? nameTextPlace(t, passage.start, length) : "");
}

async function loadTextLength(document: string): Promise<void> {
  if (document in textLengths.get()) return;
  textLengths.set((now) => ({ ...now, [document]: null }));
  try {
    const params = { path: { document }, query: { start: 0, end: 1 } };
    const { length } = unwrap(await server.GET("/api/documents/{document}/blocks", { params }));
    textLengths.set((now) => ({ ...now, [document]: length }));
  } catch {
    // Without the place the source can still be opened. The viewer reports a missing document or server.
    textLengths.set(({ [document]: _, ...others }) => others);
  }
}
