import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Problem, parseProblem, toProblem } from "../../src/api/problem";
import { EventParser, readEvents, type ServerSentEvent } from "../../src/api/serverSentEvents";

const EVENT = fc.record({ type: fc.constantFrom("text", "citation", "progress"), data: fc.json() });

test("a stream that arrives in any pieces, with either kind of line end, gives the same events", () => {
  fc.assert(
    fc.property(fc.array(EVENT), fc.array(fc.nat()), fc.constantFrom("\n", "\r\n"), (events, cuts, end) => {
      const whole = events
        .map(({ type, data }) => `event: ${type}${end}data: ${data}${end}${end}`)
        .join(`: ping${end}${end}`);
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).toSorted((a, b) => a - b), whole.length];
      const cutter = new EventParser();
      const made: ServerSentEvent[] = places
        .slice(1)
        .flatMap((to, place) => cutter.push(whole.slice(places[place], to)));
      expect(made).toEqual(events);
    }),
  );
});

test("characters that are cut in the middle of their bytes arrive whole", async () => {
  const bytes = new TextEncoder().encode('event: text\ndata: "🙂é"\n\n');
  for (let cut = 1; cut < bytes.length; cut++) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, cut));
        controller.enqueue(bytes.slice(cut));
        controller.close();
      },
    });
    const made: ServerSentEvent[] = [];
    for await (const batch of readEvents(new Response(body))) made.push(...batch);
    expect(made).toEqual([{ type: "text", data: '"🙂é"' }]);
  }
});

test("a browser whose bodies cannot be iterated hears the same, and who stops listening lets go of the line", async () => {
  const cancelled = vi.fn();
  const body = new ReadableStream({
    start(controller) {
      for (const data of [1, 2, 3]) controller.enqueue(new TextEncoder().encode(`event: text\ndata: ${data}\n\n`));
    },
    cancel: cancelled,
  });
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  const made: ServerSentEvent[] = [];
  for await (const batch of readEvents({ body } as Response)) {
    made.push(...batch);
    if (made.length === 2) break;
  }
  expect(made.map((each) => each.data)).toEqual(["1", "2"]);
  expect(cancelled).toHaveBeenCalledOnce();
});

test("a line that died without a word, as when a laptop slept, is lost and not waited for", async () => {
  vi.useFakeTimers();
  const cancelled = vi.fn();
  let t: (text: string) => void = () => {};
  const body = new ReadableStream({
    start(controller) {
      t = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: cancelled,
  });
  const heard = readEvents(new Response(body)).next();
  const lost = expect(heard).rejects.toMatchObject({ code: "offline" });
  for (let quiet = 0; quiet < 4; quiet++) {
    await vi.advanceTimersByTimeAsync(15_000);
    t(": ping\n\n");
  }
  await vi.advanceTimersByTimeAsync(30_000);
  expect(cancelled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  await lost;
  expect(cancelled).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test("an error of the server keeps its code, its words and its advice", () => {
  const problem = parseProblem(409, { error: { code: "busy", message: "Wait.", hint: "Or stop it." } });
  expect(problem).toMatchObject({ code: "busy", message: "Wait.", hint: "Or stop it.", status: 409 });
});

test("an answer that is no error of ours says at least its status", () => {
  expect(parseProblem(502, null)).toMatchObject({ code: "down", message: "HTTP 502", status: 502 });
  expect(parseProblem(500, "<html>")).toMatchObject({ code: "down", message: "HTTP 500" });
  expect(parseProblem(405, null)).toMatchObject({ code: "http", message: "HTTP 405" });
});

test("a fetch that finds nobody means that the server is not there", () => {
  expect(toProblem(new TypeError("Failed to fetch")).code).toBe("offline");
  expect(toProblem(new Error("odd")).code).toBe("page");
  const problem = new Problem({ code: "busy", message: "", hint: "" });
  expect(toProblem(problem)).toBe(problem);
});
