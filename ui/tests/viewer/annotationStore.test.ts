import { expect, test, vi } from "vitest";
import { type Annotation, createAnnotationStore, lastColour } from "../../src/viewer/annotationStore";

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

const note = (id: string, start: number, more: Partial<Annotation> = {}): Annotation => ({
  ...{ id, document: "d", title: "Lakes", start, end: start + 4, quote: "deep", page: 1, label: "" },
  ...{ colour: "yellow", comment: "", state: "found", boxes: [], created: 0, updated: 0 },
  ...more,
});

function serve(answer: unknown) {
  fetched.mockImplementation(async () => Response.json(answer));
}

test("a new highlight stands among the others in the order of the text", async () => {
  const store = createAnnotationStore();
  serve([note("a", 5), note("c", 90)]);
  await store.load("d");
  serve(note("b", 40));
  await store.add("d", { start: 40, end: 44 });
  expect(store.get().annotations.map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

test("a highlight of another document is not shown here", async () => {
  const store = createAnnotationStore();
  serve([note("a", 5)]);
  await store.load("d");
  serve(note("z", 1, { document: "other" }));
  await store.add("other", { start: 1, end: 5 });
  expect(store.get().annotations.map(({ id }) => id)).toEqual(["a"]);
  serve([]);
  const loading = store.load("e");
  expect(store.get().annotations).toEqual([]);
  await loading;
});

test("the next highlight has the colour that was chosen last", async () => {
  const store = createAnnotationStore();
  serve([note("a", 5)]);
  await store.load("d");
  serve(note("a", 5, { colour: "pink" }));
  await store.change("a", { colour: "pink" });
  expect(lastColour.get()).toBe("pink");
  await store.add("d", { start: 1, end: 5 });
  const request = fetched.mock.calls.at(-1)?.[0] as Request;
  expect(await request.json()).toMatchObject({ colour: "pink", start: 1, end: 5 });
});

test("a document is shown without highlights when the server does not answer", async () => {
  const store = createAnnotationStore();
  fetched.mockRejectedValue(new TypeError("away"));
  await store.load("d");
  expect(store.get()).toMatchObject({ document: "d", annotations: [] });
});
