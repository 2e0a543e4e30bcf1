import { memo, useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n";
import { getNumberedPage, titlePage } from "../text/pageNames";
import type { Highlight } from "./highlights";
import { PageHighlights } from "./PageHighlights";
import { PageLinks } from "./PageLinks";
import { drawPage, drawTextLayer, releasePage } from "./pageDrawing";
import type { Rotation, Size } from "./pageGeometry";
import type { Pdf } from "./pdf";
import type { Sheet } from "./useDocument";
import type { Mark } from "./viewerStore";

const PASSING = 60;
const ZOOMING = 160;
const RESTING = 200;

/** What pages are drawn from: a PDF, or the address of a picture. */
export type PageSource = { pdf: Pdf | null; picture: string | null };

interface PdfPageProps {
  number: number;
  /** All pages of the document, for the names of links to them. */
  sheets: Sheet[];
  points: Size;
  top: number;
  left: number;
  width: number;
  height: number;
  rotation: Rotation;
  source: PageSource;
  highlights: Highlight[];
  pulse: number;
  onChoose: (mark: Mark) => void;
  /** Follows a link to another page. */
  onGo: (page: number) => void;
  onBroken: () => void;
}

/** One page: its picture, its selectable text and its highlights, rotated together. */
export const PdfPage = memo(function Page(props: PdfPageProps) {
  const {
    number,
    sheets,
    points,
    top,
    left,
    width,
    height,
    rotation: turn,
    source: drawn,
    highlights: lit,
    pulse,
    onChoose,
    onGo,
    onBroken,
  } = props;
  const t = useTranslate();
  const [w, h] = turn % 180 ? [height, width] : [width, height];
  return (
    <article
      className="sheet"
      aria-label={titlePage(t, getNumberedPage(sheets, number))}
      data-page={number}
      style={{ top, left, width, height }}
    >
      <div
        className="sheet-turned"
        style={
          {
            width: w,
            height: h,
            transform: makeTransform(turn, w, h),
            "--total-scale-factor": w / points.width,
          } as Style
        }
      >
        {drawn.picture ? (
          <img className="sheet-picture" src={drawn.picture} alt="" onError={onBroken} />
        ) : (
          <PageCanvas pdf={drawn.pdf} number={number} width={w} height={h} />
        )}
        <PageHighlights highlights={lit} page={number} pulse={pulse} onChoose={onChoose} />
        {drawn.pdf && <PageLinks pdf={drawn.pdf} number={number} sheets={sheets} onGo={onGo} />}
      </div>
    </article>
  );
});

type Style = React.CSSProperties & Record<"--total-scale-factor", number>;

/** A page of a PDF. It is drawn when it comes near the view, and again when zooming has stopped. */
function PageCanvas({ pdf, number, width, height }: { pdf: Pdf | null; number: number } & Size) {
  const t = useTranslate();
  const picture = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    const holder = picture.current;
    if (!pdf || !holder) return;
    const leaving = new AbortController();
    const draw = () =>
      drawPage(pdf, number, { width, height }, holder, leaving.signal).catch(() => {
        if (!leaving.signal.aborted) setBroken(true);
      });
    const timer = setTimeout(draw, holder.childElementCount ? ZOOMING : PASSING);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [pdf, number, width, height]);

  useEffect(() => {
    const holder = words.current;
    if (!pdf || !holder) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => drawTextLayer(pdf, number, holder, leaving.signal).catch(() => undefined), RESTING);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [pdf, number]);

  useEffect(() => {
    const holder = picture.current;
    if (!pdf || !holder) return;
    return () => void releasePage(pdf, number, holder);
  }, [pdf, number]);

  return (
    <>
      <div className="sheet-canvas" ref={picture} />
      <div className="sheet-words" ref={words} />
      {isBroken && <p className="sheet-broken">{t("viewer.pageBroken")}</p>}
    </>
  );
}

/** Make the transform that rotates a page of this size clockwise and keeps its top left corner in place. */
function makeTransform(turn: Rotation, width: number, height: number): string | undefined {
  if (turn === 90) return `translate(${height}px, 0) rotate(90deg)`;
  if (turn === 180) return `translate(${width}px, ${height}px) rotate(180deg)`;
  if (turn === 270) return `translate(0, ${width}px) rotate(270deg)`;
  return undefined;
}
