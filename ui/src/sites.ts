/** Addresses and days of the web as people say them. */
import type { Say } from "./words";

/** Whether something was fetched from the web and can be opened there: nothing but web addresses. */
export function isLive(url: string | null | undefined): url is string {
  return /^https?:\/\//i.test(url ?? "");
}

/** The site of an address, as `example.org`; what is no address is left as it is. */
export function siteOf(url: string): string {
  if (!isLive(url) || !URL.canParse(url)) return url;
  return new URL(url).host.replace(/^www\.(?=.*\.)/, "");
}

/** A moment, in milliseconds, as the day it was here: `15 November 2026`; with `isExact` its time too. */
export function dayOf(time: number, say: Say, isExact = false): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: "long", ...(isExact && { timeStyle: "medium" }) };
  return new Intl.DateTimeFormat(say.language === "en" ? "en-GB" : say.language, options).format(time);
}
