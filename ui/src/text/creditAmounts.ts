/** Format credits and months. */
import type { Language } from "../i18n";
import { chooseLocale } from "./formatAmounts";

/** Format credits: whole ones from ten on, with one decimal below. */
export function formatCredits(credits: number, language: Language): string {
  return credits.toLocaleString(language, { maximumFractionDigits: credits < 10 ? 1 : 0 });
}

/** Format a month such as "2031-05", "May 2031". */
export function formatMonth(month: string, language: Language): string {
  return format(month, language, { month: "long", year: "numeric" });
}

/** Format a month in a few letters, "May". */
export function formatShortMonth(month: string, language: Language): string {
  return format(month, language, { month: "short" });
}

/** Format a day such as "2031-06-01", "June 1, 2031". */
export function formatIsoDay(day: string, language: Language): string {
  return format(day, language, { day: "numeric", month: "long", year: "numeric" });
}

function format(day: string, language: Language, options: Intl.DateTimeFormatOptions): string {
  const moment = new Date(day);
  if (Number.isNaN(moment.getTime())) return day;
  return new Intl.DateTimeFormat(chooseLocale(language), { ...options, timeZone: "UTC" }).format(moment);
}
