import type { Mark } from "../desk";
import { toast } from "../look/Toasts";
import { useWords } from "../words";
import type { Document } from "./source";
import type { Act } from "./Toolbar";

interface Offering {
  document: Document;
  chosen: Mark | null;
  page: number | null;
  isText: boolean;
  canDraw: boolean;
  onText: () => void;
  onTurn: (() => void) | null;
}

/** What can be done with a source beside reading it. */
export function useActs({ document, chosen, page, isText, canDraw, onText, onTurn }: Offering): Act[] {
  const say = useWords();
  const acts: Act[] = [];
  if (onTurn) acts.push({ icon: "rotate", label: say("viewer.rotate"), run: onTurn });
  if (canDraw) {
    acts.push(
      isText
        ? { icon: "document", label: say("viewer.asPages"), run: onText }
        : { icon: "list", label: say("viewer.asText"), run: onText },
    );
  }
  const link = new URL(linkTo(document.id, chosen, page), location.href).href;
  const copy = () =>
    copied(link).then(
      () => toast(say("viewer.linkCopied")),
      () => toast(say("viewer.linkIs", { link }), undefined, 20),
    );
  acts.push({ icon: "link", label: say(chosen ? "viewer.copyPassage" : "viewer.copyLink"), run: copy });
  acts.push({ icon: "open", label: say("viewer.original"), href: `/api/documents/${document.id}/file` });
  return acts;
}

/** The address of a passage, or of a page, of a document. */
export function linkTo(document: string, mark: Mark | null, page: number | null): string {
  if (mark && mark.start !== null && mark.end !== null) return `/d/${document}?span=${mark.start}-${mark.end}`;
  const at = mark?.page ?? page;
  return at === null ? `/d/${document}` : `/d/${document}?page=${at}`;
}

/** Copying is forbidden where the page did not come safely; then the caller shows the link. */
async function copied(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
