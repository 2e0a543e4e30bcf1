import type { Repair } from "../api/shapes";
import { Icon } from "../look/Icon";
import { type Say, useWords } from "../words";
import { sourceWords } from "./forms";

/** The marks of citations in a sentence, which are of the answer before. */
const MARKS = /(?: ?\[\d{1,4}\])+/g;

/** How many sentences were corrected, and how many withdrawn. */
export function repairWords(say: Say, repairs: readonly Repair[]): string[] {
  const corrected = repairs.filter(({ after }) => after).length;
  const withdrawn = repairs.length - corrected;
  const told = [];
  if (corrected) told.push(say.count("conversation.repairs.corrected", corrected));
  if (withdrawn) told.push(say.count("conversation.repairs.withdrawn", withdrawn));
  return told;
}

/** What was changed in an answer because its sources did not support it. */
export function Repairs({ repairs }: { repairs: readonly Repair[] }) {
  const say = useWords();
  if (!repairs.length) return null;
  return (
    <ul className="steps repairs">
      {repairs.map(({ before, after, source }) => (
        <li key={before} className="step">
          <Icon name={after ? "edit" : "remove"} size={16} />
          <span className="step-words">
            {say(after ? "conversation.repairs.before" : "conversation.repairs.gone")} <del>{bare(before)}</del>
            {after && (
              <>
                {" → "}
                <ins>{bare(after)}</ins>
              </>
            )}
            {source && (
              <span className="repair-source">
                {say("conversation.says")} <q>{sourceWords(source)}</q>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function bare(sentence: string): string {
  return sentence.replace(MARKS, "").trim();
}
