import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chosenLanguage } from "../../src/i18n";
import { JudgeSection } from "../../src/settings/JudgeSection";
import type { Calibration, JudgeSettings, ServerSettings } from "../../src/settings/settingsApi";

const { asked, answers } = vi.hoisted(() => {
  const asked: string[] = [];
  const answers: { judge: unknown; status: number } = { judge: null, status: 202 };
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (method === "GET") return Response.json(answers.judge);
    const body = { error: { code: "busy", message: "", hint: "" } };
    return answers.status === 202
      ? Response.json(answers.judge, { status: 202 })
      : Response.json(body, { status: answers.status });
  });
  return { asked, answers };
});

const IDLE: Calibration = {
  ...{ setting: "model", model: "openai:gpt-5", measured: null },
  ...{ state: "idle", done: 0, total: 80, error: "" },
};
const MEASURED = { agreed: 74, total: 80, passed: 2, when: 1_794_744_000 };
let root: Root;
let place: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  chosenLanguage.set("en");
  asked.length = 0;
  answers.judge = IDLE;
  answers.status = 202;
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
});

function show(judge: JudgeSettings | null) {
  const loaded = { value: { judge } as unknown as ServerSettings, problem: null, retry: () => {}, set: () => {} };
  return act(async () => root.render(<JudgeSection loaded={loaded} />));
}
const second = () => act(() => vi.advanceTimersByTimeAsync(1000));
const press = () => act(async () => place.querySelector("button")?.click());

test("where nobody judges the page says why, and asks for nothing", async () => {
  await show({ setting: "off", model: "", measured: null });
  expect(place.textContent).toContain("Switched off");
  await show({ setting: "model", model: "", measured: null });
  expect(place.textContent).toContain("No model judges here");
  await show(null);
  expect(place.textContent).toContain("No model judges here");
  expect(asked).toEqual([]);
});

test("a judge that was measured says how far it can be trusted, and when that was", async () => {
  await show({ setting: "model", model: "openai:gpt-5", measured: MEASURED });
  expect(place.textContent).toContain("It agreed with readers on 74 of 80 sentences and let 2 false ones pass.");
  expect(place.textContent).toContain("Measured on November 15, 2026.");
  expect(place.querySelector("button")?.textContent).toBe("Measure it again");
});

test("measuring is begun by a button, tells how far it is, and what came of it", async () => {
  await show({ setting: "openai:gpt-5", model: "openai:gpt-5", measured: null });
  expect(place.textContent).toContain("Not measured yet");
  answers.judge = { ...IDLE, state: "running", done: 12 };
  await press();
  expect(asked.slice(1)).toEqual(["POST /api/judge/calibrate", "GET /api/judge"]);
  expect(place.textContent).toContain("Judging sentence 12 of 80");
  expect(place.querySelector("button")?.disabled).toBe(true);
  answers.judge = { ...IDLE, state: "done", done: 80, measured: { ...MEASURED, passed: 1 } };
  await second();
  expect(place.textContent).toContain("let 1 false one pass");
  await second();
  expect(asked.slice(3)).toEqual(["GET /api/judge"]);
});

test("a measurement that was begun elsewhere is followed, and one that failed says why", async () => {
  answers.judge = { ...IDLE, state: "running", done: 3 };
  await show({ setting: "model", model: "m", measured: MEASURED });
  expect(place.textContent).toContain("Judging sentence 3 of 80");
  answers.judge = { ...IDLE, state: "failed", error: "The model did not answer." };
  await second();
  expect(place.textContent).toContain("The model did not answer.");
  expect(place.textContent).toContain("74 of 80");
});

test("a measurement that cannot be begun says why", async () => {
  await show({ setting: "model", model: "m", measured: null });
  answers.status = 409;
  await press();
  expect(place.querySelector(".trial-bad")).not.toBeNull();
  expect(place.querySelector("button")?.disabled).toBe(false);
});
