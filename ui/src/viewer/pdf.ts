/** pdf.js, loaded with the first PDF. It reads files by ranges and runs none of their scripts or links. */
import type { PDFDocumentProxy, PDFWorker } from "pdfjs-dist";
import { createLazy } from "../state/lazy";

export type Pdf = PDFDocumentProxy;
type Library = typeof import("pdfjs-dist");

interface Loaded {
  library: Library;
  worker: PDFWorker;
}

/** Load the library with one worker for all files. */
export const loadPdfjs = createLazy<Loaded>(async () => {
  const library = await import("pdfjs-dist");
  const port = new Worker(new URL("pdfjs-dist/build/pdf.worker.mjs", import.meta.url), { type: "module" });
  // Where the browser can, a second worker paints the pages, so that scrolling does not wait for them.
  const painter = new Worker(new URL("pdfjs-dist/build/pdf.renderer.mjs", import.meta.url), { type: "module" });
  library.GlobalWorkerOptions.rendererPorts = [painter];
  return { library, worker: library.PDFWorker.create({ port }) };
});

/** A PDF that needs a password which the page does not have. */
export class PasswordNeeded extends Error {}

/** A file that is being opened, and a function to close it. */
export interface PendingPdf {
  pdf: Promise<Pdf>;
  close: () => void;
}

/** Open a document's file; rejects with `PasswordNeeded` if it needs a password. */
export function openPdf(document: string): PendingPdf {
  let close = () => {};
  let isClosed = false;
  const pdf = loadPdfjs().then(({ library, worker }) => {
    if (isClosed) throw new Error("closed");
    const task = library.getDocument({
      url: `/api/documents/${document}/file`,
      worker,
      disableAutoFetch: true,
      disableStream: true,
      cMapUrl: "/pdfjs/cmaps/",
      standardFontDataUrl: "/pdfjs/standard_fonts/",
      wasmUrl: "/pdfjs/wasm/",
      iccUrl: "/pdfjs/iccs/",
      enableXfa: false,
      verbosity: library.VerbosityLevel.ERRORS,
    });
    close = () => void task.destroy();
    return task.promise.catch((error: unknown) => {
      throw error instanceof library.PasswordException ? new PasswordNeeded() : error;
    });
  });
  pdf.catch(() => undefined);
  return {
    pdf,
    close() {
      isClosed = true;
      close();
    },
  };
}
