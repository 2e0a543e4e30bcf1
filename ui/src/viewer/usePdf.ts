import { useEffect, useState } from "react";
import { openPdf, PasswordNeeded, type Pdf } from "./pdf";

/** A PDF that is being opened; `trouble` tells why it cannot be drawn. */
export interface OpenedPdf {
  pdf: Pdf | null;
  trouble: "locked" | "broken" | null;
}

const NOTHING: OpenedPdf = { pdf: null, trouble: null };

/** Open the PDF of a document while the component is mounted; null opens none. */
export function usePdf(document: string | null): OpenedPdf {
  const [opened, set] = useState<OpenedPdf>(NOTHING);
  useEffect(() => {
    if (document === null) return;
    let isLeft = false;
    const opening = openPdf(document);
    opening.pdf.then(
      (pdf) => !isLeft && set({ pdf, trouble: null }),
      (error: unknown) => !isLeft && set({ pdf: null, trouble: error instanceof PasswordNeeded ? "locked" : "broken" }),
    );
    return () => {
      isLeft = true;
      set(NOTHING);
      opening.close();
    };
  }, [document]);
  return opened;
}
