import type { Sentence } from "../../api/types";
import { useTranslate } from "../../i18n";
import type { Turn } from "../turns";
import { SuggestedCitations } from "./SuggestedCitations";
import { VerdictIcon } from "./VerdictIcon";
import { formatSource, getVerdict } from "./verdicts";

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
        <small key={each.start} className="says" data-form="contradicted">
          <VerdictIcon form="contradicted" />
          <span>
            <strong>{t(each.source ? "conversation.says" : "conversation.saysOtherwise")}</strong>
            {each.source && (
              <>
                {" "}
                <q>{formatSource(each.source)}</q>
              </>
            )}
          </span>
        </small>
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
