import { createElement, memo } from "react";
import { useTranslate } from "../i18n";
import { createCodePointIndex, toCodePointIndex } from "../text/codePoints";
import { splitLines, splitRows, stripFences } from "./blockText";
import { type Highlight, splitByHighlights } from "./highlights";
import { labelHighlight } from "./PageHighlights";
import type { Block as BlockOf } from "./useDocumentText";
import type { Mark } from "./viewerStore";

interface BlockHighlights {
  highlights: Highlight[];
  pulse: number;
  onChoose: (mark: Mark) => void;
}

/** A block of text: a heading, a paragraph, a list, a table or code. */
export const TextBlock = memo(function Block({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const { kind, level, start, text } = block;
  const inside = <HighlightedText text={text} start={start} {...lighting} />;
  const shown = { "data-block": start, ...markPassage(lighting) };
  switch (kind) {
    case "heading":
      return createElement(`h${Math.min(6, level + 1)}`, { ...shown, className: "clean-heading" }, inside);
    case "table":
      return <Table block={block} {...lighting} />;
    case "code":
      return <Code block={block} {...lighting} />;
    case "list":
      return <List block={block} {...lighting} />;
    case "hidden":
      return <Hidden block={block} {...lighting} />;
    default:
      return (
        <p {...shown} className={kind === "paragraph" ? "clean-paragraph" : "clean-edge"}>
          {inside}
        </p>
      );
  }
});

/** Mark a block that contains the passage around the chosen words; it gets a bar beside it. */
function markPassage({ highlights: lit }: BlockHighlights): { "data-passage"?: true } {
  return lit.some(({ tone }) => tone === "passage") ? { "data-passage": true } : {};
}

/** Text that is invisible in the file, shown as such. */
function Hidden({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const t = useTranslate();
  return (
    <div className="clean-hidden" data-block={block.start} {...markPassage(lighting)}>
      <p className="soft small">{t("viewer.hidden")}</p>
      <p className="clean-edge">
        <HighlightedText text={block.text} start={block.start} {...lighting} />
      </p>
    </div>
  );
}

function Code({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const { text, at } = stripFences(block.text);
  return (
    <pre className="clean-code" data-block={block.start} {...markPassage(lighting)}>
      <code>
        <HighlightedText text={text} start={block.start + toCodePointIndex(block.text, at)} {...lighting} />
      </code>
    </pre>
  );
}

function List({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const point = createCodePointIndex(block.text);
  return (
    <div className="clean-list" data-block={block.start} {...markPassage(lighting)}>
      {splitLines(block.text).map((line) => (
        <div key={line.at}>
          <HighlightedText text={line.text} start={block.start + point(line.at)} {...lighting} />
        </div>
      ))}
    </div>
  );
}

function Table({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const point = createCodePointIndex(block.text);
  return (
    <div className="clean-table" data-block={block.start} {...markPassage(lighting)}>
      <table>
        <tbody>
          {splitRows(block.text).map((row) => (
            <tr key={row[0]?.at}>
              {row.map((cell) => (
                <td key={cell.at}>
                  <HighlightedText text={cell.text} start={block.start + point(cell.at)} {...lighting} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text with its highlights. Each is a link to its passage, which can be shared. */
export function HighlightedText({
  text,
  start,
  highlights: lit,
  pulse,
  onChoose,
}: { text: string; start: number } & BlockHighlights) {
  const t = useTranslate();
  const pieces = splitByHighlights(text, start, lit).map((piece) => {
    const top = piece.highlights.at(-1);
    if (!top) return piece.text;
    const shown = {
      className: top.isChosen ? "lit chosen" : "lit",
      "data-mark": top.mark?.key,
      "data-tone": top.tone,
      "data-chosen": top.isChosen || undefined,
      "data-start": piece.start,
    };
    const key = `${piece.start} ${top.key} ${top.isChosen ? pulse : ""}`;
    const mark = top.mark;
    if (!mark) {
      return (
        <mark key={key} {...shown}>
          {piece.text}
        </mark>
      );
    }
    return (
      <a
        key={key}
        {...shown}
        href={`/d/${mark.document}?span=${mark.start}-${mark.end}`}
        title={labelHighlight(t, top)}
        tabIndex={piece.start === (top.entry ?? mark.start) ? 0 : -1}
        aria-current={top.isChosen || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onChoose(mark);
        }}
      >
        {piece.text}
      </a>
    );
  });
  return <span data-from={start}>{pieces}</span>;
}
