import { useState } from "react";
import { isSlide } from "../pageNames";
import { useWords } from "../words";
import type { Sheet } from "./source";

interface PageBoxProps {
  page: number;
  sheets: Sheet[];
  onGo: (page: number) => void;
}

/** Which page is shown, of how many, and the number printed on it; Enter goes to the one that is typed. */
export function PageBox({ page, sheets, onGo }: PageBoxProps) {
  const say = useWords();
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
        aria-label={say(hasSlides ? "viewer.slideOf" : "viewer.pageOf", { count })}
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

/** The page with this number in the file, kept within it, or with this sign printed on it; null where there is none. */
export function findPage(typed: string, sheets: readonly Sheet[]): number | null {
  const sign = typed.trim().toLowerCase();
  const number = /^\d+$/.test(sign) ? Number(sign) : 0;
  if (number) return Math.min(sheets.length, number);
  return sheets.find(({ label }) => label && label.toLowerCase() === sign)?.number ?? null;
}
