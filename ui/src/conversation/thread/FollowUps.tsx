import { useEffect, useState } from "react";
import { server, unwrap } from "../../api/client";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { type Suggestion, writeSuggestion } from "../writeSuggestion";

const SUGGESTED = 3;

/** Questions that could come next, from headings near the cited passages of the last answer. */
export function FollowUps({ conversation, onAsk }: { conversation: string; onAsk: (question: string) => void }) {
  const t = useTranslate();
  const [found, set] = useState<Suggestion[]>([]);
  useEffect(() => {
    const gone = new AbortController();
    server.GET("/api/suggestions", { params: { query: { conversation } }, signal: gone.signal }).then(
      (answer) => set(unwrap(answer).slice(0, SUGGESTED)),
      () => {},
    );
    return () => gone.abort();
  }, [conversation]);
  if (!found.length) return null;
  return (
    <ul className="follow-ups" aria-label={t("conversation.followUps")}>
      {found.map((each) => {
        const question = writeSuggestion(each, t);
        return (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              <Icon name="forward" size={14} />
              <span>{question}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
