import { useTranslate } from "../../i18n";
import { openMark } from "../../viewer/viewerStore";
import type { Turn } from "../turns";
import { cardStore } from "./cardStore";
import { listMarks, makeMarkKey } from "./citationMarks";

/** Passages that a sentence does not cite but that may support it. Each opens its source. */
export function SuggestedCitations({ turn, numbers }: { turn: Turn; numbers: readonly number[] }) {
  const t = useTranslate();
  const known = [...new Set(numbers)].filter((n) => turn.citations.some((each) => each.n === n));
  if (!known.length) return null;
  const open = (n: number) => {
    const mark = listMarks(turn).find(({ key }) => key === makeMarkKey(turn.id, n));
    if (!mark) return;
    cardStore.hide();
    openMark(mark);
  };
  return (
    <span className="offered">
      {" "}
      {t.count("conversation.offered", known.length)}
      {known.map((n) => (
        <button key={n} type="button" data-mark={makeMarkKey(turn.id, n)} onClick={() => open(n)}>
          {t("conversation.offered.number", { n })}
        </button>
      ))}
    </span>
  );
}
