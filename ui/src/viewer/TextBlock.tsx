import { createElement, memo } from "react";
import { useTranslate } from "../i18n";
import { createCodePointIndex, toCodePointIndex } from "../text/codePoints";
import { isFigure } from "../text/figures";
import {
  hasShape,
  isListText,
  parseHeading,
  type SignedLine,
  splitEndedLines,
  splitItems,
  splitQuote,
  splitRows,
  splitWrappedLines,
  stripFences,
} from "./blockText";
import { type Highlight, splitByHighlights } from "./highlights";
import { type InlinePart, splitInline } from "./inlineMarkdown";
import { handleLink } from "./linkEvents";
import { labelHighlight } from "./PageHighlights";
import type { Block as BlockOf } from "./useDocumentText";
import type { Mark } from "./viewerStore";

interface BlockHighlights {
  /** The text is Markdown: its emphasis and code are shown as such, without their signs. */
  isMarkdown?: boolean;
  highlights: Highlight[];
  pulse: number;
  onChoose: (mark: Mark) => void;
}

interface TextBlockProps extends BlockHighlights {
  block: BlockOf;
  /** The document is a plain text: spaces and line ends give it its shape, and the signs of Markdown have a meaning. */
  isPlain?: boolean;
  /** The document has printed pages, whose width ended most lines. */
  isPrinted?: boolean;
}

/** A block of text: a heading, a paragraph, a list, a quote, a table or code. */
export const TextBlock = memo(function Block({
  block,
  isPlain = false,
  isPrinted = false,
  ...lighting
}: TextBlockProps) {
  const { kind, level, start, text } = block;
  const flows = isPlain || isPrinted || lighting.isMarkdown;
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
      return <List block={block} flows={flows} {...lighting} />;
    case "hidden":
      return <Hidden block={block} {...lighting} />;
    case "paragraph":
      return <Paragraph block={block} isPlain={isPlain} isPrinted={isPrinted} {...lighting} />;
    default:
      return (
        <p {...shown} className="clean-edge">
          {inside}
        </p>
      );
  }
});

/** A paragraph, or the heading, list or quote that its signs say it is. */
function Paragraph({ block, isPlain, isPrinted, ...lighting }: TextBlockProps) {
  const { text, start } = block;
  const hasSigns = isPlain || lighting.isMarkdown;
  const shown = { "data-block": start, ...markPassage(lighting) };
  const heading = hasSigns ? parseHeading(text) : null;
  if (heading) {
    const inside = <HighlightedText text={text} start={start} sign={heading.sign} {...lighting} />;
    return createElement(`h${Math.min(6, heading.level + 1)}`, { ...shown, className: "clean-heading" }, inside);
  }
  const quote = hasSigns ? splitQuote(text) : null;
  if (quote) {
    return (
      <blockquote {...shown} className="clean-quote">
        <Lines block={block} lines={quote} {...lighting} />
      </blockquote>
    );
  }
  if (hasSigns && isListText(text)) return <List block={block} flows {...lighting} />;
  if (isPlain && hasShape(text)) return <Code block={block} {...lighting} />;
  const flowing = isPrinted ? splitEndedLines(text) : isPlain ? splitWrappedLines(text) : null;
  if (flowing) {
    return (
      <p {...shown} className="clean-paragraph" data-flowing>
        <Lines block={block} lines={flowing.map((line) => ({ ...line, sign: 0 }))} {...lighting} />
      </p>
    );
  }
  return (
    <p {...shown} className="clean-paragraph">
      <HighlightedText text={text} start={start} {...lighting} />
    </p>
  );
}

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
        <HighlightedText
          text={text}
          start={block.start + toCodePointIndex(block.text, at)}
          {...lighting}
          isMarkdown={false}
        />
      </code>
    </pre>
  );
}

function List({ block, flows, ...lighting }: { block: BlockOf; flows: boolean | undefined } & BlockHighlights) {
  return (
    <ul className="clean-list" data-block={block.start} data-flowing={flows || undefined} {...markPassage(lighting)}>
      {splitItems(block.text, flows).map(({ lines, depth, isNumbered }) => (
        <li
          key={lines[0]?.at}
          data-numbered={isNumbered || undefined}
          style={{ "--depth": depth } as React.CSSProperties}
        >
          <Lines block={block} lines={lines} {...lighting} />
        </li>
      ))}
    </ul>
  );
}

/** Lines of a block without their signs. */
function Lines({ block, lines, ...lighting }: { block: BlockOf; lines: SignedLine[] } & BlockHighlights) {
  const point = createCodePointIndex(block.text);
  return lines.map(({ text, at, sign }) => (
    <span key={at} className="clean-line">
      <HighlightedText text={text} start={block.start + point(at)} sign={sign} {...lighting} />
    </span>
  ));
}

function Table({ block, ...lighting }: { block: BlockOf } & BlockHighlights) {
  const point = createCodePointIndex(block.text);
  const rows = splitRows(block.text);
  const isOfFigures = (at: number) => rows.slice(1).every((row) => isFigure(row[at]?.text ?? ""));
  return (
    <div className="clean-table" data-block={block.start} {...markPassage(lighting)}>
      <table>
        <tbody>
          {rows.map((row, line) => (
            <tr key={row[0]?.at}>
              {row.map((cell, at) => (
                <td key={cell.at} data-number={(at > 0 && (line ? isFigure(cell.text) : isOfFigures(at))) || undefined}>
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

/**
 * Text with its highlights. Each leads to its passage as a link does. The first `sign` characters are not shown, nor
 * are signs of emphasis; they stay in the page, so that the characters of a selection can be counted.
 */
export function HighlightedText({
  text: whole,
  start: from,
  sign = 0,
  isMarkdown = false,
  ...lighting
}: { text: string; start: number; sign?: number } & BlockHighlights) {
  const text = whole.slice(sign);
  const point = createCodePointIndex(whole);
  const plain = [{ text, at: 0, styles: [], isSign: false }];
  const parts: InlinePart[] = isMarkdown ? splitInline(text) : plain;
  return (
    <span data-from={from}>
      {sign > 0 && <span className="clean-sign">{whole.slice(0, sign)}</span>}
      {parts.map((part, place) => {
        if (part.isSign) return <HiddenSign key={part.at} text={part.text} />;
        const start = from + point(sign + part.at);
        const before = parts[place - 1];
        const hidden = before?.isSign ? before.text.length : 0;
        const inside = <HighlightedPart key={part.at} text={part.text} start={start} hidden={hidden} {...lighting} />;
        return part.styles.reduceRight((content, style) => createElement(style, { key: part.at }, content), inside);
      })}
    </span>
  );
}

function HiddenSign({ text }: { text: string }) {
  return <span className="clean-sign">{text}</span>;
}

/** A part of a text in one style. `hidden` characters before it are signs: a highlight may begin with them. */
function HighlightedPart({
  text,
  start,
  hidden,
  highlights: lit,
  pulse,
  onChoose,
}: { text: string; start: number; hidden: number } & BlockHighlights) {
  const t = useTranslate();
  return splitByHighlights(text, start, lit).map((piece) => {
    const top = piece.highlights.at(-1);
    if (!top) return piece.text;
    const entry = top.entry ?? top.mark?.start ?? top.start;
    const isEntry = entry === piece.start || (piece.start === start && entry === start - hidden);
    const shown = {
      className: top.isChosen ? "lit chosen" : "lit",
      "data-mark": top.mark?.key,
      "data-tone": top.tone,
      "data-note": piece.highlights.find((each) => each !== top && each.tone.startsWith("note-"))?.tone,
      "data-chosen": top.isChosen || undefined,
      "data-open": top.isOpen || undefined,
      "data-start": isEntry ? (entry ?? piece.start) : piece.start,
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
      // biome-ignore lint/a11y/useSemanticElements: the mouse drags an <a>, and cannot select its words
      <span
        key={key}
        {...shown}
        role="link"
        title={labelHighlight(t, top)}
        tabIndex={isEntry ? 0 : -1}
        aria-current={top.isChosen || undefined}
        {...handleLink(`/d/${mark.document}?span=${mark.start}-${mark.end}`, () => onChoose(mark))}
      >
        {piece.text}
      </span>
    );
  });
}
