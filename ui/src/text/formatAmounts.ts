/** Format sizes, durations and dates. */
import type { Language } from "../i18n";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const DAY = 86_400_000;

/** Format a number of bytes in a suitable unit, "2.1 MB". */
export function formatSize(bytes: number, language: Language): string {
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

/** Format a duration in one unit, "40 sec", "3 min"; never "0". */
export function formatDuration(seconds: number, language: Language): string {
  const [amount, unit] =
    seconds < 90 ? [seconds, "second"] : seconds < 5400 ? [seconds / 60, "minute"] : [seconds / 3600, "hour"];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: unit as string,
    unitDisplay: "short",
    maximumFractionDigits: 0,
  }).format(Math.max(1, Math.round(amount as number)));
}

/** Count the calendar days since a time; 0 is today. */
export function countDaysAgo(seconds: number, now = Date.now()): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(seconds * 1000)) / DAY);
}

/** Choose the browser's own variant of a language: hours and days are written otherwise in en-GB than in en-US. */
export function chooseLocale(language: Language): string {
  return navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
}

/** Format a time: the hour if it was today, "yesterday", else the day, with the year if it is another one. */
export function formatWhen(seconds: number, language: Language, now = Date.now()): string {
  const moment = new Date(seconds * 1000);
  const days = countDaysAgo(seconds, now);
  if (days <= 0) return moment.toLocaleTimeString(chooseLocale(language), { timeStyle: "short" });
  if (days === 1) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-1, "day");
  const isThisYear = moment.getFullYear() === new Date(now).getFullYear();
  return moment.toLocaleDateString(chooseLocale(language), {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** Format the full date and time, for a tooltip. */
export function formatMoment(seconds: number, language: Language): string {
  return new Date(seconds * 1000).toLocaleString(chooseLocale(language), { dateStyle: "long", timeStyle: "short" });
}
