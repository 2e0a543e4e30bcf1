/** Names of places in a text that has neither pages nor headings: "42% into the text". */
import type { Translate } from "../i18n";

/** A place that starts before this character is at the beginning of its document. */
const BEGINNING = 300;

/** Name the place of a character; "" if the length of the text is not known and it is not at the beginning. */
export function nameTextPlace(t: Translate, start: number, length: number | null): string {
  if (start < BEGINNING) return t("pages.beginning");
  if (length === null || start >= length) return "";
  const share = Math.min(0.99, Math.max(0.01, start / length));
  return t("pages.share", { percent: new Intl.NumberFormat(t.language, { style: "percent" }).format(share) });
}
