/** The usage of models per day. */
import type { Usage } from "./settingsApi";

export interface DailyUsage {
  day: string;
  input: number;
  output: number;
  answers: number;
}

const DAY = 86_400_000;

/** List the last days, the earliest first, including those without answers. */
export function listDailyUsage(usage: Usage, days: number, now = Date.now()): DailyUsage[] {
  const spent = new Map<string, DailyUsage>();
  for (let back = days - 1; back >= 0; back--) {
    const day = new Date(now - back * DAY).toISOString().slice(0, 10);
    spent.set(day, { day, input: 0, output: 0, answers: 0 });
  }
  for (const { day, input_tokens, output_tokens, answers } of usage.days) {
    const entry = spent.get(day);
    if (!entry) continue;
    entry.input += input_tokens;
    entry.output += output_tokens;
    entry.answers += answers;
  }
  return [...spent.values()];
}
