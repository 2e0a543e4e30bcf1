import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Toasts } from "../components/Toasts";
import { Conversation } from "../conversation/Conversation";
import { useTranslate } from "../i18n";
import { ErrorBoundary } from "./ErrorBoundary";
import { KeyboardShortcuts } from "./KeyboardShortcuts";
import { Sidebar } from "./Sidebar";
import { SplitView } from "./SplitView";

const Library = lazy(() => import("../library/Library"));
const ConversationList = lazy(() => import("../conversations/ConversationList"));
const Settings = lazy(() => import("../settings/Settings"));
const DocumentRoute = lazy(() => import("../viewer/DocumentRoute"));

/** The whole page: the sidebar, the open view, and what is shown above them. */
export function App() {
  const t = useTranslate();
  return (
    <ErrorBoundary fallback={() => <PageError />}>
      <button type="button" className="skip" onClick={focusMain}>
        {t("shell.skip")}
      </button>
      <div className="shell">
        <Sidebar />
        <Suspense fallback={<main className="main" aria-busy="true" />}>
          <Switch>
            <Route path="/c/:id">{({ id }) => <SplitView main={<Conversation id={id} />} />}</Route>
            <Route path="/d/:id">{({ id }) => <DocumentRoute id={id} />}</Route>
            <Route path="/library">
              <SplitView main={<Library />} />
            </Route>
            <Route path="/conversations">
              <ConversationList />
            </Route>
            <Route path="/settings">
              <Settings />
            </Route>
            <Route path="/">
              <SplitView main={<Conversation id={null} />} />
            </Route>
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </Suspense>
      </div>
      <KeyboardShortcuts />
      <Toasts />
    </ErrorBoundary>
  );
}

/** Move the focus past the sidebar: to the question field if there is one, else to the main view. */
function focusMain(): void {
  const place = document.getElementById("ask") ?? document.getElementById("main");
  if (place?.id === "main") place.tabIndex = -1;
  place?.focus();
}

/** Tell that the page failed and that nothing is lost. */
function PageError() {
  const t = useTranslate();
  return (
    <main className="empty" role="alert">
      <p>{t("shell.lost")}</p>
      <button type="button" className="button main" onClick={() => location.reload()}>
        {t("shell.reload")}
      </button>
    </main>
  );
}
