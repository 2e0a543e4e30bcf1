import { useState } from "react";
import { useWords } from "../words";

/** Which page is shown, of how many; Enter goes to the one that is typed. */
export function PageBox({ page, count, onGo }: { page: number; count: number; onGo: (page: number) => void }) {
  const say = useWords();
  const [typed, type] = useState<string | null>(null);

  const go = () => {
    const wanted = Number.parseInt(typed ?? "", 10);
    if (wanted) onGo(Math.min(count, Math.max(1, wanted)));
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
        inputMode="numeric"
        aria-label={say("viewer.pageOf", { count })}
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
