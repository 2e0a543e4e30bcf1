/** Format web addresses and the days of snapshots. */
import type { Translate } from "../i18n";
import { chooseLocale } from "./formatAmounts";

/** Return whether this is a web address, which can be opened in a browser. */
export function isWebAddress(url: string | null | undefined): url is string {
  return /^https?:\/\//i.test(url ?? "");
}

/** Return the site of an address, as `example.org`; anything else is returned unchanged. */
export function getSite(url: string): string {
  if (!isWebAddress(url) || !URL.canParse(url)) return url;
  return new URL(url).host.replace(/^www\.(?=.*\.)/, "");
}

/** Format a time in milliseconds as its local day, `15 November 2026` or as the browser's country writes it; with `isExact`, with the time. */
export function formatDay(time: number, t: Translate, isExact = false): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: "long", ...(isExact && { timeStyle: "medium" }) };
  return new Intl.DateTimeFormat(chooseLocale(t.language), options).format(time);
}
