import { choose } from "../desk";
import { namePage } from "../pageNames";
import { useWords } from "../words";
import { nearKey } from "./marks";
import { Prose } from "./Prose";
import type { Turn } from "./turns";

const LONGEST = 180;

/** Nothing was found: what was looked for, and what came nearest. */
export function Refusal({ turn }: { turn: Turn }) {
  const say = useWords();
  const nearest = turn.answer?.nearest ?? [];
  return (
    <div className="refusal">
      <Prose turn={turn} />
      {nearest.length > 0 && (
        <>
          <h3 className="soft small">{say("conversation.nearest")}</h3>
          <ul>
            {nearest.map((each) => {
              const { document, title, page, label, start, end, text } = each;
              const key = nearKey(turn.id, each);
              const mark = { key, document, title, page, label, start, end, kind: null, tone: "low", n: null } as const;
              return (
                <li key={`${document}-${start}`}>
                  <button
                    type="button"
                    className="near"
                    onClick={() => choose({ ...mark, boxes: [], quote: text, passage: null })}
                  >
                    <span className="near-title">
                      {title}
                      {page !== null && <span className="soft"> {namePage(say, each)}</span>}
                    </span>
                    <span className="near-text">{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}
