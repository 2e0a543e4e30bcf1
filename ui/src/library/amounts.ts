/** Sizes, times and rates as a reader says them. */
import type { Language } from "../words";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const DAY = 86_400_000;

/** A number of bytes in the unit that suits it, "2.1 MB". */
export function size(bytes: number, language: Language): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit++;
  }
  const maximumFractionDigits = unit > 1 && amount < 100 ? 1 : 0;
  const options = { style: "unit", unit: UNITS[unit] ?? "byte", unitDisplay: unit ? "short" : "long" } as const;
  return new Intl.NumberFormat(language, { ...options, maximumFractionDigits }).format(amount);
}

/** A length of time in one unit, "40 sec", "3 min"; never "0". */
export function lasting(seconds: number, language: Language): string {
  const [amount, unit] =
    seconds < 90 ? [seconds, "second"] : seconds < 5400 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: unit as string,
    unitDisplay: "short",
    maximumFractionDigits: 0,
  }).format(Math.max(1, Math.round(amount as number)));
}

/** How many whole days ago a moment was, by this place's calendar; 0 is today. */
export function daysAgo(seconds: number, now = Date.now()): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(seconds * 1000)) / DAY);
}

/** When something was: the time today, "yesterday", the day, and the year when it is another one. */
export function when(seconds: number, language: Language, now = Date.now()): string {
  const moment = new Date(seconds * 1000);
  const days = daysAgo(seconds, now);
  if (days <= 0) return moment.toLocaleTimeString(language, { timeStyle: "short" });
  if (days === 1) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-1, "day");
  const isThisYear = moment.getFullYear() === new Date(now).getFullYear();
  return moment.toLocaleDateString(language, {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** The whole date and time, for a title. */
export function moment(seconds: number, language: Language): string {
  return new Date(seconds * 1000).toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
}
