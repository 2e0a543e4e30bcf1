import { useEffect } from "react";

/** Set the title of the browser's tab; "" gives the program's name alone. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Pincite` : "Pincite";
  }, [title]);
}
