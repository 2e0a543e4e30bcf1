import { useTranslate } from "../i18n";
import { tidyQuote } from "../text/quotes";
import type { Mark } from "./viewerStore";

/** The words of the chosen citation above its source. They are known at once, before the page is drawn. */
export function QuoteBar({ mark }: { mark: Mark | null }) {
  const t = useTranslate();
  const quote = mark && (mark.path ? mark.quote : tidyQuote(mark.quote));
  if (!mark || !quote) return null;
  return (
    <section
      className="viewer-quote"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={mark.n === null ? t("viewer.quoted") : t("viewer.quotedIn", { n: mark.n })}
    >
      {mark.path ? <pre>{quote}</pre> : <p>{t("viewer.quote", { quote })}</p>}
    </section>
  );
}
