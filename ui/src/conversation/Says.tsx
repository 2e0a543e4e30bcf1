import type { Sentence } from "../api/shapes";
import { useWords } from "../words";
import { formOf, sourceWords } from "./forms";
import { Offered } from "./Offered";
import { Sign } from "./Sign";
import type { Turn } from "./turns";

/** Under a block of an answer: what the source says where a sentence says otherwise, and that some stand nowhere. */
export function Says({ turn, sentences }: { turn: Turn; sentences: Sentence[] }) {
  const say = useWords();
  const contradicted = sentences.filter((each) => formOf(each) === "contradicted");
  // Where nothing at all was cited, the line above the answer says it once.
  const missing = turn.citations.length ? sentences.filter((each) => formOf(each) === "unsupported") : [];
  return (
    <>
      {contradicted.map((each) => (
        <small key={each.start} className="says" data-form="contradicted">
          <Sign form="contradicted" />
          <span>
            <strong>{say(each.source ? "conversation.says" : "conversation.saysOtherwise")}</strong>
            {each.source && (
              <>
                {" "}
                <q>{sourceWords(each.source)}</q>
              </>
            )}
          </span>
        </small>
      ))}
      {missing.length > 0 && (
        <small className="says" data-form="unsupported">
          <Sign form="unsupported" />
          <span>
            {say.count("conversation.nowhere", missing.length)}
            <Offered turn={turn} numbers={missing.flatMap((each) => each.suggested)} />
          </span>
        </small>
      )}
    </>
  );
}
