/** Draw a page of a PDF: its picture on a canvas, and its words as selectable text. */
import { computePixelRatio, type Size } from "./pageGeometry";
import { loadPdfjs, type Pdf } from "./pdf";
import { guardSelection } from "./textSelection";

/** Draw a page into `holder`. The old picture stays until the new one is complete. */
export async function drawPage(
  pdf: Pdf,
  number: number,
  size: Size,
  holder: HTMLElement,
  signal: AbortSignal,
): Promise<void> {
  const page = await pdf.getPage(number);
  if (signal.aborted) return;
  const ratio = computePixelRatio(size, devicePixelRatio);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(size.width * ratio));
  canvas.height = Math.max(1, Math.round(size.height * ratio));
  const whole = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: canvas.width / whole.width });
  const stretch = canvas.height / viewport.height;
  const task = page.render({ canvas, viewport, transform: [1, 0, 0, stretch, 0, 0] });
  const stop = () => task.cancel();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await task.promise;
  } catch (error) {
    releaseCanvas(canvas);
    if (!signal.aborted) throw error;
    return;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) return releaseCanvas(canvas);
  for (const old of holder.querySelectorAll("canvas")) releaseCanvas(old);
  holder.replaceChildren(canvas);
}

/** Put a page's words over its picture. They follow the zoom by `--total-scale-factor`. */
export async function drawTextLayer(pdf: Pdf, number: number, holder: HTMLElement, signal: AbortSignal): Promise<void> {
  const [{ library }, page] = await Promise.all([loadPdfjs(), pdf.getPage(number)]);
  if (signal.aborted) return;
  const container = document.createElement("div");
  container.className = "words-layer";
  const layer = new library.TextLayer({
    textContentSource: page.streamTextContent({ includeMarkedContent: false }),
    container,
    viewport: page.getViewport({ scale: 1 }),
  });
  const stop = () => layer.cancel();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await layer.render();
  } catch (error) {
    if (!signal.aborted) throw error;
    return;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) return;
  guardSelection(container);
  holder.replaceChildren(container);
}

/** Release the memory of a page that was drawn into `holder`: its picture and its decoded data. */
export async function releasePage(pdf: Pdf, number: number, holder: HTMLElement): Promise<void> {
  const drawn = holder.querySelectorAll("canvas");
  for (const canvas of drawn) releaseCanvas(canvas);
  if (!drawn.length) return;
  try {
    (await pdf.getPage(number)).cleanup();
  } catch {
    // The file was closed meanwhile and has released its pages.
  }
}

/** Release a canvas's memory at once; browsers would do it much later. */
function releaseCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
