import { memo } from "react";
import type { Mark } from "../desk";
import { namePage } from "../pageNames";
import { type Say, useWords } from "../words";
import { columnsOf, inPercent } from "./geometry";
import { type Lit, onPage } from "./marks";

/** What a mark is called: which citation, of what, where. */
export function labelOf(say: Say, { mark }: Lit): string {
  if (!mark) return "";
  const { n, title, page } = mark;
  const values = { n: n ?? 0, title, page: namePage(say, mark) };
  if (n === null) return say(page === null ? "viewer.mark" : "viewer.markOn", values);
  return say(page === null ? "viewer.citation" : "viewer.citationOn", values);
}

interface MarksProps {
  lit: Lit[];
  page: number;
  pulse: number;
  onChoose: (mark: Mark) => void;
}

/** What is lit on one page: rectangles in percent of it, so that they need nothing when it is zoomed. */
export const Marks = memo(function Marks({ lit, page, pulse, onChoose }: MarksProps) {
  const say = useWords();
  const here = onPage(lit, page);
  // An empty layer would still be blended with every frame that is scrolled.
  if (!here.length) return null;
  return (
    <div className="marks">
      {here.map(({ lit: each, boxes, height }) =>
        (each.tone === "passage" ? columnsOf(boxes.rects) : boxes.rects).map((rect, at) => {
          const key = `${each.key} ${rect.join()} ${each.isChosen ? pulse : ""}`;
          const shown = {
            className: each.isChosen ? "lit chosen" : "lit",
            "data-mark": each.mark?.key,
            "data-tone": each.tone,
            "data-chosen": each.isChosen || undefined,
            style: { ...inPercent(rect, boxes), zIndex: height },
          };
          const mark = each.mark;
          if (!mark) return <div key={key} {...shown} />;
          return (
            <button
              key={key}
              type="button"
              {...shown}
              {...(at ? { tabIndex: -1, "aria-hidden": true } : { "aria-label": labelOf(say, each) })}
              aria-pressed={at ? undefined : each.isChosen}
              onClick={() => onChoose(mark)}
            />
          );
        }),
      )}
    </div>
  );
});
