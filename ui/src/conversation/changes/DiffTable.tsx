import { useTranslate } from "../../i18n";
import { type Diff, type DiffLine, type Hunk, takeLines } from "./diffLines";

const SIGNS: Record<DiffLine["kind"], string> = { added: "+", removed: "−", same: "" };

/** The first lines of a diff, with their numbers before and after, and a sign for added and removed ones. */
export function DiffTable({ diff, path, most }: { diff: Diff; path: string; most: number }) {
  const t = useTranslate();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section className="diff" tabIndex={0} aria-label={t("changes.diff", { path })}>
      <table>
        <thead className="hidden">
          <tr>
            <th scope="col">{t("changes.before")}</th>
            <th scope="col">{t("changes.after")}</th>
            <th scope="col">{t("changes.kind")}</th>
            <th scope="col">{t("changes.line")}</th>
          </tr>
        </thead>
        {takeLines(diff.hunks, most).map((hunk, place) => (
          <HunkRows key={makeKey(hunk)} hunk={hunk} isFirst={place === 0} />
        ))}
      </table>
    </section>
  );
}

function HunkRows({ hunk, isFirst }: { hunk: Hunk; isFirst: boolean }) {
  const t = useTranslate();
  const [first] = hunk.lines;
  const isStart = isFirst && first?.before !== null && (first?.before ?? 1) <= 1;
  return (
    <tbody>
      {!isStart && (hunk.heading || !isFirst) && (
        <tr className="diff-gap">
          <td colSpan={4}>
            <span aria-hidden="true">⋯</span> {hunk.heading}
          </td>
        </tr>
      )}
      {hunk.lines.map((line) => (
        <tr key={`${line.before} ${line.after}`} data-kind={line.kind}>
          <td className="diff-number" data-number={line.before ?? ""} />
          <td className="diff-number" data-number={line.after ?? ""} />
          <td className="diff-sign">
            {SIGNS[line.kind]}
            {line.kind !== "same" && (
              <span className="hidden">{t(line.kind === "added" ? "changes.added" : "changes.removed")}</span>
            )}
          </td>
          <td className="diff-text">
            <code>{line.text || " "}</code>
            {line.isOpen && <span className="diff-note"> {t("changes.openEnd")}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function makeKey({ lines }: Hunk): string {
  return `${lines[0]?.before} ${lines[0]?.after}`;
}
