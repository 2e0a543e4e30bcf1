import { memo } from "react";
import { type Translate, useTranslate } from "../i18n";
import { nameLines } from "../text/lineNames";
import { namePage } from "../text/pageNames";
import { type Highlight, listOnPage } from "./highlights";
import { joinColumns, toPercent } from "./pageGeometry";
import { selectThroughMark } from "./selectThroughMark";
import type { Mark } from "./viewerStore";

/** Describe a highlight: which citation, of which document, on which page. */
export function labelHighlight(t: Translate, { mark, spoken }: Highlight): string {
  if (!mark) return "";
  if (spoken) return spoken;
  const { n, title, page, path, lines = null } = mark;
  if (path) return t(n === null ? "viewer.mark" : "viewer.citation", { n: n ?? 0, title: nameLines({ path, lines }) });
  const values = { n: n ?? 0, title, page: namePage(t, mark) };
  if (n === null) return t(page === null ? "viewer.mark" : "viewer.markOn", values);
  return t(page === null ? "viewer.citation" : "viewer.citationOn", values);
}

interface PageHighlightsProps {
  highlights: Highlight[];
  page: number;
  pulse: number;
  onChoose: (mark: Mark) => void;
}

/** The highlights of one page: rectangles in percent of it, so that they follow the zoom by themselves. */
export const PageHighlights = memo(function Marks({ highlights: lit, page, pulse, onChoose }: PageHighlightsProps) {
  const t = useTranslate();
  const here = listOnPage(lit, page);
  // An empty layer would still be blended with every frame while scrolling.
  if (!here.length) return null;
  return (
    <div className="marks">
      {here.map(({ lit: each, boxes, height }) =>
        (each.tone === "passage" ? joinColumns(boxes.rects) : boxes.rects).map((rect, at) => {
          const key = `${each.key} ${rect.join()} ${each.isChosen ? pulse : ""}`;
          const shown = {
            className: each.isChosen ? "lit chosen" : "lit",
            "data-mark": each.mark?.key,
            "data-tone": each.tone,
            "data-chosen": each.isChosen || undefined,
            "data-open": each.isOpen || undefined,
            style: { ...toPercent(rect, boxes), zIndex: height },
          };
          const mark = each.mark;
          if (!mark) return <div key={key} {...shown} />;
          return (
            <button
              key={key}
              type="button"
              {...shown}
              {...(at ? { tabIndex: -1, "aria-hidden": true } : { "aria-label": labelHighlight(t, each) })}
              aria-pressed={at ? undefined : each.isChosen}
              onPointerDown={selectThroughMark}
              onClick={() => onChoose(mark)}
            />
          );
        }),
      )}
    </div>
  );
});
