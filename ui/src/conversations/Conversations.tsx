import { useEffect } from "react";
import { Link } from "wouter";
import { OnSight } from "../library/OnSight";
import { SearchField } from "../library/SearchField";
import { Trouble } from "../look/Trouble";
import { useTitle } from "../look/titled";
import { useStore } from "../store";
import { useWords } from "../words";
import { ConversationRow } from "./ConversationRow";
import { grouped } from "./days";
import { conversationRemoval, listing, look, more } from "./listing";
import "./conversations.css";

/** What was asked before: by day, with search, and ways to rename, take along and delete. */
export default function Conversations() {
  const say = useWords();
  const { words, conversations, next, is, problem } = useStore(listing);
  const gone = useStore(conversationRemoval.gone);

  useEffect(() => {
    void look(listing.get().words);
  }, []);
  useTitle(say("shell.conversations"));

  const shown = conversations.filter((each) => !gone.has(each.id));
  const isEmpty = is === "still" && !problem && !shown.length;
  return (
    <main className="main room" id="main">
      <div className="room-inside conversations">
        <header className="room-head">
          <h1>{say("shell.conversations")}</h1>
          <Link to="/" className="button">
            {say("shell.ask")}
          </Link>
        </header>
        {(shown.length > 0 || words) && (
          <search className="conversations-search">
            <SearchField label={say("conversations.search")} words={words} onWords={look} />
          </search>
        )}
        {problem && (
          <Trouble fault={problem}>
            <button type="button" className="button" onClick={() => look(words)}>
              {say("conversations.again")}
            </button>
          </Trouble>
        )}
        {is === "loading" && !shown.length && <Waiting />}
        {isEmpty && <p className="empty">{words ? say("conversations.nothing") : say("conversations.none")}</p>}
        {grouped(shown).map(({ label, members }) => (
          <section key={label} aria-label={say(label)}>
            <h2 className="conversations-day">{say(label)}</h2>
            <ul className="conversations-list">
              {members.map((each) => (
                <ConversationRow key={each.id} conversation={each} words={words} />
              ))}
            </ul>
          </section>
        ))}
        {next && <OnSight onSeen={more} isBusy={is === "more"} />}
      </div>
    </main>
  );
}

function Waiting() {
  const say = useWords();
  return (
    <div className="conversations-waiting" role="status" aria-label={say("conversations.loading")}>
      {[64, 40, 52, 70].map((width) => (
        <div key={width} className="skeleton" style={{ width: `${width}%`, height: 16 }} />
      ))}
    </div>
  );
}
