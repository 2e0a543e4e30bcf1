import { useEffect, useState } from "react";
import { Locked, openPdf, type Pdf } from "./pdf";

/** A PDF that is being opened; `trouble` tells why it cannot be drawn. */
export interface Opened {
  pdf: Pdf | null;
  trouble: "locked" | "broken" | null;
}

const NOTHING: Opened = { pdf: null, trouble: null };

/** The PDF of a document while it is shown; null where none is wanted. */
export function usePdf(document: string | null): Opened {
  const [opened, set] = useState<Opened>(NOTHING);
  useEffect(() => {
    if (document === null) return;
    let isLeft = false;
    const opening = openPdf(document);
    opening.pdf.then(
      (pdf) => !isLeft && set({ pdf, trouble: null }),
      (error: unknown) => !isLeft && set({ pdf: null, trouble: error instanceof Locked ? "locked" : "broken" }),
    );
    return () => {
      isLeft = true;
      set(NOTHING);
      opening.close();
    };
  }, [document]);
  return opened;
}
