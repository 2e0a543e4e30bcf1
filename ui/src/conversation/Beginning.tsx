import { useEffect, useState } from "react";
import { Link } from "wouter";
import { got, server } from "../api/client";
import type { components } from "../api/schema";
import { Icon } from "../look/Icon";
import { type Say, useWords, wordsOf } from "../words";

type Suggestion = components["schemas"]["Suggestion"];

const SUGGESTED = 3;

/** An empty page: what this is, and what might be asked of the library there is. */
export function Beginning({ onAsk }: { onAsk: (question: string) => void }) {
  const say = useWords();
  const suggestions = useSuggestions();
  const isBare = useIsBare();
  return (
    <div className="beginning">
      <h1>{say("conversation.begin")}</h1>
      <p className="soft">{say("conversation.begin.how")}</p>
      {isBare && (
        <div className="beginning-bare">
          <Icon name="document" size={28} />
          <p>{say("conversation.begin.empty")}</p>
          <Link to="/library" className="button">
            {say("conversation.begin.add")}
          </Link>
        </div>
      )}
      {suggestions.length > 0 && (
        <ul className="suggestions" aria-label={say("conversation.suggestions")}>
          {suggestions.map((each) => {
            const question = suggested(each, say);
            return (
              <li key={each.document}>
                <button type="button" onClick={() => onAsk(question)}>
                  <span>{question}</span>
                  <Icon name="forward" size={16} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** A suggestion as a question, in the language of its document where we speak it. */
export function suggested({ title, heading, language }: Suggestion, say: Say): string {
  const own = language === "fr" || language === "en" ? wordsOf(language) : say;
  return heading
    ? own("conversation.suggest.heading", { title, heading })
    : own("conversation.suggest.title", { title });
}

function useSuggestions(): Suggestion[] {
  const [found, set] = useState<Suggestion[]>([]);
  useEffect(() => {
    server.GET("/api/suggestions").then(
      (answer) => set(got(answer).slice(0, SUGGESTED)),
      () => set([]),
    );
  }, []);
  return found;
}

/** Whether the library is known to be empty. */
function useIsBare(): boolean {
  const [isBare, set] = useState(false);
  useEffect(() => {
    server.GET("/api/documents", { params: { query: { limit: 1 } } }).then(
      (answer) => set(got(answer).total === 0),
      () => set(false),
    );
  }, []);
  return isBare;
}
