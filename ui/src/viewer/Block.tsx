import { createElement, memo } from "react";
import type { Mark } from "../desk";
import { pointAt, pointsOf } from "../points";
import { useWords } from "../words";
import { lines, rows, unfenced } from "./cells";
import { labelOf } from "./Marks";
import { type Lit, pieces } from "./marks";
import type { Block as BlockOf } from "./stretches";

interface Lighting {
  lit: Lit[];
  pulse: number;
  onChoose: (mark: Mark) => void;
}

/** A block of a text as it is built: a heading, a paragraph, a list, a table, or code. */
export const Block = memo(function Block({ block, ...lighting }: { block: BlockOf } & Lighting) {
  const { kind, level, start, text } = block;
  const inside = <Lighted text={text} start={start} {...lighting} />;
  const shown = { "data-block": start, ...passageIn(lighting) };
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

/** A block in which the passage around the chosen words stands has a bar beside it. */
function passageIn({ lit }: Lighting): { "data-passage"?: true } {
  return lit.some(({ tone }) => tone === "passage") ? { "data-passage": true } : {};
}

/** Words that nobody can see in the file itself: they are shown as such. */
function Hidden({ block, ...lighting }: { block: BlockOf } & Lighting) {
  const say = useWords();
  return (
    <div className="clean-hidden" data-block={block.start} {...passageIn(lighting)}>
      <p className="soft small">{say("viewer.hidden")}</p>
      <p className="clean-edge">
        <Lighted text={block.text} start={block.start} {...lighting} />
      </p>
    </div>
  );
}

function Code({ block, ...lighting }: { block: BlockOf } & Lighting) {
  const { text, at } = unfenced(block.text);
  return (
    <pre className="clean-code" data-block={block.start} {...passageIn(lighting)}>
      <code>
        <Lighted text={text} start={block.start + pointAt(block.text, at)} {...lighting} />
      </code>
    </pre>
  );
}

function List({ block, ...lighting }: { block: BlockOf } & Lighting) {
  const point = pointsOf(block.text);
  return (
    <div className="clean-list" data-block={block.start} {...passageIn(lighting)}>
      {lines(block.text).map((line) => (
        <div key={line.at}>
          <Lighted text={line.text} start={block.start + point(line.at)} {...lighting} />
        </div>
      ))}
    </div>
  );
}

function Table({ block, ...lighting }: { block: BlockOf } & Lighting) {
  const point = pointsOf(block.text);
  return (
    <div className="clean-table" data-block={block.start} {...passageIn(lighting)}>
      <table>
        <tbody>
          {rows(block.text).map((row) => (
            <tr key={row[0]?.at}>
              {row.map((cell) => (
                <td key={cell.at}>
                  <Lighted text={cell.text} start={block.start + point(cell.at)} {...lighting} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Words, with what is lit in them: a link to the very passage, so that it can be passed on like any other. */
function Lighted({ text, start, lit, pulse, onChoose }: { text: string; start: number } & Lighting) {
  const say = useWords();
  return pieces(text, start, lit).map((piece) => {
    const top = piece.lit.at(-1);
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
        title={labelOf(say, top)}
        tabIndex={piece.start === mark.start ? 0 : -1}
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
}
