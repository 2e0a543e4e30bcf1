/** A page of a PDF, drawn: its picture on a canvas, and its words as text that can be selected. */
import { type Size, sharpness } from "./geometry";
import { type Pdf, pdfjs } from "./pdf";
import { guardSelection } from "./selecting";

/** Draw a page into `holder`, in place of what is there once the new picture is whole. */
export async function drawPicture(
  pdf: Pdf,
  number: number,
  size: Size,
  holder: HTMLElement,
  signal: AbortSignal,
): Promise<void> {
  const page = await pdf.getPage(number);
  if (signal.aborted) return;
  const ratio = sharpness(size, devicePixelRatio);
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
    release(canvas);
    if (!signal.aborted) throw error;
    return;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) return release(canvas);
  for (const old of holder.querySelectorAll("canvas")) release(old);
  holder.replaceChildren(canvas);
}

/** Lay a page's words over its picture; their size follows `--total-scale-factor`, so that zooming needs nothing. */
export async function layWords(pdf: Pdf, number: number, holder: HTMLElement, signal: AbortSignal): Promise<void> {
  const [{ library }, page] = await Promise.all([pdfjs(), pdf.getPage(number)]);
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

/** Give back the memory of a page that was drawn into `holder`: its picture, and what was decoded to draw it. */
export async function leave(pdf: Pdf, number: number, holder: HTMLElement): Promise<void> {
  const drawn = holder.querySelectorAll("canvas");
  for (const canvas of drawn) release(canvas);
  if (!drawn.length) return;
  try {
    (await pdf.getPage(number)).cleanup();
  } catch {
    // A file that was closed meanwhile has let go of all its pages.
  }
}

/** Give a canvas's memory back at once; browsers are in no hurry to. */
function release(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
