import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "./render";

vi.mock("../../src/api/client", () => ({
  unwrap: (answer: { data: unknown }) => answer.data,
  server: {
    GET: async (path: string) => ({ data: path === "/api/suggestions" ? SUGGESTED : { total } }),
    POST: async (path: string, { body }: { body: unknown }) => {
      sent.push([path, body]);
      total = 2;
      return { data: [{ id: "s1" }, { id: "s2" }] };
    },
  },
}));

vi.mock("../../src/library/upload", () => ({
  waitUntilSearchable: async (id: string) => {
    waited.push(id);
    return { id, title: `Sample ${id}` };
  },
}));

let total = 1;
const sent: unknown[] = [];
const waited: string[] = [];
const ABOUT = { document: "d1", title: "The dam", language: "en" };
const SUGGESTED = [
  { ...ABOUT, heading: "Its height" },
  { ...ABOUT, heading: "Its builders" },
];

const { WelcomeScreen } = await import("../../src/conversation/WelcomeScreen");
const { viewerStore } = await import("../../src/viewer/viewerStore");
let page: Drawn | null = null;

afterEach(() => {
  page?.leave();
  total = 1;
  sent.length = 0;
  waited.length = 0;
  vi.restoreAllMocks();
});

test("a library of one document suggests several questions about it, each of which asks its own", async () => {
  const complained = vi.spyOn(console, "error").mockReturnValue();
  const asked = vi.fn();
  page = drawn(<WelcomeScreen onAsk={asked} />);
  await act(async () => {});
  const buttons = [...page.page.querySelectorAll<HTMLButtonElement>(".suggestions button")];
  for (const button of buttons) button.click();
  expect(asked.mock.calls.map(([question]) => question)).toEqual([
    expect.stringContaining("Its height"),
    expect.stringContaining("Its builders"),
  ]);
  expect(complained).not.toHaveBeenCalled();
});

test("who cannot drop a file, as on a phone, begins with a button", async () => {
  total = 0;
  page = drawn(<WelcomeScreen onAsk={() => {}} />);
  await act(async () => {});
  const input = page.page.querySelector<HTMLInputElement>("input[type=file]");
  const chooses = vi.spyOn(input as HTMLInputElement, "click").mockReturnValue();
  page.page.querySelector<HTMLButtonElement>(".beginning-ways > button")?.click();
  expect(chooses).toHaveBeenCalledOnce();
});

test("one press adds the samples, waits until they are read, and takes the offer away", async () => {
  total = 0;
  page = drawn(<WelcomeScreen onAsk={() => {}} />);
  await act(async () => {});
  await act(async () => page?.page.querySelector<HTMLButtonElement>(".sample button")?.click());
  expect(sent).toEqual([["/api/samples", { language: "en" }]]);
  expect(waited).toEqual(["s1", "s2"]);
  expect(page.page.querySelector(".sample")).toBeNull();
});

test("the samples that were added are named, and a press opens one", async () => {
  total = 0;
  page = drawn(<WelcomeScreen onAsk={() => {}} />);
  await act(async () => {});
  await act(async () => page?.page.querySelector<HTMLButtonElement>(".sample button")?.click());
  const links = [...page.page.querySelectorAll<HTMLAnchorElement>(".beginning-samples a")];
  expect(links.map(({ textContent }) => textContent)).toEqual(["Sample s2", "Sample s1"]);
  act(() => links[1]?.click());
  expect(viewerStore.get().document).toBe("s1");
});
