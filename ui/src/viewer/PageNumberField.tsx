import { useState } from "react";
import { useTranslate } from "../i18n";
import { getNumberedPage, getPrintedNumber, isSlide } from "../text/pageNames";
import type { Sheet } from "./useDocument";

interface PageNumberFieldProps {
  page: number;
  sheets: Sheet[];
  onGo: (page: number) => void;
}

/**
 * The current page by the number that is printed on it, and its number in the file: "xii (14 / 96)". Enter goes to the
 * page that is typed, by its printed number first; the arrow keys step.
 */
export function PageNumberField({ page, sheets, onGo }: PageNumberFieldProps) {
  const t = useTranslate();
  const [typed, type] = useState<string | null>(null);
  const count = sheets.length;
  const numbered = getNumberedPage(sheets, page);
  const hasSlides = isSlide(numbered);
  const isPrinted = Boolean(numbered.label) && !hasSlides;
  const shown = getPrintedNumber(numbered);

  const go = () => {
    const wanted = findPage(typed ?? "", sheets);
    if (wanted !== null) onGo(wanted);
    type(null);
  };
  return (
    <form
      className="page-box"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        inputMode={hasSlides || sheets.every((each) => !each.label) ? "numeric" : "text"}
        aria-label={t(hasSlides ? "viewer.slideOf" : "viewer.pageOf", { count })}
        value={typed ?? shown}
        style={{ width: `${Math.min(10, Math.max(2, shown.length, String(count).length)) + 2}ch` }}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => type(null)}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (event.key === "Escape") event.currentTarget.blur();
          else if (by && page + by >= 1 && page + by <= count) onGo(page + by);
          else return;
          event.preventDefault();
        }}
      />
      <span aria-hidden={!isPrinted}>{isPrinted ? t("viewer.pageInFile", { page, count }) : `/ ${count}`}</span>
    </form>
  );
}

/** Find the page with this printed number, else with this number in the file, at most the last; null if there is none. */
export function findPage(typed: string, sheets: readonly Sheet[]): number | null {
  const sign = typed.trim().toLowerCase();
  const printed = sheets.find(({ number, label }) => (label || String(number)).toLowerCase() === sign);
  if (printed) return printed.number;
  const number = /^\d+$/.test(sign) ? Number(sign) : 0;
  return number ? Math.min(sheets.length, number) : null;
}
