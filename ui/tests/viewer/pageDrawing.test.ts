import { expect, test, vi } from "vitest";
import { releasePage } from "../../src/viewer/pageDrawing";
import type { Pdf } from "../../src/viewer/pdf";

function held(pictures: number): HTMLElement {
  const holder = document.createElement("div");
  for (let at = 0; at < pictures; at++) holder.append(document.createElement("canvas"));
  return holder;
}

test("a page that is scrolled away gives back its picture and what was decoded to draw it", async () => {
  const cleanup = vi.fn();
  const getPage = vi.fn(async (_: number) => ({ cleanup }));
  const holder = held(1);
  await releasePage({ getPage } as unknown as Pdf, 7, holder);
  expect(cleanup).toHaveBeenCalledOnce();
  expect(getPage).toHaveBeenCalledExactlyOnceWith(7);
  expect(holder.querySelector("canvas")).toMatchObject({ width: 0, height: 0 });
});

test("a page that was passed before it was drawn is not loaded only to be forgotten", async () => {
  const getPage = vi.fn();
  await releasePage({ getPage } as unknown as Pdf, 7, held(0));
  expect(getPage).not.toHaveBeenCalled();
});

test("a file that was closed meanwhile is no trouble", async () => {
  const getPage = () => {
    throw new TypeError("There is no worker any more.");
  };
  await expect(releasePage({ getPage } as unknown as Pdf, 7, held(1))).resolves.toBeUndefined();
});
