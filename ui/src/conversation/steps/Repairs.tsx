import type { Repair } from "../../api/types";
import { Icon } from "../../components/Icon";
import { type Translate, useTranslate } from "../../i18n";
import { formatSource } from "../citations/verdicts";

/** The citation marks in a sentence, which belong to the earlier answer. */
const MARKS = /(?: ?\[\d{1,4}\])+/g;

/** Count the corrected and the removed sentences. */
export function countRepairs(t: Translate, repairs: readonly Repair[]): string[] {
  const corrected = repairs.filter(({ after }) => after).length;
  const withdrawn = repairs.length - corrected;
  const told = [];
  if (corrected) told.push(t.count("conversation.repairs.corrected", corrected));
  if (withdrawn) told.push(t.count("conversation.repairs.withdrawn", withdrawn));
  return told;
}

/** The sentences that were changed because their sources did not support them. */
export function Repairs({ repairs }: { repairs: readonly Repair[] }) {
  const t = useTranslate();
  if (!repairs.length) return null;
  return (
    <ul className="steps repairs">
      {repairs.map(({ before, after, source }) => (
        <li key={before} className="step">
          <Icon name={after ? "edit" : "remove"} size={16} />
          <span className="step-words">
            {t(after ? "conversation.repairs.before" : "conversation.repairs.gone")} <del>{stripMarks(before)}</del>
            {after && (
              <>
                {" → "}
                <ins>{stripMarks(after)}</ins>
              </>
            )}
            {source && (
              <span className="repair-source">
                {t("conversation.says")} <q>{formatSource(source)}</q>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function stripMarks(sentence: string): string {
  return sentence.replace(MARKS, "").trim();
}
