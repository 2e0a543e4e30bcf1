import { memo } from "react";
import type { Mark } from "../desk";
import { type Say, useWords } from "../words";
import { inPercent } from "./geometry";
import { type Lit, onPage } from "./marks";

/** What a mark is called: which citation, of what, where. */
export function labelOf(say: Say, { mark }: Lit): string {
  if (!mark) return "";
  const { n, title, page } = mark;
  if (n === null) return page === null ? say("viewer.mark", { title }) : say("viewer.markOn", { title, page });
  return page === null ? say("viewer.citation", { n, title }) : say("viewer.citationOn", { n, title, page });
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
        boxes.rects.map((rect, at) => {
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
