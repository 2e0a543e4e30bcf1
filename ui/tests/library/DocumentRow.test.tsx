import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import { DocumentRow } from "../../src/library/DocumentRow";
import { retryDocument } from "../../src/library/documentActions";
import type { Document, Progress } from "../../src/library/documents";
import { closeViewer, viewerStore } from "../../src/viewer/viewerStore";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn(async (_: Request) => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  return fetched;
});

HTMLElement.prototype.hidePopover ??= () => {};

const PAPER: Document = {
  id: "d1",
  title: "Annual report",
  name: "report.pdf",
  kind: "pdf",
  language: "en",
  status: "ready",
  error: "",
  error_code: "",
  problems: [],
  notes: [],
  pages: 96,
  passages: 200,
  bytes: 2_140_000,
  libraries: ["default"],
  url: null,
  folder: "",
  tags: [],
  date: null,
  fetched: null,
  metadata: {},
  created: 1_700_000_000,
  updated: 1_700_000_000,
};

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  chosenLanguage.set("en");
  place = document.body.appendChild(document.createElement("ul"));
  root = createRoot(place);
  fetched.mockClear();
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
});

function show(paper: Partial<Document>, progress: Partial<Progress> | null = null) {
  const told = progress && ({ document: "d1", step: null, done: 0, total: 0, error_code: "", ...progress } as Progress);
  act(() =>
    root.render(
      <DocumentRow
        document={{ ...PAPER, ...paper }}
        progress={told}
        isChosen={false}
        onToggle={() => undefined}
        onFolder={() => undefined}
        onTag={() => {}}
      />,
    ),
  );
  return place.textContent ?? "";
}

const press = (element: Element | null) => act(async () => (element as HTMLElement).click());

test("a document that is ready says what it is and opens beside the list", async () => {
  expect(show({})).toContain("PDF96 pages2.1 MB");
  await press(place.querySelector("a.document-title"));
  expect(viewerStore.get()).toMatchObject({ document: "d1", isOpen: true });
});

test("a document that is being read says how far it is, cannot be opened yet, and can be selected", () => {
  const said = show({ status: "queued" }, { status: "reading", step: "read", done: 11, total: 96 });
  expect(said).toContain("Reading page 12 of 96");
  expect(place.querySelector("progress")?.value).toBeCloseTo(11 / 96);
  expect(place.querySelector("a.document-title")).toBeNull();
  expect(place.querySelector<HTMLInputElement>("input[type=checkbox]")?.disabled).toBe(false);
});

test("the row of the document whose source is open is marked, and no longer once it is closed", async () => {
  show({});
  await press(place.querySelector("a.document-title"));
  expect(place.querySelector("li")?.getAttribute("aria-current")).toBe("true");
  act(closeViewer);
  expect(place.querySelector("li")?.hasAttribute("aria-current")).toBe(false);
});

test("a PDF that was just read is called a PDF before the list is loaded again", () => {
  const said = show({ kind: "text", pages: 0, status: "reading" }, { status: "searchable" });
  expect(said).toContain("PDF2.1 MB");
});

test("a document that failed says why in the reader's language", () => {
  act(() => chosenLanguage.set("fr"));
  expect(show({ status: "failed", error: "It is damaged.", error_code: "unreadable" })).not.toContain("damaged");
});

test("a protected file asks for its password, and is tried again with it", async () => {
  show({ status: "failed", error: "It needs a password.", error_code: "encrypted" });
  const field = place.querySelector<HTMLInputElement>("input[type=password]");
  const button = place.querySelector<HTMLButtonElement>("button[type=submit]");
  expect(button?.disabled).toBe(true);
  act(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    set?.call(field, "sesame");
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await press(button);
  const [request] = fetched.mock.lastCall ?? [];
  expect(request?.url).toContain("/api/documents/d1/retry");
  expect(await request?.json()).toEqual({ password: "sesame" });
});

test("a protected file that was to be read again says that its password is needed again, and opens", async () => {
  await retryDocument("d1", "sesame");
  expect(show({ error: "It needs a password.", error_code: "encrypted" })).toContain("does not open the file");
  await act(() => retryDocument("d1", ""));
  expect(show({ error: "It needs a password.", error_code: "encrypted" })).toContain("its password is not kept");
  expect(place.querySelector("input[type=password]")).not.toBeNull();
  expect(place.querySelector("a.document-title")).not.toBeNull();
  show({});
  expect(place.querySelector("input[type=password]")).toBeNull();
});

test("the work tells why it failed before the list is looked at again", () => {
  show({ status: "reading" }, { status: "failed", error: "It needs a password.", error_code: "encrypted" });
  expect(place.querySelector("input[type=password]")).not.toBeNull();
});

test("what could not be read of a document is told on demand", () => {
  show({ problems: ["Page 3 could not be read and was skipped."] });
  expect(place.querySelector("details")?.open).toBe(false);
  expect(place.querySelector("summary")?.textContent).toBe("1 part could not be read");
});

test("what was read and is kept apart is a note, and no alarm", () => {
  show({ notes: ["Page 1: hidden text is stored separately and is not searched."] });
  expect([...document.querySelectorAll(".problems summary")].map((each) => each.textContent)).toEqual(["1 note"]);
  expect(document.querySelector(".failing")).toBeNull();
});

test("a hostile title is text and nothing else", () => {
  const title = '<img src=x onerror="alert(1)">';
  expect(show({ title })).toContain(title);
  expect(place.querySelector("img")).toBeNull();
});

test("a file's name stands beside a title that does not tell it, so that ten reports of one title are ten", () => {
  show({ title: "Form 10-K", name: "CORNING_2020_10K.pdf" });
  expect(place.textContent).toContain("CORNING_2020_10K.pdf");
  show({ title: "bail", name: "bail.txt" });
  expect(place.textContent).not.toContain("bail.txt");
});

const item = (name: string) =>
  [...place.querySelectorAll("[role=menuitem]")].find((each) => each.textContent === name) ?? null;
const openMenu = () =>
  act(async () => {
    place.querySelector("[role=menu]")?.dispatchEvent(Object.assign(new Event("toggle"), { newState: "open" }));
  });

test("a title can be changed in its place", async () => {
  show({});
  await openMenu();
  await press(item("Rename"));
  const field = place.querySelector<HTMLInputElement>("input.field");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    if (!field) throw new Error("There is no field.");
    set?.call(field, "Report of 2023");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => field?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));
  const [request] = fetched.mock.calls[0] ?? [];
  expect(request?.method).toBe("PATCH");
  expect(await request?.json()).toEqual({ title: "Report of 2023" });
  expect(place.querySelector("input.field")).toBeNull();
});

test("a document that was not read completely can be read again, a whole one cannot", async () => {
  show({});
  await openMenu();
  expect(item("Read again")).toBeNull();
  show({ problems: ["Page 2 is a picture."] });
  await press(item("Read again"));
  expect(fetched.mock.calls[0]?.[0].url).toContain("/api/documents/d1/retry");
});
