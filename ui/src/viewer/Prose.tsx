import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Mark } from "../desk";
import { Trouble } from "../look/Trouble";
import { useWords } from "../words";
import { Block } from "./Block";
import { glide } from "./gliding";
import type { Lit } from "./marks";
import { useStretchesNear, useWidened } from "./nearness";
import type { Sheet } from "./source";
import { type Block as BlockOf, STRETCH, stretchOf, useText } from "./stretches";
import type { Target } from "./target";
import type { Zoom } from "./zoom";

const GUESSED = 0.4; // pixels of height for a character, until a stretch has been measured
const SETTLING = 800; // milliseconds in which what is loaded above may not push the target away

interface ProseProps {
  document: string;
  kind: string;
  lit: Lit[];
  target: Target | null;
  zoom: Zoom;
  sheets: Sheet[];
  onPage: (page: number) => void;
  onScale: (scale: number) => void;
  onChoose: (mark: Mark) => void;
}

/** A document as clean text, loaded and drawn in stretches near the view, with the same marks by characters. */
export function Prose(props: ProseProps) {
  const { document, kind, lit, target, zoom, sheets, onPage, onScale, onChoose } = props;
  const say = useWords();
  const { length, stretches, problem, load } = useText(document);
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
  const [goal, setGoal] = useState<{ id: number; block: number; start: number; isSmooth: boolean } | null>(null);
  const settling = useRef<{ start: number; block: number; until: number } | null>(null);
  const size = typeof zoom === "number" ? Math.min(3, Math.max(0.5, zoom)) : 1;
  const count = length === null ? 1 : Math.max(1, Math.ceil(length / STRETCH));

  useEffect(() => onScale(size), [size, onScale]);

  useEffect(() => {
    for (const stretch of near) void load(stretch);
  }, [near, load]);

  useEffect(() => {
    let isLeft = false;
    if (!target || (target.start === null && target.page === null)) return;
    const start = target.start ?? 0;
    void load(stretchOf(start)).then((blocks) => {
      if (isLeft) return;
      const block = blocks.find((each) => each.end > start);
      if (!block) return;
      void load(stretchOf(block.start));
      setGoal({ id: target.id, block: block.start, start, isSmooth: target.isSmooth });
    });
    return () => {
      isLeft = true;
    };
  }, [target, load]);

  const aim = goal === null ? null : stretchOf(goal.block);
  const isDrawn = aim !== null && aim in stretches;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !goal || !isDrawn) return;
    const top = topOf(element, goal.block, goal.start);
    if (top === null) return;
    settling.current = { ...goal, until: performance.now() + SETTLING };
    const isClose = Math.abs(top - element.scrollTop) < 8 * element.clientHeight;
    glide(element, top, 0, goal.isSmooth && isClose);
  }, [goal, isDrawn]);

  const stay = useCallback(() => {
    const element = scroller.current;
    const still = settling.current;
    if (!element || !still || performance.now() > still.until) return;
    const top = topOf(element, still.block, still.start);
    if (top !== null && Math.abs(top - element.scrollTop) > 1) glide(element, top, 0, false);
  }, []);
  useStretchesNear(scroller, count, setNear, heights.current, stay);
  useWidened(scroller, () => {
    // Who has not moved since stays with the passage, also when a phone is turned.
    if (settling.current) settling.current.until = performance.now() + SETTLING;
    stay();
  });

  const again = () => {
    for (const stretch of near) void load(stretch);
  };
  const release = () => {
    settling.current = null;
  };
  const place = () => {
    const element = scroller.current;
    if (!element || !sheets.length) return;
    const start = placeOf(element);
    onPage(sheets.findLast((sheet) => sheet.start <= start)?.number ?? 1);
  };
  const ratio = average(heights.current);
  return (
    <section
      className="clean"
      data-scroller
      data-kind={kind}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      aria-label={say("viewer.text")}
      onScroll={place}
      onWheel={release}
      onPointerDown={release}
      onKeyDown={release}
    >
      <article className="clean-inside" style={{ "--clean": size } as React.CSSProperties}>
        {problem && (
          <div className="clean-trouble">
            <Trouble fault={problem}>
              <button type="button" className="button" onClick={again}>
                {say("viewer.again")}
              </button>
            </Trouble>
          </div>
        )}
        {length === 0 && <p className="empty">{say("viewer.empty")}</p>}
        {Array.from({ length: count }, (_, at) => {
          const blocks = stretches[at];
          const isShown = blocks && (near.has(at) || at === aim);
          const height = heights.current.get(at) ?? guessed(length, at, ratio);
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a stretch is its place
              key={at}
              data-stretch={at}
              aria-busy={!isShown}
              style={isShown ? undefined : { height }}
            >
              {isShown && blocks.map((block) => drawn(block, lit, target?.id ?? 0, onChoose))}
              {!isShown && near.has(at) && !problem && <Skeleton />}
            </div>
          );
        })}
      </article>
    </section>
  );
}

const NONE: Lit[] = [];

/** A block with what is lit in it alone, so that the others are not drawn again. */
function drawn(block: BlockOf, lit: Lit[], pulse: number, onChoose: (mark: Mark) => void) {
  const here = lit.filter(({ start, end }) => start !== null && end !== null && start < block.end && end > block.start);
  const isLit = here.length > 0;
  return (
    <Block key={block.start} block={block} lit={isLit ? here : NONE} pulse={isLit ? pulse : 0} onChoose={onChoose} />
  );
}

function Skeleton() {
  return (
    <div className="clean-skeleton" aria-hidden="true">
      {[92, 100, 96, 64].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** Where to scroll so that a character's place stands a third from the top; null while it is not drawn. */
function topOf(scroller: HTMLElement, block: number, start: number): number | null {
  const inside = scroller.querySelector(`[data-block="${block}"]`);
  if (!inside) return null;
  const element = inside.querySelector(`[data-start="${start}"]`) ?? inside;
  const { top } = element.getBoundingClientRect();
  return scroller.scrollTop + top - scroller.getBoundingClientRect().top - scroller.clientHeight / 3;
}

/** The first character of the block at a third of the view. */
function placeOf(scroller: HTMLElement): number {
  const { top, height } = scroller.getBoundingClientRect();
  let start = 0;
  for (const block of scroller.querySelectorAll<HTMLElement>("[data-block]")) {
    if (block.getBoundingClientRect().top > top + height / 3) break;
    start = Number(block.dataset.block);
  }
  return start;
}

function average(heights: Map<number, number>): number {
  if (!heights.size) return GUESSED;
  return [...heights.values()].reduce((sum, each) => sum + each, 0) / heights.size / STRETCH;
}

function guessed(length: number | null, stretch: number, ratio: number): number {
  return Math.round(Math.max(400, Math.min(STRETCH, (length ?? STRETCH) - stretch * STRETCH) * ratio));
}
