import { useCallback, useEffect, useMemo } from "react";
import { linkSecret } from "../account/linkSecret";
import { SplitView } from "../app/SplitView";
import { ErrorMessage } from "../components/ErrorMessage";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { CitationCard } from "../conversation/citations/CitationCard";
import { listMarks } from "../conversation/citations/citationMarks";
import { SourceList } from "../conversation/citations/SourceList";
import { ReportOutline } from "../conversation/report/ReportOutline";
import { AnswerBody, CUT_MESSAGES } from "../conversation/thread/Exchange";
import { VerdictSummary } from "../conversation/thread/VerdictSummary";
import type { Turn } from "../conversation/turns";
import { useTranslate } from "../i18n";
import { useRequest } from "../settings/useRequest";
import { useStore } from "../state/store";
import { clearViewer, setMarks } from "../viewer/viewerStore";
import { SharedSource } from "./SharedSource";
import { keepSecret } from "./sharedSecret";
import { makeTurns } from "./sharedTurns";
import { openSharedConversation, type SharedConversation } from "./sharingApi";
import "../conversation/conversation.css";
import "./shared.css";

/** A conversation that somebody shared by a link: it can be read without an account, and not be changed. */
export default function SharedConversationView() {
  const secret = keepSecret(useStore(linkSecret));
  return secret ? <LinkedConversation key={secret} secret={secret} /> : <DeadLink kind="incomplete" />;
}

function LinkedConversation({ secret }: { secret: string }) {
  const t = useTranslate();
  const load = useCallback((signal: AbortSignal) => openSharedConversation(secret, signal), [secret]);
  const { value, problem, retry } = useRequest(load);
  if (value) return <ReadConversation shared={value} />;
  if (problem?.code === "not_found" || problem?.code === "invalid") return <DeadLink kind="gone" />;
  return (
    <main className="main shared" id="main" aria-busy={!problem}>
      {problem && (
        <ErrorMessage fault={problem}>
          <button type="button" className="button" onClick={retry}>
            {t("sharing.shown.again")}
          </button>
        </ErrorMessage>
      )}
    </main>
  );
}

function ReadConversation({ shared }: { shared: SharedConversation }) {
  const t = useTranslate();
  const turns = useMemo(() => makeTurns(shared.messages), [shared]);
  const title = shared.title || t("conversations.untitled");
  useDocumentTitle(title);
  useEffect(() => {
    clearViewer();
    setMarks(turns.flatMap(listMarks));
    return clearViewer;
  }, [turns]);
  return (
    <SplitView
      viewer={<SharedSource turns={turns} />}
      main={
        <div className="conversation shared-conversation">
          <header className="talk-head">
            <img src="/icon.svg" alt="" width="24" height="24" />
            <h1>{title}</h1>
            <p className="soft small">{t("sharing.shown.by", { name: shared.owner_name })}</p>
          </header>
          <div className="talk">
            <div className="talk-inside">
              {turns.map((turn) => (
                <SharedExchange key={turn.id} turn={turn} />
              ))}
            </div>
          </div>
          <CitationCard />
        </div>
      }
    />
  );
}

/** A question and its answer, to read. */
function SharedExchange({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const hasPassages = turn.passages.length > 0;
  return (
    <article className="exchange" id={turn.id} data-state={turn.state}>
      <header className="question">
        <h2>{turn.question}</h2>
      </header>
      <ReportOutline turn={turn} />
      {!turn.answer?.refused && !hasPassages && <VerdictSummary turn={turn} />}
      <AnswerBody turn={turn} />
      {turn.answer?.cut && <p className="cut">{t(CUT_MESSAGES[turn.answer.cut])}</p>}
      {turn.state === "stopped" && <p className="stopped">{t("conversation.stopped")}</p>}
      {turn.state === "running" && <p className="stopped">{t("sharing.shown.running")}</p>}
      {!hasPassages && <SourceList turn={turn} />}
    </article>
  );
}

/** Tells that there is nothing behind a link, and what to do. */
function DeadLink({ kind }: { kind: "gone" | "incomplete" }) {
  const t = useTranslate();
  const isGone = kind === "gone";
  const title = t(isGone ? "sharing.shown.gone" : "sharing.shown.incomplete");
  useDocumentTitle(title);
  return (
    <main className="main empty shared" id="main">
      <h1>{title}</h1>
      <p>{t(isGone ? "sharing.shown.gone.hint" : "sharing.shown.incomplete.hint")}</p>
    </main>
  );
}
