import { lazy, Suspense, useEffect, useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { accountStore } from "../account/accountStore";
import { makeSignInPath } from "../account/returnPath";
import { NotFound } from "../components/NotFound";
import { Toasts } from "../components/Toasts";
import { Conversation } from "../conversation/Conversation";
import { useTranslate } from "../i18n";
import { notebookPanel } from "../notebook/notebookStore";
import { searchStore } from "../search/searchStore";
import { useStore } from "../state/store";
import { useSelector } from "../state/useSelector";
import { usePanel, usePanelContent } from "../workspaces/usePanel";
import { ErrorBoundary } from "./ErrorBoundary";
import { KeyboardShortcuts } from "./KeyboardShortcuts";
import { Sidebar } from "./Sidebar";
import { SplitView } from "./SplitView";

const Library = lazy(() => import("../library/Library"));
const ConversationList = lazy(() => import("../conversations/ConversationList"));
const Notebooks = lazy(() => import("../notebook/Notebooks"));
const NotebookPage = lazy(() => import("../notebook/NotebookPage"));
const NotebookPanel = lazy(() => import("../notebook/NotebookPanel"));
const Settings = lazy(() => import("../settings/Settings"));
const DocumentRoute = lazy(() => import("../viewer/DocumentRoute"));
const NavigationPanel = lazy(() => import("../workspaces/NavigationPanel"));
const SearchDialog = lazy(() => import("../search/SearchDialog"));
const Account = lazy(() => import("../account/Account"));
const SignIn = lazy(() => import("../account/SignIn"));
const Join = lazy(() => import("../account/Join"));
const Reset = lazy(() => import("../account/Reset"));
const People = lazy(() => import("../people/People"));
const SharedConversationView = lazy(() => import("../sharing/SharedConversationView"));

/** The whole page: the views for people who are signed in, those for everybody, and what is shown above them. */
export function App() {
  return (
    <ErrorBoundary fallback={() => <PageError />}>
      <Suspense fallback={<main className="main" aria-busy="true" />}>
        <Switch>
          <Route path="/sign-in">
            <SignIn />
          </Route>
          <Route path="/join">
            <Join />
          </Route>
          <Route path="/reset">
            <Reset />
          </Route>
          <Route path="/shared">
            <SharedView />
          </Route>
          <Route>
            <SignedInViews />
          </Route>
        </Switch>
      </Suspense>
      <Toasts />
    </ErrorBoundary>
  );
}

/** The views of the person who is signed in. Without one, nothing of them is rendered. */
function SignedInViews() {
  const t = useTranslate();
  const mode = useSelector(accountStore, (now) => now.mode);
  const isKnown = useSelector(accountStore, (now) => now.isKnown);
  const person = useSelector(accountStore, (now) => now.person?.id);
  const hasLeft = useSelector(accountStore, ({ notice }) => notice === "left" || notice === "deleted");
  const mayManage = useSelector(accountStore, ({ mode, scopes }) => mode === "team" && scopes.includes("admin"));
  if (!isKnown) return <AccountWait />;
  if (mode === "team" && !person) return <Redirect to={hasLeft ? "/sign-in" : makeSignInPath(location)} replace />;
  return (
    <>
      <button type="button" className="skip" onClick={focusMain}>
        {t("shell.skip")}
      </button>
      {/* Nothing that was shown to one person stays for another. */}
      <div className="shell" key={person}>
        <Sidebar />
        <SidePanel />
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
            <Route path="/notebooks">
              <Notebooks />
            </Route>
            <Route path="/notebooks/:id">{({ id }) => <SplitView main={<NotebookPage id={id} />} />}</Route>
            <Route path="/settings">
              <Settings />
            </Route>
            <Route path="/account">
              <Account />
            </Route>
            <Route path="/people">{mayManage ? <People /> : <NotFound />}</Route>
            <Route path="/">
              <SplitView main={<Conversation id={null} />} />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
        <NotebookBeside />
      </div>
      <KeyboardShortcuts />
      <EverythingSearch />
    </>
  );
}

/** The current notebook beside the view, unless the view is a notebook itself. A note that is being written is kept. */
function NotebookBeside() {
  const [path] = useLocation();
  const isOpen = useStore(notebookPanel);
  const [wasOpened, setOpened] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setOpened(true);
  }, [isOpen]);
  if (!(isOpen || wasOpened) || path.startsWith("/notebooks")) return null;
  return (
    <Suspense fallback={null}>
      <NotebookPanel isOpen={isOpen} />
    </Suspense>
  );
}

/** The workspace and its last conversations, if there is room for them or they were asked for. */
function SidePanel() {
  usePanelContent();
  const { isShown, isOver, close } = usePanel();
  if (!isShown) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={isOver ? null : <div className="side-wait" id="side" />}>
        <NavigationPanel isOver={isOver} onClose={close} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** The search over everything, while it is open. */
function EverythingSearch() {
  const isOpen = useStore(searchStore);
  if (!isOpen) return null;
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense fallback={null}>
        <SearchDialog onClose={() => searchStore.set(false)} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** A conversation behind a link, which is read without signing in. */
function SharedView() {
  const t = useTranslate();
  return (
    <>
      <button type="button" className="skip" onClick={focusMain}>
        {t("shell.skip")}
      </button>
      <div className="shell">
        <SharedConversationView />
      </div>
      <KeyboardShortcuts />
    </>
  );
}

/** Shown until the server has said who is signed in: nothing, or that it does not answer. */
function AccountWait() {
  const t = useTranslate();
  const isDown = useSelector(accountStore, (now) => now.isDown);
  return (
    <main className="main" aria-busy="true">
      {isDown && (
        <p className="empty" role="alert">
          {t("account.waiting")}
        </p>
      )}
    </main>
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
