import type { Sentence } from "../../api/types";
import { useTranslate } from "../../i18n";
import { openSource } from "../../viewer/openSource";
import type { Turn } from "../turns";
import { findMark } from "./citationMarks";
import { SuggestedCitations } from "./SuggestedCitations";
import { VerdictIcon } from "./VerdictIcon";
import { findOtherWords, getVerdict } from "./verdicts";

/**
 * Notes below a block of an answer: what the source says where it contradicts a sentence, and how many sentences were
 * not found.
 */
export function SentenceNotes({ turn, sentences }: { turn: Turn; sentences: Sentence[] }) {
  const t = useTranslate();
  const contradicted = sentences.filter((each) => getVerdict(each) === "contradicted");
  // If nothing was cited at all, the summary above the answer says so once.
  const missing = turn.citations.length ? sentences.filter((each) => getVerdict(each) === "unsupported") : [];
  return (
    <>
      {contradicted.map((each) => (
        <Contradiction key={each.start} turn={turn} sentence={each} />
      ))}
      {missing.length > 0 && (
        <small className="says" data-form="unsupported">
          <VerdictIcon form="unsupported" />
          <span>
            {t.count("conversation.nowhere", missing.length)}
            <SuggestedCitations turn={turn} numbers={missing.flatMap((each) => each.suggested)} />
          </span>
        </small>
      )}
    </>
  );
}

/** The number of a contradicted sentence's mark, which opens the source there, and what the source says instead. */
function Contradiction({ turn, sentence }: { turn: Turn; sentence: Sentence }) {
  const t = useTranslate();
  const { words, n } = findOtherWords(sentence, turn.citations);
  const mark = n === null ? null : findMark(turn, n);
  const says = <strong>{t(words ? "conversation.says" : "conversation.saysOtherwise")}</strong>;
  return (
    <small className="says" data-form="contradicted">
      <VerdictIcon form="contradicted" />
      <span>
        {mark ? (
          <button type="button" className="says-open" onClick={() => openSource(mark)}>
            {n} {says}
          </button>
        ) : (
          says
        )}
        {words && (
          <>
            {" "}
            <q>{words}</q>
          </>
        )}
      </span>
    </small>
  );
}
