import { expect, test } from "vitest";
import { listDailyUsage } from "../../src/settings/dailyUsage";
import type { Usage } from "../../src/settings/settingsApi";

const NOW = Date.UTC(2026, 10, 15, 23, 30);
const used = (day: string, model: string, tokens: number) => ({
  day,
  model,
  role: "chat" as const,
  answers: 1,
  requests: 2,
  input_tokens: tokens,
  output_tokens: tokens / 2,
});
const totals = { answers: 0, requests: 0, input_tokens: 0, output_tokens: 0 };

test("every day has its place, also one without answers, and models add up", () => {
  const days = [used("2026-11-15", "a", 100), used("2026-11-15", "b", 20), used("2026-11-13", "a", 8)];
  expect(listDailyUsage({ days, totals } as Usage, 4, NOW)).toEqual([
    { day: "2026-11-12", input: 0, output: 0, answers: 0 },
    { day: "2026-11-13", input: 8, output: 4, answers: 1 },
    { day: "2026-11-14", input: 0, output: 0, answers: 0 },
    { day: "2026-11-15", input: 120, output: 60, answers: 2 },
  ]);
});

test("what is older than the plot is left out of it", () => {
  const plot = listDailyUsage({ days: [used("2026-01-01", "a", 100)], totals } as Usage, 30, NOW);
  expect(plot.reduce((sum, each) => sum + each.input, 0)).toBe(0);
});
