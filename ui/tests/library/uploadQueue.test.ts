import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createUploadQueue } from "../../src/library/uploadQueue";

const uploadQueue = createUploadQueue();

const fetched = vi.hoisted(() => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  return fetched;
});

/** A request that answers when the test says so. */
class Request {
  static sent: Request[] = [];
  upload: { onprogress: (event: { loaded: number; total: number }) => void } = { onprogress: () => undefined };
  onload = () => undefined;
  onerror = () => undefined;
  onabort = () => undefined;
  onloadend = () => undefined;
  responseType = "";
  status = 0;
  response: unknown = null;
  body = new FormData();
  isAborted = false;

  open() {}
  send(body: FormData) {
    this.body = body;
    Request.sent.push(this);
  }
  abort() {
    this.isAborted = true;
    this.onabort();
  }
  answer(status: number, response: unknown) {
    Object.assign(this, { status, response });
    this.onload();
    return settled();
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const files = (...names: string[]) => names.map((name) => ({ file: new File(["x"], name), folder: "" }));
const sent = (index: number) => Request.sent[index] as Request;
const added = (outcome: string) => ({ id: "d1", title: "A title", outcome });

beforeEach(() => {
  Request.sent = [];
  vi.stubGlobal("XMLHttpRequest", Request);
});
afterEach(async () => {
  for (const each of uploadQueue.get()) uploadQueue.dismiss(each.key);
  await settled();
});

test("two files are sent at a time, the next when one has arrived", async () => {
  uploadQueue.enqueue(files("a.pdf", "b.pdf", "c.pdf"));
  expect(uploadQueue.get().map((each) => each.state)).toEqual(["sending", "sending", "waiting"]);
  await sent(0).answer(202, added("new"));
  expect(uploadQueue.get().map((each) => [each.file.name, each.state])).toEqual([
    ["b.pdf", "sending"],
    ["c.pdf", "sending"],
  ]);
});

test("a file goes to the chosen library, with the folder it lay in", () => {
  uploadQueue.enqueue([{ file: new File(["x"], "a.pdf"), folder: "reports/2024" }], "Energy");
  const { body } = sent(0);
  expect([body.get("library"), body.get("folder"), (body.get("file") as File).name]).toEqual([
    "Energy",
    "reports/2024",
    "a.pdf",
  ]);
});

test("an upload tells how far it is", () => {
  uploadQueue.enqueue(files("a.pdf"));
  sent(0).upload.onprogress({ loaded: 3, total: 4 });
  expect(uploadQueue.get()[0]?.share).toBe(0.75);
});

test("an upload that failed says why and can be tried again", async () => {
  uploadQueue.enqueue(files("a.pdf"));
  await sent(0).answer(413, { error: { code: "too_large", message: "It is too large.", hint: "Make it smaller." } });
  expect(uploadQueue.get()[0]).toMatchObject({
    state: "failed",
    problem: { code: "too_large", hint: "Make it smaller." },
  });
  uploadQueue.retry(uploadQueue.get()[0]?.key ?? 0);
  await sent(1).answer(202, added("new"));
  expect(uploadQueue.get()).toEqual([]);
});

test("a file over the server's limit is refused before it is sent", async () => {
  fetched.mockResolvedValueOnce(Response.json({ max_file_mb: 2 }));
  const file = Object.defineProperty(new File(["x"], "huge.pdf"), "size", { value: 2_000_001 });
  uploadQueue.enqueue([{ file, folder: "" }]);
  await vi.waitFor(() =>
    expect(uploadQueue.get()[0]).toMatchObject({ state: "failed", problem: { code: "too_large" } }),
  );
  expect(Request.sent).toEqual([]);
});

test("a server that is not there is said to be so", async () => {
  uploadQueue.enqueue(files("a.pdf"));
  sent(0).onerror();
  await settled();
  expect(uploadQueue.get()[0]).toMatchObject({ state: "failed", problem: { code: "offline" } });
});

test("an upload that is stopped leaves the list and the line, and the next one goes", async () => {
  uploadQueue.enqueue(files("a.pdf", "b.pdf", "c.pdf"));
  uploadQueue.dismiss(uploadQueue.get()[0]?.key ?? 0);
  await settled();
  expect(sent(0).isAborted).toBe(true);
  expect(uploadQueue.get().map((each) => each.state)).toEqual(["sending", "sending"]);
});

test("what was there already is said, and everyone hears of what was taken in", async () => {
  const heard: string[] = [];
  const forget = uploadQueue.onAdded(({ outcome }) => heard.push(outcome));
  uploadQueue.enqueue(files("a.pdf", "b.pdf"));
  await sent(0).answer(202, added("known"));
  await sent(1).answer(202, added("new"));
  forget();
  expect(heard).toEqual(["known", "new"]);
  expect(uploadQueue.get()).toMatchObject([{ state: "known", document: { title: "A title" } }]);
});
