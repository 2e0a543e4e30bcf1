/** Words with their source, to be pasted elsewhere. */
import type { Translate } from "../i18n";
import { abbreviatePrintedPage, type NumberedPage } from "./pageNames";

export interface CitedQuote extends NumberedPage {
  text: string;
  title: string;
  /** The page where the words end. */
  last: NumberedPage;
  heading: string;
}

/** Write words with their source: “quote” (title, p. xii), or (title, heading) without pages. */
export function citeQuote({ text, title, page, label, last, heading }: CitedQuote, t: Translate): string {
  const quote = t("viewer.quote", { quote: text });
  const within = abbreviatePrintedPage(t, { page, label }, last) || (heading === title ? "" : heading);
  const place = [title, within].filter((each) => each).join(", ");
  return place ? `${quote} (${place})` : quote;
}
