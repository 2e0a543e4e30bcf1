import type { ShownPassage } from "../../api/types";
import { type Piece, splitPieces } from "./passageText";

/** Lines of a project's file with their numbers, and the words that answer highlighted. */
export function PassageCode({ passage }: { passage: ShownPassage }) {
  const first = passage.lines?.[0] ?? 1;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <pre className="passage-code" tabIndex={0}>
      {splitByLine(splitPieces(passage)).map((pieces, at) => (
        <code
          key={pieces[0]?.start ?? `empty ${at}`}
          data-number={first + at}
          data-lit={pieces.some(({ isLit }) => isLit) || undefined}
        >
          {pieces.map(({ text, isLit, start }, place) => {
            if (!isLit) return text;
            // The indentation is not highlighted.
            const words = place === 0 ? text.trimStart() : text;
            return [text.slice(0, text.length - words.length), words && <mark key={start}>{words}</mark>];
          })}
        </code>
      ))}
    </pre>
  );
}

/** Split pieces at the ends of lines; an empty line has no pieces. */
function splitByLine(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const { text, isLit, start } of pieces) {
    let at = start;
    for (const [place, part] of text.split(/\r\n|\n|\r/).entries()) {
      if (place) lines.push([]);
      if (part) lines.at(-1)?.push({ text: part, isLit, start: at });
      at += part.length + 1;
    }
  }
  return lines;
}
