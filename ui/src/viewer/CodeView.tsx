import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n";
import { type CodeLine, findLine, type LineMark, markLines, placeOnLine } from "./codeLines";
import type { Highlight } from "./highlights";
import { computeReveal } from "./pageGeometry";
import { revealSideways, scrollSmoothly } from "./smoothScroll";
import { HighlightedText } from "./TextBlock";
import { useNearbySections } from "./useNearbySections";
import type { ScrollTarget } from "./useScrollTarget";
import type { Mark } from "./viewerStore";
import type { Zoom } from "./zoom";

/** The lines of a section. Those of a section far from the view are not rendered. */
const SECTION = 200;

interface CodeViewProps {
  lines: CodeLine[];
  highlights: Highlight[];
  target: ScrollTarget | null;
  zoom: Zoom;
  onScale: (scale: number) => void;
  onChoose: (mark: Mark) => void;
}

/** A file with its line numbers. Cited lines are marked in the margin, and the cited characters are highlighted. */
export function CodeView({ lines, highlights, target, zoom, onScale, onChoose }: CodeViewProps) {
  const t = useTranslate();
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0]));
  const size = typeof zoom === "number" ? Math.min(3, Math.max(0.5, zoom)) : 1;
  const count = Math.max(1, Math.ceil(lines.length / SECTION));
  const marked = useMemo(() => markLines(lines, highlights), [lines, highlights]);

  useEffect(() => onScale(size), [size, onScale]);
  useNearbySections(scroller, count, setNear, heights.current, () => undefined);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !target || target.start === null || !lines.length) return;
    const line = element.querySelector(".code-line")?.getBoundingClientRect().height ?? 0;
    const [first, last] = [findLine(lines, target.start), findLine(lines, (target.end ?? target.start + 1) - 1)];
    const place: [number, number] = [line * first, line * (last + 1)];
    const top = computeReveal(place, place, element.clientHeight, line * first - element.clientHeight / 3);
    scrollSmoothly(element, top, 0, target.isSmooth && Math.abs(top - element.scrollTop) < 8 * element.clientHeight);
  }, [target, lines]);

  // The lines of the target are rendered once they are near the view.
  const revealed = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when other lines are rendered
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !target || revealed.current === target.id || !element.querySelector(".lit.chosen")) return;
    revealed.current = target.id;
    revealSideways(element, element.querySelector(".code-number")?.clientWidth);
  }, [target, near, marked]);

  const style = { "--clean": size, "--digits": String(lines.length).length } as React.CSSProperties;
  return (
    <section
      className="clean code-view"
      data-scroller
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={t("viewer.text")}
    >
      {!lines.length && <p className="empty">{t("viewer.empty")}</p>}
      <div className="code-inside" style={style}>
        {Array.from({ length: count }, (_, at) => (
          <CodeSection
            // biome-ignore lint/suspicious/noArrayIndexKey: a section is identified by its index
            key={at}
            index={at}
            lines={lines}
            isShown={near.has(at)}
            highlights={highlights}
            marked={marked}
            pulse={target?.id ?? 0}
            onChoose={onChoose}
          />
        ))}
      </div>
    </section>
  );
}

interface CodeSectionProps {
  index: number;
  lines: CodeLine[];
  isShown: boolean;
  highlights: Highlight[];
  marked: ReadonlyMap<number, LineMark>;
  pulse: number;
  onChoose: (mark: Mark) => void;
}

function CodeSection({ index, lines, isShown, highlights, marked, pulse, onChoose }: CodeSectionProps) {
  const own = lines.slice(index * SECTION, (index + 1) * SECTION);
  const style = { "--lines": own.length } as React.CSSProperties;
  return (
    <div className="code-section" data-stretch={index} style={style} aria-busy={!isShown}>
      {isShown &&
        own.map((line) => {
          const here = placeOnLine(line, highlights);
          return (
            <Line
              key={line.number}
              line={line}
              mark={marked.get(line.number)}
              highlights={here.length ? here : NONE}
              pulse={here.length ? pulse : 0}
              onChoose={onChoose}
            />
          );
        })}
    </div>
  );
}

const NONE: Highlight[] = [];

interface LineProps {
  line: CodeLine;
  mark: LineMark | undefined;
  highlights: Highlight[];
  pulse: number;
  onChoose: (mark: Mark) => void;
}

const Line = memo(function CodeLineRow({ line, mark, highlights, pulse, onChoose }: LineProps) {
  return (
    <div className="code-line" data-line={line.number} data-lines={mark}>
      <span className="code-number" data-number={line.number} aria-hidden="true" />
      <code className="code-text">
        <HighlightedText
          text={line.text}
          start={line.start}
          highlights={highlights}
          pulse={pulse}
          onChoose={onChoose}
        />
      </code>
    </div>
  );
});
