import { useState } from "react";
import { useTranslate } from "../i18n";
import { isSlide } from "../text/pageNames";
import type { Sheet } from "./useDocument";

interface PageNumberFieldProps {
  page: number;
  sheets: Sheet[];
  onGo: (page: number) => void;
}

/** The current page, the number of pages and the printed label. Enter goes to the page that is typed. */
export function PageNumberField({ page, sheets, onGo }: PageNumberFieldProps) {
  const t = useTranslate();
  const [typed, type] = useState<string | null>(null);
  const count = sheets.length;
  const label = sheets[page - 1]?.label ?? "";
  const hasSlides = isSlide({ page, label });

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
      {label && !hasSlides && <span className="page-label">{label}</span>}
      <input
        inputMode={hasSlides || sheets.every((each) => !each.label) ? "numeric" : "text"}
        aria-label={t(hasSlides ? "viewer.slideOf" : "viewer.pageOf", { count })}
        value={typed ?? String(page)}
        style={{ width: `${Math.max(2, String(count).length) + 2}ch` }}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => type(null)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <span aria-hidden="true">/ {count}</span>
    </form>
  );
}

/** Find the page with this number, at most the last, or with this printed label; null if there is none. */
export function findPage(typed: string, sheets: readonly Sheet[]): number | null {
  const sign = typed.trim().toLowerCase();
  const number = /^\d+$/.test(sign) ? Number(sign) : 0;
  if (number) return Math.min(sheets.length, number);
  return sheets.find(({ label }) => label && label.toLowerCase() === sign)?.number ?? null;
}
