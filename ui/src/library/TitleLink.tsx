import type { MouseEvent } from "react";
import { openDocument } from "../viewer/viewerStore";

/** The title of a document opens it beside the page. With a modifier key it is an ordinary link. */
export function TitleLink({ id, name }: { id: string; name: string }) {
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    openDocument(id);
  };
  return (
    <a className="document-title" href={`/d/${id}`} onClick={click}>
      {name}
    </a>
  );
}
