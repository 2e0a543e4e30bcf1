import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem";
import { chosenLanguage } from "../../src/i18n";
import { UploadList } from "../../src/library/UploadList";
import { type Upload, uploadQueue } from "../../src/library/uploadQueue";

vi.hoisted(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));

const FULL = {
  code: "queue_full",
  message: "2 documents already wait to be read and embedded: no more are accepted for now.",
  hint: "Try again in 60 s, when some of them are done.",
  params: { seconds: 60, limit: 2 },
};

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  uploadQueue.clear();
  place.remove();
});

test.each([
  ["en", "Too many of your documents are waiting to be read.", "Add more when some of them are ready.", "Try again"],
  [
    "fr",
    "Trop de vos documents attendent d’être lus.",
    "Ajoutez-en d’autres quand certains seront prêts.",
    "Réessayer",
  ],
] as const)("a file that finds the queue full says so in %s, and can be sent again", (language, said, hint, again) => {
  chosenLanguage.set(language);
  const refused: Upload = {
    key: 1,
    file: new File(["x"], "lakes.pdf"),
    options: {},
    state: "failed",
    share: 1,
    problem: new Problem(FULL, 429),
    document: null,
  };
  act(() => {
    uploadQueue.set(() => [refused]);
    root.render(<UploadList />);
  });
  const line = place.querySelector(".upload[data-state=failed]");
  expect(line?.textContent).toContain(said);
  expect(line?.textContent).toContain(hint);
  expect(line?.querySelector("button.plain")?.textContent).toBe(again);
});
