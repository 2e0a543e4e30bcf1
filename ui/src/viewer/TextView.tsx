import { useCallback, useEffect } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { DrawnBlockView } from "./DrawnBlockView";
import type { Highlight } from "./highlights";
import { type SectionPlace, SectionScroller } from "./SectionScroller";
import { TextBlock } from "./TextBlock";
import type { Sheet } from "./useDocument";
import {
  type Block as BlockOf,
  getSectionIndex,
  SECTION_LENGTH,
  type TextItem,
  useDocumentText,
} from "./useDocumentText";
import type { ScrollTarget } from "./useScrollTarget";
import type { Mark } from "./viewerStore";
import { UNIT, type Zoom } from "./zoom";

const ESTIMATED_HEIGHT = 0.4; // pixels of height per character, until a section was measured

interface TextViewProps {
  document: string;
  kind: string;
  /** The document is drawn as it looks, on a sheet. Use one component for each of the two. */
  isSheet: boolean;
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
  const { document, kind, isSheet, highlights: lit, target, zoom, sheets, onPage, onStart, onScale, onChoose } = props;
  const t = useTranslate();
  const { length, sections, width, problem, load } = useDocumentText(document, isSheet);
  const size = typeof zoom === "number" ? Math.min(3, Math.max(0.5, zoom)) : 1;
  const count = length === null ? 1 : Math.max(1, Math.ceil(length / SECTION_LENGTH));

  useEffect(() => onScale(size), [size, onScale]);

  const find = useCallback(
    async ({ start }: ScrollTarget): Promise<SectionPlace | null> => {
      const blocks = await load(getSectionIndex(start ?? 0));
      const block = blocks.find((each) => each.end > (start ?? 0));
      return block ? { section: getSectionIndex(block.start), block: block.start } : null;
    },
    [load],
  );
  const read = ({ block }: SectionPlace) => {
    onStart(block);
    if (sheets.length) onPage(sheets.findLast((sheet) => sheet.start <= block)?.number ?? 1);
  };
  const pulse = target?.id ?? 0;
  const renderItem = ({ block, drawing }: TextItem) =>
    block ? (
      renderBlock(block, kind, lit, pulse, onChoose)
    ) : (
      <DrawnBlockView
        key={`${drawing.start} ${drawing.end}`}
        document={document}
        drawing={drawing}
        lighting={{ highlights: listWithin(lit, drawing), pulse, onChoose }}
      />
    );
  return (
    <SectionScroller
      className={isSheet ? "clean drawn" : "clean"}
      kind={kind}
      label={t("viewer.text")}
      count={count}
      target={target}
      find={find}
      load={load}
      isLoaded={(at) => at in sections}
      render={(at) => sections[at]?.map(renderItem)}
      estimate={(at, heights) => estimateHeight(length, at, averageHeight(heights))}
      waiting={problem ? null : <Skeleton />}
      onRead={read}
    >
      {(shown, reload) => (
        <article className="clean-inside" style={styleSheet(size, width)}>
          {problem && (
            <div className="clean-trouble">
              <ErrorMessage fault={problem}>
                <button type="button" className="button" onClick={reload}>
                  {t("viewer.again")}
                </button>
              </ErrorMessage>
            </div>
          )}
          {length === 0 && <p className="empty">{t("viewer.empty")}</p>}
          {shown}
        </article>
      )}
    </SectionScroller>
  );
}

const NONE: Highlight[] = [];

/** Return the size of the text, and that of a point and of the lines where it is drawn. */
function styleSheet(size: number, width: number): React.CSSProperties {
  const measures: Record<string, string | number> = width ? { "--point": `${size * UNIT}px`, "--lines": width } : {};
  return { "--clean": size, ...measures } as React.CSSProperties;
}

/** Return the highlights in a range; always the same empty list without any, so that it does not render again. */
export function listWithin(lit: Highlight[], { start: from, end: to }: { start: number; end: number }): Highlight[] {
  const here = lit.filter(({ start, end }) => start !== null && end !== null && start < to && end > from);
  return here.length ? here : NONE;
}

/** Kinds of documents whose text was typed without a format. */
const PLAIN_KINDS = new Set(["text", "email"]);

/** Render a block with its own highlights only, so that the others do not render again. */
export function renderBlock(
  block: BlockOf,
  kind: string,
  lit: Highlight[],
  pulse: number,
  onChoose: (mark: Mark) => void,
) {
  const here = listWithin(lit, block);
  const isLit = here.length > 0;
  return (
    <TextBlock
      key={block.start}
      block={block}
      isPlain={PLAIN_KINDS.has(kind)}
      isMarkdown={kind === "markdown"}
      isPrinted={kind === "pdf"}
      highlights={here}
      pulse={isLit ? pulse : 0}
      onChoose={onChoose}
    />
  );
}

export function Skeleton() {
  return (
    <div className="clean-skeleton" aria-hidden="true">
      {[92, 100, 96, 64].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

function averageHeight(heights: ReadonlyMap<number, number>): number {
  if (!heights.size) return ESTIMATED_HEIGHT;
  return [...heights.values()].reduce((sum, each) => sum + each, 0) / heights.size / SECTION_LENGTH;
}

function estimateHeight(length: number | null, stretch: number, ratio: number): number {
  return Math.round(
    Math.max(400, Math.min(SECTION_LENGTH, (length ?? SECTION_LENGTH) - stretch * SECTION_LENGTH) * ratio),
  );
}
