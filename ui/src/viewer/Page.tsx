import { memo, useEffect, useRef, useState } from "react";
import type { Mark } from "../desk";
import { titlePage } from "../pageNames";
import { useWords } from "../words";
import { drawPicture, layWords, leave } from "./drawing";
import type { Size, Turn } from "./geometry";
import { Marks } from "./Marks";
import type { Lit } from "./marks";
import type { Pdf } from "./pdf";

const PASSING = 60;
const ZOOMING = 160;
const RESTING = 200;

/** What pages are drawn from: a PDF, or a picture's address. */
export type Drawn = { pdf: Pdf | null; picture: string | null };

interface PageProps {
  number: number;
  label: string;
  points: Size;
  top: number;
  left: number;
  width: number;
  height: number;
  turn: Turn;
  drawn: Drawn;
  lit: Lit[];
  pulse: number;
  onChoose: (mark: Mark) => void;
  onBroken: () => void;
}

/** One page where it lies: its picture, its words to select, and what is lit on it, turned together. */
export const Page = memo(function Page(props: PageProps) {
  const { number, label, points, top, left, width, height, turn, drawn, lit, pulse, onChoose, onBroken } = props;
  const say = useWords();
  const [w, h] = turn % 180 ? [height, width] : [width, height];
  return (
    <article
      className="sheet"
      aria-label={titlePage(say, { page: number, label })}
      data-page={number}
      style={{ top, left, width, height }}
    >
      <div
        className="sheet-turned"
        style={
          { width: w, height: h, transform: turning(turn, w, h), "--total-scale-factor": w / points.width } as Style
        }
      >
        {drawn.picture ? (
          <img className="sheet-picture" src={drawn.picture} alt="" onError={onBroken} />
        ) : (
          <Drawing pdf={drawn.pdf} number={number} width={w} height={h} />
        )}
        <Marks lit={lit} page={number} pulse={pulse} onChoose={onChoose} />
      </div>
    </article>
  );
});

type Style = React.CSSProperties & Record<"--total-scale-factor", number>;

/** A page of a PDF: drawn at once when it comes near, and drawn again when zooming has come to rest. */
function Drawing({ pdf, number, width, height }: { pdf: Pdf | null; number: number } & Size) {
  const say = useWords();
  const picture = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    const holder = picture.current;
    if (!pdf || !holder) return;
    const leaving = new AbortController();
    const draw = () =>
      drawPicture(pdf, number, { width, height }, holder, leaving.signal).catch(() => {
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
    const timer = setTimeout(() => layWords(pdf, number, holder, leaving.signal).catch(() => undefined), RESTING);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [pdf, number]);

  useEffect(() => {
    const holder = picture.current;
    if (!pdf || !holder) return;
    return () => void leave(pdf, number, holder);
  }, [pdf, number]);

  return (
    <>
      <div className="sheet-canvas" ref={picture} />
      <div className="sheet-words" ref={words} />
      {isBroken && <p className="sheet-broken">{say("viewer.pageBroken")}</p>}
    </>
  );
}

/** The transform that turns a page of this size clockwise and puts its new corner where the old one was. */
function turning(turn: Turn, width: number, height: number): string | undefined {
  if (turn === 90) return `translate(${height}px, 0) rotate(90deg)`;
  if (turn === 180) return `translate(${width}px, ${height}px) rotate(180deg)`;
  if (turn === 270) return `translate(0, ${width}px) rotate(270deg)`;
  return undefined;
}
