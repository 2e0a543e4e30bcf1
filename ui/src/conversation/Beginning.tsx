import { useEffect, useState } from "react";
import { got, server } from "../api/client";
import type { components } from "../api/schema";
import { Icon } from "../look/Icon";
import { type Say, useWords, wordsOf } from "../words";
import { AttachButton } from "./Attachments";
import { attachAddress } from "./attaching";
import { scope } from "./composing";
import { usePicked } from "./picked";

type Suggestion = components["schemas"]["Suggestion"];

const SUGGESTED = 3;

/** An empty page: what this is, and what might be asked of the library there is. */
export function Beginning({ onAsk }: { onAsk: (question: string) => void }) {
  const say = useWords();
  // A file that has just arrived makes another library.
  const arrived = usePicked(scope, ({ length }) => length);
  const suggestions = useSuggestions(arrived);
  const isBare = useIsBare(arrived);
  return (
    <div className="beginning">
      <h1>{say("conversation.begin")}</h1>
      <p className="soft">{say("conversation.begin.how")}</p>
      {isBare && (
        <div className="beginning-bare">
          <Icon name="document" size={28} />
          <p>{say("conversation.begin.empty")}</p>
          <AttachButton words={say("conversation.begin.choose")} />
          <Address />
        </div>
      )}
      {!suggestions && <div className="suggestions-wait" aria-busy="true" />}
      {suggestions && suggestions.length > 0 && (
        <ul className="suggestions" aria-label={say("conversation.suggestions")}>
          {suggestions.map((each) => {
            const question = suggested(each, say);
            return (
              <li key={`${each.document} ${question}`}>
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

function Address() {
  const say = useWords();
  const [url, setUrl] = useState("");
  return (
    <form
      className="beginning-address"
      onSubmit={(event) => {
        event.preventDefault();
        attachAddress(url);
        setUrl("");
      }}
    >
      <input
        type="url"
        className="field"
        required
        placeholder={say("conversation.begin.address")}
        aria-label={say("conversation.begin.address")}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <button type="submit" className="button">
        {say("conversation.begin.add")}
      </button>
    </form>
  );
}

/** A suggestion as a question, in the language of its document where we speak it. */
export function suggested({ title, heading, language }: Suggestion, say: Say): string {
  const own = language === "fr" || language === "en" ? wordsOf(language) : say;
  return heading
    ? own("conversation.suggest.heading", { title, heading })
    : own("conversation.suggest.title", { title });
}

function useSuggestions(arrived: number): Suggestion[] | null {
  const [found, set] = useState<Suggestion[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has arrived is looked at anew
  useEffect(() => {
    server.GET("/api/suggestions").then(
      (answer) => set(got(answer).slice(0, SUGGESTED)),
      () => set([]),
    );
  }, [arrived]);
  return found;
}

/** Whether the library is known to be empty. */
function useIsBare(arrived: number): boolean {
  const [isBare, set] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has arrived is looked at anew
  useEffect(() => {
    server.GET("/api/documents", { params: { query: { limit: 1 } } }).then(
      (answer) => set(got(answer).total === 0),
      () => set(false),
    );
  }, [arrived]);
  return isBare;
}
