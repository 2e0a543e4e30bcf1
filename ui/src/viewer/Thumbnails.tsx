import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n";
import { titlePage } from "../text/pageNames";
import { drawPage, releasePage } from "./pageDrawing";
import { findNearPages, type Size } from "./pageGeometry";
import type { Pdf } from "./pdf";
import { SlideDrawing } from "./SlideDrawing";
import type { Sheet } from "./useDocument";
import type { Slides } from "./useSlides";

const WIDTH = 112;
const UNDER = 28;

interface ThumbnailsProps {
  sheets: Sheet[];
  page: number;
  /** Draws a page in small. */
  draw: (number: number, size: Size) => ReactNode;
  onPage: (page: number) => void;
}

/** The thumbnails of the pages. Only those near the view are drawn. */
export function Thumbnails({ sheets, page, draw, onPage }: ThumbnailsProps) {
  const t = useTranslate();
  const scroller = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => stackThumbnails(sheets), [sheets]);
  const [[first, last], setNear] = useState<[number, number]>([0, -1]);

  const look = () => {
    const element = scroller.current;
    if (!element) return;
    const near = findNearPages(layout, element.scrollTop, element.clientHeight);
    setNear((now) => (now[0] === near[0] && now[1] === near[1] ? now : near));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the current page when it changes
  useLayoutEffect(() => {
    const element = scroller.current;
    const top = layout.tops[page - 1];
    const height = layout.heights[page - 1];
    if (element && top !== undefined && height !== undefined) {
      const isAbove = top < element.scrollTop;
      const isBelow = top + height + UNDER > element.scrollTop + element.clientHeight;
      if (isAbove || isBelow) element.scrollTop = top - element.clientHeight / 3;
    }
    look();
  }, [page, layout]);

  const shown = sheets.slice(first, last + 1).map((sheet, place) => (
    <button
      key={sheet.number}
      type="button"
      className="thumbnail"
      aria-label={titlePage(t, { page: sheet.number, label: sheet.label })}
      aria-current={sheet.number === page ? "page" : undefined}
      style={{ top: layout.tops[first + place] ?? 0 }}
      onClick={() => onPage(sheet.number)}
    >
      {draw(sheet.number, { width: WIDTH, height: layout.heights[first + place] ?? 0 })}
      <span>{sheet.label || sheet.number}</span>
    </button>
  ));
  return (
    <div className="thumbnails" ref={scroller} onScroll={look}>
      <div style={{ height: layout.height }}>{shown}</div>
    </div>
  );
}

/** A page of a PDF in small. */
export function PdfThumbnail({ pdf, number, width, height }: { pdf: Pdf; number: number } & Size) {
  const holder = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const leaving = new AbortController();
    const draw = () => drawPage(pdf, number, { width, height }, element, leaving.signal).catch(() => undefined);
    const timer = setTimeout(draw, 120);
    return () => {
      clearTimeout(timer);
      leaving.abort();
      void releasePage(pdf, number, element);
    };
  }, [pdf, number, width, height]);
  return <span className="thumbnail-page" ref={holder} style={{ width, height }} />;
}

interface SlideThumbnailProps extends Size {
  document: string;
  slides: Slides;
  number: number;
}

/** A slide in small; one that cannot be drawn is empty. */
export function SlideThumbnail({ document, slides, number, width, height }: SlideThumbnailProps) {
  const { load } = slides;
  const drawing = slides.slides[number]?.drawing;
  useEffect(() => {
    const timer = setTimeout(() => void load(number), 120);
    return () => clearTimeout(timer);
  }, [load, number]);
  return (
    <span className="thumbnail-page" style={{ width, height }}>
      {drawing && <SlideDrawing document={document} drawing={drawing} lighting={null} />}
    </span>
  );
}

/** Lay out thumbnails below each other, each with its number. */
function stackThumbnails(sheets: Sheet[]) {
  const made = { tops: [] as number[], widths: [] as number[], heights: [] as number[], width: WIDTH, height: 12 };
  for (const { width, height } of sheets) {
    const tall = Math.round(Math.min(3 * WIDTH, (WIDTH * height) / width));
    made.tops.push(made.height);
    made.widths.push(WIDTH);
    made.heights.push(tall);
    made.height += tall + UNDER;
  }
  return made;
}
