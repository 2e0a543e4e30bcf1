import { useState } from "react";
import { useMay } from "../../account/accountStore";
import { useTranslate } from "../../i18n";
import { SampleButton } from "../../library/SampleButton";
import { nameLines } from "../../text/lineNames";
import { namePage } from "../../text/pageNames";
import { openMark } from "../../viewer/viewerStore";
import { makeNearKey } from "../citations/citationMarks";
import { AttachButton } from "../composer/Attachments";
import type { Turn } from "../turns";
import { AnswerText } from "./AnswerText";

const MAX_EXCERPT = 180;

/** The answer if nothing was found, with the nearest passages. */
export function Refusal({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const nearest = turn.answer?.nearest ?? [];
  return (
    <div className="refusal">
      <AnswerText turn={turn} />
      {turn.answer?.no_documents && <AddHint />}
      {nearest.length > 0 && (
        <>
          <h3 className="soft small">{t("conversation.nearest")}</h3>
          <ul>
            {nearest.map((each) => {
              const { document, title, page, label, lines = null, path = "", start, end, text } = each;
              const key = makeNearKey(turn.id, each);
              const mark = { key, document, title, page, label, start, end, kind: null, tone: "low", n: null } as const;
              return (
                <li key={`${document}-${start}`}>
                  <button
                    type="button"
                    className="near"
                    onClick={() => openMark({ ...mark, lines, path, boxes: [], quote: text, passage: null })}
                  >
                    <span className="near-title">
                      {path ? nameLines({ path, lines }) : title}
                      {page !== null && <span className="soft"> {namePage(t, each)}</span>}
                    </span>
                    <span className="near-text">
                      {text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text}
                    </span>
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

/** Ways to add a document, after a question to an empty library. */
function AddHint() {
  const t = useTranslate();
  const mayAdd = useMay("write");
  const [isReady, setReady] = useState(false);
  if (!mayAdd) return null;
  return (
    <div className="refusal-ways">
      <AttachButton words={t("conversation.empty.add")} />
      {isReady ? <p role="status">{t("conversation.empty.ready")}</p> : <SampleButton onReady={() => setReady(true)} />}
    </div>
  );
}
