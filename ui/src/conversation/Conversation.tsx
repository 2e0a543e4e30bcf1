import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { GuestHint } from "../account/GuestHint";
import { waitForRetry } from "../api/backoff";
import { server } from "../api/client";
import { isAway as isServerAway, type Problem, toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { IconButton } from "../components/IconButton";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { useTranslate } from "../i18n";
import { QuotaNotice } from "../limits/QuotaNotice";
import { useStore } from "../state/store";
import { getOpenWorkspace } from "../workspaces/workspacesStore";
import { CitationCard } from "./citations/CitationCard";
import { takeWaitingQuestion } from "./composer/askAbout";
import { attachmentStore } from "./composer/attachmentStore";
import { Composer } from "./composer/Composer";
import { endOneQuestion, projectStore, restoreScope, saveDraft, saveScope } from "./composer/questionOptions";
import { makeRequest } from "./composer/questionRequest";
import { Announcer } from "./thread/Announcer";
import { WelcomeScreen } from "./WelcomeScreen";
import "./conversation.css";
import { ConversationHeader } from "./ConversationHeader";
import { AttachmentDropZone } from "./composer/AttachmentDropZone";
import type { ConversationState } from "./conversationState";
import { conversationStore } from "./conversationStore";
import { onChangeInOtherTab } from "./otherTabs";
import { QuestionProblem } from "./QuestionProblem";
import { warmUpMarkdown } from "./thread/AnswerText";
import { Exchange } from "./thread/Exchange";
import { FollowUps } from "./thread/FollowUps";
import { Question } from "./thread/Question";
import { useFollowEnd } from "./thread/useFollowEnd";
import { useGradualCount } from "./thread/useGradualCount";
import { useViewerSync } from "./viewerSync";

/** The conversation: its questions and answers, and the field for the next question. */
export function Conversation({ id }: { id: string | null }) {
  const t = useTranslate();
  const [, go] = useLocation();
  const now = useStore(conversationStore);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { view, inside, isAway, toEnd } = useFollowEnd(id);
  const asked = useRef<[message: string, replaces?: string]>([""]);
  const withdraw = useCallback(() => setProblem(null), []);
  useServerReturn(problem, withdraw);
  useViewerSync();
  useOtherTabs(id);
  useConversationProject(now.project);
  useDocumentTitle(now.title || now.pending || "");
  useEffect(warmUpMarkdown, []);

  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current || id !== conversationStore.get().id) {
      // The options of a question that was not sent outlast a reload, like its text.
      restoreScope(id);
      attachmentStore.restore(id);
      setProblem(null);
    }
    isFirst.current = false;
    void conversationStore.open(id);
  }, [id]);

  const send = useCallback(
    (message: string, replaces?: string) => {
      asked.current = replaces ? [message, replaces] : [message];
      setProblem(null);
      requestAnimationFrame(() => toEnd());
      const workspace = id === null ? getOpenWorkspace() : "";
      const replaced = conversationStore.get().thread.turns.find((turn) => turn.id === replaces)?.question;
      const request = { ...makeRequest(message, replaces, replaced), ...(workspace && { workspace }) };
      const begun = (conversation: string) => {
        endOneQuestion(message, request.documents ?? []);
        saveScope(conversation);
        // Do not navigate if the user has left for another view meanwhile.
        if (location.pathname === "/") go(`/c/${conversation}`);
      };
      return conversationStore.ask(request, begun).then(
        () => true,
        (error: unknown) => {
          const problem = toProblem(error);
          // This view is left for the sign-in form, and the text of an edited question with it.
          if (problem.status === 401 && replaces) saveDraft(id, message);
          setProblem(problem);
          return false;
        },
      );
    },
    [go, id, toEnd],
  );
  useEffect(() => {
    const question = id === null ? takeWaitingQuestion() : null;
    if (question) void send(question);
  }, [id, send]);
  const { turns } = now.thread;
  const drawn = useGradualCount(turns.length, id);
  useScrollToHash(drawn, view);

  if (now.problem?.code === "not_found") return <MissingConversation />;
  const isEmpty = !turns.length && now.pending === null && now.connection !== "loading";
  return (
    <AttachmentDropZone>
      <div className="conversation" data-empty={isEmpty || undefined}>
        {!isEmpty && <ConversationHeader />}
        {now.connection === "lost" && (
          <p className="lost" role="status">
            <span className="spinner" aria-hidden="true" /> {t("shell.offline")}
          </p>
        )}
        <div className="talk" ref={view}>
          <div className="talk-inside" ref={inside}>
            {now.connection === "loading" && !turns.length && <ThreadSkeleton />}
            {isEmpty && !now.problem && <WelcomeScreen onAsk={send} />}
            {turns.slice(turns.length - drawn).map((turn, place) => (
              <Exchange key={turn.id} turn={turn} later={drawn - 1 - place} onAsk={send} />
            ))}
            {id && isAnswered(now) && <FollowUps key={turns.at(-1)?.id} conversation={id} onAsk={send} />}
            {now.pending !== null && (
              <article className="exchange" data-state="running">
                <Question text={now.pending} later={0} isLocked onAsk={() => {}} />
                <p className="thinking">
                  <span className="spinner" aria-hidden="true" /> {t("conversation.thinking")}
                </p>
              </article>
            )}
            {now.problem && <ErrorMessage fault={now.problem} />}
          </div>
        </div>
        <div className="ask-place">
          {isAway && !isEmpty && (
            <IconButton icon="down" label={t("conversation.toEnd")} className="to-end" onClick={() => toEnd(true)} />
          )}
          {problem && <QuestionProblem problem={problem} onAgain={() => send(...asked.current)} />}
          <QuotaNotice />
          <Composer id={now.id} onAsk={send} />
          <GuestHint />
        </div>
        <CitationCard />
        <Announcer turn={turns.at(-1) ?? null} />
      </div>
    </AttachmentDropZone>
  );
}

/** Return whether the last answer is complete and cites something. */
function isAnswered(now: ConversationState): boolean {
  const last = now.thread.turns.at(-1);
  return now.pending === null && last?.state === "done" && last.citations.length > 0 && !last.calls.length;
}

/** Ask a server that does not answer again by itself, and tell when it is back. */
function useServerReturn(problem: Problem | null, onBack: () => void): void {
  useEffect(() => {
    if (!problem || !isServerAway(problem)) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    const ask = async () => {
      for (let attempt = 0; !signal.aborted; attempt++) {
        await waitForRetry(attempt, signal);
        const answered = await server.GET("/api/settings", { signal }).then(
          () => true,
          (error: unknown) => !isServerAway(toProblem(error)),
        );
        if (answered && !signal.aborted) return onBack();
      }
    };
    void ask();
    return () => waiting.abort();
  }, [problem, onBack]);
}

/** Load questions that were asked in another tab, now or while this one was hidden. */
function useOtherTabs(id: string | null): void {
  useEffect(() => {
    if (!id) return;
    const seen = () => {
      if (document.visibilityState === "visible") void conversationStore.refresh();
    };
    const stop = onChangeInOtherTab((conversation) => {
      if (conversation === id) void conversationStore.refresh();
    });
    document.addEventListener("visibilitychange", seen);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [id]);
}

/** Go on with the project of the last question, which another tab may have chosen. */
function useConversationProject(project: string): void {
  useEffect(() => {
    if (project && !projectStore.get()) projectStore.set(project);
  }, [project]);
}

/** Scroll to the exchange that the address names, once it is rendered. */
function useScrollToHash(drawn: number, view: React.RefObject<HTMLDivElement | null>): void {
  const gone = useRef("");
  useEffect(() => {
    const wanted = decodeHash(location.hash.slice(1));
    if (!drawn || !wanted || gone.current === wanted) return;
    const found = document.getElementById(wanted);
    if (!found || !view.current?.contains(found)) return;
    gone.current = wanted;
    found.scrollIntoView({ block: "start" });
  }, [drawn, view]);
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

function MissingConversation() {
  const t = useTranslate();
  return (
    <div className="empty">
      <h1>{t("conversation.missing")}</h1>
      <p>{t("conversation.missing.hint")}</p>
      <Link to="/" id="ask" className="button main">
        {t("shell.ask")}
      </Link>
    </div>
  );
}

function ThreadSkeleton() {
  return (
    <div className="loading" aria-busy="true">
      <div className="skeleton" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  );
}
