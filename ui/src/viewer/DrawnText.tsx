import type { components } from "../api/schema";
import type { Highlight } from "./highlights";
import { HighlightedText } from "./TextBlock";
import type { Mark } from "./viewerStore";

export type DrawnParagraph = components["schemas"]["DrawnParagraph"];
export type DrawnTable = components["schemas"]["DrawnTable"];
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
  measure: Measure;
  /** Null draws words that are neither selected nor highlighted, such as those of a thumbnail. */
  lighting: Lighting | null;
}

/** Paragraphs as they look. */
export function DrawnParagraphs({ paragraphs, ...rest }: { paragraphs: DrawnParagraph[] } & DrawnTextProps) {
  return paragraphs.map((paragraph, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a drawing do not change
    <Paragraph key={at} paragraph={paragraph} {...rest} />
  ));
}

function Paragraph({ paragraph, measure, lighting }: { paragraph: DrawnParagraph } & DrawnTextProps) {
  const { runs, align, indent, bullet } = paragraph;
  return (
    <p
      className="drawn-paragraph"
      dir="auto"
      data-align={align}
      data-passage={lighting && isInPassage(runs, lighting.highlights) ? true : undefined}
      style={styleParagraph(paragraph, measure)}
    >
      {bullet && (
        <span
          className="drawn-bullet"
          aria-hidden="true"
          style={{ minWidth: measure(Math.max(0, -indent)), ...styleRun(runs[0], measure) }}
        >
          {bullet}
        </span>
      )}
      {runs.map((run, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a drawing do not change
        <Run key={at} run={run} measure={measure} lighting={lighting} />
      ))}
    </p>
  );
}

function Run({ run, measure, lighting }: { run: DrawnRun } & DrawnTextProps) {
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
export function DrawnTableView({ table, measure, lighting }: { table: DrawnTable } & DrawnTextProps) {
  const whole = table.widths.reduce((sum, width) => sum + width, 0);
  return (
    <table className="drawn-table" data-lines={table.line ? true : undefined}>
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
                <DrawnParagraphs paragraphs={cell.paragraphs} measure={measure} lighting={lighting} />
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
