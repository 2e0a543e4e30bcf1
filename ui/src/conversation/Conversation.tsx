import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { asProblem, type Problem } from "../api/problem";
import { Icon } from "../look/Icon";
import { Trouble } from "../look/Trouble";
import { useTitle } from "../look/titled";
import { useStore } from "../store";
import { useWords } from "../words";
import { Announcer } from "./Announcer";
import { Beginning } from "./Beginning";
import { Card } from "./Card";
import { Composer } from "./Composer";
import { asking, enterScope, keepScope } from "./composing";
import "./conversation.css";
import { Dropping } from "./Dropping";
import { Exchange } from "./Exchange";
import { useGradually } from "./gradual";
import { Header } from "./Header";
import { useDesk } from "./opening";
import { warm } from "./Prose";
import { useFollowing } from "./scrolling";
import { ask, enter, hearTabs, lookAgain, talking } from "./talking";

/** The conversation: what was asked and answered, and the next question. */
export function Conversation({ id }: { id: string | null }) {
  const say = useWords();
  const [, go] = useLocation();
  const now = useStore(talking);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { view, inside, isAway, toEnd } = useFollowing(id);
  const asked = useRef<[message: string, replaces?: string]>([""]);
  useDesk();
  useTabs(id);
  useTitle(now.title || now.pending || "");
  useEffect(warm, []);

  useEffect(() => {
    if (id !== talking.get().id) {
      enterScope(id);
      setProblem(null);
    }
    void enter(id);
  }, [id]);

  const send = useCallback(
    (message: string, replaces?: string) => {
      asked.current = replaces ? [message, replaces] : [message];
      setProblem(null);
      requestAnimationFrame(() => toEnd());
      const begun = (conversation: string) => {
        keepScope(conversation);
        // Who has gone to another room meanwhile stays there.
        if (location.pathname === "/") go(`/c/${conversation}`, { replace: true });
      };
      return ask(asking(message, replaces), begun).then(
        () => true,
        (error: unknown) => {
          setProblem(asProblem(error));
          return false;
        },
      );
    },
    [go, toEnd],
  );
  const { turns } = now.talk;
  const drawn = useGradually(turns.length, id);
  useHash(drawn, view);

  if (now.problem?.code === "not_found") return <Missing />;
  const isEmpty = !turns.length && now.pending === null && now.line !== "loading";
  return (
    <Dropping>
      <div className="conversation" data-empty={isEmpty || undefined}>
        {!isEmpty && <Header />}
        {now.line === "lost" && (
          <p className="lost" role="status">
            <span className="spinner" aria-hidden="true" /> {say("shell.offline")}
          </p>
        )}
        <div className="talk" ref={view}>
          <div className="talk-inside" ref={inside}>
            {now.line === "loading" && !turns.length && <Loading />}
            {isEmpty && !now.problem && <Beginning onAsk={send} />}
            {turns.slice(turns.length - drawn).map((turn, place) => (
              <Exchange key={turn.id} turn={turn} later={drawn - 1 - place} onAsk={send} />
            ))}
            {now.pending !== null && (
              <article className="exchange" data-state="running">
                <header className="question">
                  <h2>{now.pending}</h2>
                </header>
                <p className="thinking">
                  <span className="spinner" aria-hidden="true" /> {say("conversation.thinking")}
                </p>
              </article>
            )}
            {now.problem && <Trouble fault={now.problem} />}
            {problem && (
              <Trouble fault={problem}>
                {problem.code === "engine" && (
                  <Link to="/settings" className="button main">
                    {say("conversation.focus.settings")}
                  </Link>
                )}
                <button type="button" className="button" onClick={() => send(...asked.current)}>
                  {say("conversation.again")}
                </button>
              </Trouble>
            )}
          </div>
        </div>
        <div className="ask-place">
          {isAway && !isEmpty && (
            <button type="button" className="button to-end" onClick={() => toEnd(true)}>
              <Icon name="down" size={16} /> {say("conversation.toEnd")}
            </button>
          )}
          <Composer id={now.id} onAsk={send} />
        </div>
        <Card />
        <Announcer turn={turns.at(-1) ?? null} />
      </div>
    </Dropping>
  );
}

/** Notice what is asked in this conversation in another tab, or was while this one was hidden. */
function useTabs(id: string | null): void {
  useEffect(() => {
    if (!id) return;
    const seen = () => {
      if (document.visibilityState === "visible") void lookAgain();
    };
    const stop = hearTabs((conversation) => {
      if (conversation === id) void lookAgain();
    });
    document.addEventListener("visibilitychange", seen);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [id]);
}

/** Go to the exchange the address names, once it is there. */
function useHash(drawn: number, view: React.RefObject<HTMLDivElement | null>): void {
  const gone = useRef("");
  useEffect(() => {
    const wanted = decoded(location.hash.slice(1));
    if (!drawn || !wanted || gone.current === wanted) return;
    const found = document.getElementById(wanted);
    if (!found || !view.current?.contains(found)) return;
    gone.current = wanted;
    found.scrollIntoView({ block: "start" });
  }, [drawn, view]);
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function Missing() {
  const say = useWords();
  return (
    <div className="empty">
      <h1>{say("conversation.missing")}</h1>
      <p>{say("conversation.missing.hint")}</p>
      <Link to="/" id="ask" className="button main">
        {say("shell.ask")}
      </Link>
    </div>
  );
}

function Loading() {
  return (
    <div className="loading" aria-busy="true">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}
