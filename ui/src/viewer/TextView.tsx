import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import type { Highlight } from "./highlights";
import { computeReveal } from "./pageGeometry";
import { scrollSmoothly } from "./smoothScroll";
import { TextBlock } from "./TextBlock";
import type { Sheet } from "./useDocument";
import { type Block as BlockOf, getSectionIndex, SECTION_LENGTH, useDocumentText } from "./useDocumentText";
import { useNearbySections, useWidthChange } from "./useNearbySections";
import type { ScrollTarget } from "./useScrollTarget";
import type { Mark } from "./viewerStore";
import type { Zoom } from "./zoom";

const ESTIMATED_HEIGHT = 0.4; // pixels of height per character, until a section was measured
const SETTLE_TIME = 800; // milliseconds in which content that loads above must not move the target

interface TextViewProps {
  document: string;
  kind: string;
  highlights: Highlight[];
  target: ScrollTarget | null;
  zoom: Zoom;
  sheets: Sheet[];
  onPage: (page: number) => void;
  /** Tells the first character of the block that is being read. */
  onStart: (start: number) => void;
  onScale: (scale: number) => void;
  onChoose: (mark: Mark) => void;
}

/** A document as text, loaded and rendered in sections near the view, with highlights by character. */
export function TextView(props: TextViewProps) {
  const { document, kind, highlights: lit, target, zoom, sheets, onPage, onStart, onScale, onChoose } = props;
  const t = useTranslate();
  const { length, sections: stretches, problem, load } = useDocumentText(document);
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
  const [goal, setGoal] = useState<{ id: number; block: number; start: number; isSmooth: boolean } | null>(null);
  const settling = useRef<{ start: number; block: number; until: number } | null>(null);
  const size = typeof zoom === "number" ? Math.min(3, Math.max(0.5, zoom)) : 1;
  const count = length === null ? 1 : Math.max(1, Math.ceil(length / SECTION_LENGTH));

  useEffect(() => onScale(size), [size, onScale]);

  useEffect(() => {
    for (const stretch of near) void load(stretch);
  }, [near, load]);

  useEffect(() => {
    let isLeft = false;
    if (!target || (target.start === null && target.page === null)) return;
    const start = target.start ?? 0;
    void load(getSectionIndex(start)).then((blocks) => {
      if (isLeft) return;
      const block = blocks.find((each) => each.end > start);
      if (!block) return;
      void load(getSectionIndex(block.start));
      setGoal({ id: target.id, block: block.start, start, isSmooth: target.isSmooth });
    });
    return () => {
      isLeft = true;
    };
  }, [target, load]);

  const aim = goal === null ? null : getSectionIndex(goal.block);
  const isDrawn = aim !== null && aim in stretches;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !goal || !isDrawn) return;
    const top = computeTop(element, goal.block, goal.start);
    if (top === null) return;
    settling.current = { ...goal, until: performance.now() + SETTLE_TIME };
    const isClose = Math.abs(top - element.scrollTop) < 8 * element.clientHeight;
    scrollSmoothly(element, top, 0, goal.isSmooth && isClose);
  }, [goal, isDrawn]);

  const stay = useCallback(() => {
    const element = scroller.current;
    const still = settling.current;
    if (!element || !still || performance.now() > still.until) return;
    const top = computeTop(element, still.block, still.start);
    if (top !== null && Math.abs(top - element.scrollTop) > 1) scrollSmoothly(element, top, 0, false);
  }, []);
  useNearbySections(scroller, count, setNear, heights.current, stay);
  useWidthChange(scroller, () => {
    // Stay at the passage until the reader scrolls, even when a phone is rotated.
    if (settling.current) settling.current.until = performance.now() + SETTLE_TIME;
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
    if (!element) return;
    const start = findStart(element);
    onStart(start);
    if (sheets.length) onPage(sheets.findLast((sheet) => sheet.start <= start)?.number ?? 1);
  };
  const ratio = averageHeight(heights.current);
  return (
    <section
      className="clean"
      data-scroller
      data-kind={kind}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={t("viewer.text")}
      onScroll={place}
      onWheel={release}
      onPointerDown={release}
      onKeyDown={release}
    >
      <article className="clean-inside" style={{ "--clean": size } as React.CSSProperties}>
        {problem && (
          <div className="clean-trouble">
            <ErrorMessage fault={problem}>
              <button type="button" className="button" onClick={again}>
                {t("viewer.again")}
              </button>
            </ErrorMessage>
          </div>
        )}
        {length === 0 && <p className="empty">{t("viewer.empty")}</p>}
        {Array.from({ length: count }, (_, at) => {
          const blocks = stretches[at];
          const isShown = blocks && (near.has(at) || at === aim);
          const height = heights.current.get(at) ?? estimateHeight(length, at, ratio);
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a section is identified by its index
              key={at}
              data-stretch={at}
              aria-busy={!isShown}
              style={isShown ? undefined : { height }}
            >
              {isShown && blocks.map((block) => renderBlock(block, kind, lit, target?.id ?? 0, onChoose))}
              {!isShown && near.has(at) && !problem && <Skeleton />}
            </div>
          );
        })}
      </article>
    </section>
  );
}

const NONE: Highlight[] = [];
/** Kinds of documents whose text has signs for headings, lists and quotes. */
const SIGNED_KINDS = new Set(["markdown", "text", "email"]);

/** Render a block with its own highlights only, so that the others do not render again. */
function renderBlock(block: BlockOf, kind: string, lit: Highlight[], pulse: number, onChoose: (mark: Mark) => void) {
  const here = lit.filter(({ start, end }) => start !== null && end !== null && start < block.end && end > block.start);
  const isLit = here.length > 0;
  return (
    <TextBlock
      key={block.start}
      block={block}
      hasSigns={SIGNED_KINDS.has(kind)}
      isMarkdown={kind === "markdown"}
      isPrinted={kind === "pdf"}
      highlights={isLit ? here : NONE}
      pulse={isLit ? pulse : 0}
      onChoose={onChoose}
    />
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

/**
 * Compute the scroll position that puts a character at a third of the view, and shows a chosen passage whole; null while
 * it is not rendered.
 */
function computeTop(scroller: HTMLElement, block: number, start: number): number | null {
  const inside = scroller.querySelector(`[data-block="${block}"]`);
  if (!inside) return null;
  const element = inside.querySelector(`[data-start="${start}"]`) ?? inside;
  const isChosen = element.classList.contains("chosen");
  const chosen = isChosen ? [...scroller.querySelectorAll(".lit.chosen")] : [element];
  const around = isChosen ? [...chosen, ...scroller.querySelectorAll("[data-passage]")] : chosen;
  const measure = (elements: Element[]): [number, number] => {
    const boxes = elements.map((each) => each.getBoundingClientRect());
    return [Math.min(...boxes.map(({ top }) => top)), Math.max(...boxes.map(({ bottom }) => bottom))];
  };
  const stretch = measure(chosen);
  const wished = stretch[0] - scroller.clientHeight / 3;
  const top = isChosen ? computeReveal(stretch, measure(around), scroller.clientHeight, wished) : wished;
  return scroller.scrollTop + top - scroller.getBoundingClientRect().top;
}

/** Return the first character of the block at a third of the view, or of the last block at the end of the text. */
function findStart(scroller: HTMLElement): number {
  const { top, height } = scroller.getBoundingClientRect();
  const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  const line = top + (isAtEnd ? height : height / 3);
  let start = 0;
  for (const block of scroller.querySelectorAll<HTMLElement>("[data-block]")) {
    if (block.getBoundingClientRect().top > line) break;
    start = Number(block.dataset.block);
  }
  return start;
}

function averageHeight(heights: Map<number, number>): number {
  if (!heights.size) return ESTIMATED_HEIGHT;
  return [...heights.values()].reduce((sum, each) => sum + each, 0) / heights.size / SECTION_LENGTH;
}

function estimateHeight(length: number | null, stretch: number, ratio: number): number {
  return Math.round(
    Math.max(400, Math.min(SECTION_LENGTH, (length ?? SECTION_LENGTH) - stretch * SECTION_LENGTH) * ratio),
  );
}
