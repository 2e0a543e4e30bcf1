/** pdf.js, loaded when the first PDF is opened: files by ranges, nothing of a file's own scripts or links. */
import type { PDFDocumentProxy, PDFWorker } from "pdfjs-dist";

export type Pdf = PDFDocumentProxy;
type Library = typeof import("pdfjs-dist");

interface Loaded {
  library: Library;
  worker: PDFWorker;
}

let loaded: Promise<Loaded> | null = null;

/** The library with one worker for all files; what fails to load is tried again the next time. */
export function pdfjs(): Promise<Loaded> {
  loaded ??= import("pdfjs-dist").then((library) => {
    const port = new Worker(new URL("pdfjs-dist/build/pdf.worker.mjs", import.meta.url), { type: "module" });
    // Pages are painted in a worker of their own where the browser can, so that scrolling does not wait for them.
    const painter = new Worker(new URL("pdfjs-dist/build/pdf.renderer.mjs", import.meta.url), { type: "module" });
    library.GlobalWorkerOptions.rendererPorts = [painter];
    return { library, worker: library.PDFWorker.create({ port }) };
  });
  loaded.catch(() => {
    loaded = null;
  });
  return loaded;
}

/** A PDF that asks for a password the page does not have. */
export class Locked extends Error {}

/** A file that is being opened, and how to let go of it. */
export interface Opening {
  pdf: Promise<Pdf>;
  close: () => void;
}

/** Open a document's file; rejects with `Locked` when it asks for a password. */
export function openPdf(document: string): Opening {
  let close = () => {};
  let isClosed = false;
  const pdf = pdfjs().then(({ library, worker }) => {
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
      throw error instanceof library.PasswordException ? new Locked() : error;
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
