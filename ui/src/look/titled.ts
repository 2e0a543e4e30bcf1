import { useEffect } from "react";

/** Call the browser's tab after what is on the page; "" is the program's name alone. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Pincite` : "Pincite";
  }, [title]);
}
