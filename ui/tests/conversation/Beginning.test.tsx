import { act } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Drawn, drawn } from "./drawn";

vi.mock("../../src/api/client", () => ({
  got: (answer: { data: unknown }) => answer.data,
  server: { GET: async (path: string) => ({ data: path === "/api/suggestions" ? SUGGESTED : { total: 1 } }) },
}));

const ABOUT = { document: "d1", title: "The dam", language: "en" };
const SUGGESTED = [
  { ...ABOUT, heading: "Its height" },
  { ...ABOUT, heading: "Its builders" },
];

const { Beginning } = await import("../../src/conversation/Beginning");
let page: Drawn | null = null;

afterEach(() => {
  page?.leave();
  vi.restoreAllMocks();
});

test("a library of one document suggests several questions about it, each of which asks its own", async () => {
  const complained = vi.spyOn(console, "error").mockReturnValue();
  const asked = vi.fn();
  page = drawn(<Beginning onAsk={asked} />);
  await act(async () => {});
  const buttons = [...page.page.querySelectorAll<HTMLButtonElement>(".suggestions button")];
  for (const button of buttons) button.click();
  expect(asked.mock.calls.map(([question]) => question)).toEqual([
    expect.stringContaining("Its height"),
    expect.stringContaining("Its builders"),
  ]);
  expect(complained).not.toHaveBeenCalled();
});
