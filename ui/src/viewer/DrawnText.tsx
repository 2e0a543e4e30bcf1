import { createElement, useState } from "react";
import type { components } from "../api/schema";
import type { Highlight } from "./highlights";
import { HighlightedText } from "./TextBlock";
import type { Mark } from "./viewerStore";

export type DrawnParagraph = components["schemas"]["DrawnParagraph"];
export type DrawnTable = components["schemas"]["DrawnTable"];
type DrawnPicture = components["schemas"]["DrawnPicture"];
type DrawnCell = components["schemas"]["DrawnCell"];
type DrawnRun = components["schemas"]["DrawnRun"];

/** The height of a line of most fonts, as a multiple of their size. */
const FONT_HEIGHT = 1.2;
/** The space around the words of a cell, in points. */
const CELL_INSETS = { x: 7.2, y: 3.6 };
const SHIFTED = 0.66; // the size of a raised or lowered word

/** Writes a length in points as a size of CSS. */
export type Measure = (points: number) => string;

export interface Lighting {
  highlights: Highlight[];
  pulse: number;
  onChoose: (mark: Mark) => void;
}

interface DrawnTextProps {
  document: string;
  measure: Measure;
  /** Null draws words that are neither selected nor highlighted, such as those of a thumbnail. */
  lighting: Lighting | null;
}

/** Paragraphs as they look. */
export function DrawnParagraphs({
  paragraphs,
  ...rest
}: { paragraphs: DrawnParagraph[]; level?: number } & DrawnTextProps) {
  return paragraphs.map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a drawing do not change
    <Paragraph key={at} paragraph={paragraph} {...rest} />
  ));
}

interface ParagraphProps extends DrawnTextProps {
  paragraph: DrawnParagraph;
  /** The level of a heading, from 1; 0 if it is none. */
  level?: number;
}

function Paragraph({ paragraph, level = 0, document, measure, lighting }: ParagraphProps) {
  const { label, runs, align, indent, bullet, figures } = paragraph;
  const width = { minWidth: measure(Math.max(0, -indent)) };
  const content = (
    <>
      {bullet && (
        <span className="drawn-bullet" aria-hidden="true" style={{ ...width, ...styleRun(runs[0], measure) }}>
          {bullet}
        </span>
      )}
      {label && (
        <span className="drawn-label" style={width}>
          <Run run={label} measure={measure} lighting={lighting} />{" "}
        </span>
      )}
      {runs.map((run, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a drawing do not change
        <Run key={at} run={run} measure={measure} lighting={lighting} />
      ))}
      {figures.map((figure, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pictures of a drawing do not change
        <Figure key={at} document={document} figure={figure} measure={measure} />
      ))}
    </>
  );
  const shown = {
    className: "drawn-paragraph",
    dir: "auto",
    "data-align": align,
    "data-passage": lighting && isInPassage(runs, lighting.highlights) ? true : undefined,
    style: styleParagraph(paragraph, measure),
  };
  return createElement(level ? `h${Math.min(6, level + 1)}` : "p", shown, content);
}

interface FigureProps extends Pick<DrawnTextProps, "document" | "measure"> {
  figure: components["schemas"]["DrawnFigure"];
}

/** A picture in a text, which is never wider than the text. */
function Figure({ document, figure: { picture, width, height }, measure }: FigureProps) {
  return (
    <span className="drawn-figure" style={{ width: measure(width), aspectRatio: `${width} / ${height}` }}>
      <DrawnPictureView document={document} picture={picture} />
    </span>
  );
}

/** A picture of the file; one of a kind that cannot be shown is an empty frame with its description. */
export function DrawnPictureView({ document, picture }: { document: string; picture: DrawnPicture }) {
  const [isBroken, setBroken] = useState(false);
  const { number, description, left, top, right, bottom } = picture;
  const [across, down] = [1 - left - right, 1 - top - bottom];
  if (isBroken) {
    return (
      <span className="drawn-picture drawn-broken" role="img" aria-label={description}>
        {description}
      </span>
    );
  }
  return (
    <span className="drawn-picture">
      <img
        src={`/api/documents/${document}/pictures/${number}`}
        alt={description}
        draggable={false}
        onError={() => setBroken(true)}
        style={{
          left: `${(-100 * left) / across}%`,
          top: `${(-100 * top) / down}%`,
          width: `${100 / across}%`,
          height: `${100 / down}%`,
        }}
      />
    </span>
  );
}

function Run({ run, measure, lighting }: { run: DrawnRun } & Omit<DrawnTextProps, "document">) {
  const hasPlace = lighting !== null && run.start != null;
  return (
    <>
      {Array.from({ length: run.breaks }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: line ends are all alike
        <br key={at} />
      ))}
      <span
        className={hasPlace ? undefined : "drawn-fixed"}
        data-font={run.font === "sans" ? undefined : run.font}
        data-shift={run.shift || undefined}
        style={styleRun(run, measure)}
      >
        {hasPlace ? <HighlightedText text={run.text} start={run.start ?? 0} {...lighting} /> : run.text}
      </span>
    </>
  );
}

function styleParagraph(paragraph: DrawnParagraph, measure: Measure): React.CSSProperties {
  const { runs, margin, indent, before, after, line } = paragraph;
  return {
    fontSize: measureFont(measure, Math.max(...runs.map((run) => run.size), 1)),
    lineHeight: line * FONT_HEIGHT,
    marginTop: measure(before),
    marginBottom: measure(after),
    paddingInlineStart: measure(Math.max(0, margin)),
    textIndent: measure(indent),
  };
}

function styleRun(run: DrawnRun | undefined, measure: Measure): React.CSSProperties {
  if (!run) return {};
  const lines = [run.underline && "underline", run.strike && "line-through"].filter(Boolean).join(" ");
  return {
    fontSize: measureFont(measure, run.shift ? run.size * SHIFTED : run.size),
    ...(run.colour && { color: run.colour }),
    ...(run.ground && { backgroundColor: run.ground }),
    ...(run.bold && { fontWeight: 700 }),
    ...(run.italic && { fontStyle: "italic" }),
    ...(lines && { textDecoration: lines }),
  };
}

/** Write the size of a font. `--fit` makes words smaller where they would not fit into their box. */
function measureFont(measure: Measure, points: number): string {
  return `calc(${measure(points)} * var(--fit, 1))`;
}

/** A table as it looks. */
export function DrawnTableView({ table, document, measure, lighting }: { table: DrawnTable } & DrawnTextProps) {
  const whole = table.widths.reduce((sum, width) => sum + width, 0);
  const width = whole > 0 ? ({ "--table": measure(whole) } as React.CSSProperties) : undefined;
  return (
    <table className="drawn-table" data-lines={table.line ? true : undefined} style={width}>
      {whole > 0 && (
        <colgroup>
          {table.widths.map((width, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a drawing do not change
            <col key={at} style={{ width: `${(100 * width) / whole}%` }} />
          ))}
        </colgroup>
      )}
      <tbody>
        {table.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a drawing do not change
          <tr key={at} style={table.heights[at] ? { height: measure(table.heights[at]) } : undefined}>
            {row.map((cell, place) => (
              <td
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a drawing do not change
                key={place}
                colSpan={cell.columns}
                rowSpan={cell.rows}
                style={styleCell(cell, table, measure)}
              >
                <DrawnParagraphs
                  paragraphs={cell.paragraphs}
                  document={document}
                  measure={measure}
                  lighting={lighting}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function styleCell({ fill }: DrawnCell, { line }: DrawnTable, measure: Measure): React.CSSProperties {
  return {
    ...(fill && { backgroundColor: fill }),
    ...(line && { borderColor: line }),
    padding: `${measure(CELL_INSETS.y)} ${measure(CELL_INSETS.x)}`,
  };
}

/** Return whether a paragraph is in the passage around the chosen words. */
function isInPassage(runs: DrawnRun[], highlights: Highlight[]): boolean {
  return highlights.some(
    ({ tone, start, end }) =>
      tone === "passage" &&
      start !== null &&
      end !== null &&
      runs.some((run) => run.start != null && run.end != null && run.start < end && run.end > start),
  );
}
