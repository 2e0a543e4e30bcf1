import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { Caught } from "./Caught";
import { Conversation } from "./conversation/Conversation";
import { Keys } from "./Keys";
import { Toasts } from "./look/Toasts";
import { Rail } from "./Rail";
import { Split } from "./Split";
import { useWords } from "./words";

const Library = lazy(() => import("./library/Library"));
const Conversations = lazy(() => import("./conversations/Conversations"));
const Settings = lazy(() => import("./settings/Settings"));
const Source = lazy(() => import("./viewer/Source"));

/** The whole page: the rail, the room that is open, and what floats over them. */
export function App() {
  const say = useWords();
  return (
    <Caught broken={() => <Broken />}>
      <button type="button" className="skip" onClick={toMain}>
        {say("shell.skip")}
      </button>
      <div className="shell">
        <Rail />
        <Suspense fallback={<main className="main" aria-busy="true" />}>
          <Switch>
            <Route path="/c/:id">{({ id }) => <Split main={<Conversation id={id} />} />}</Route>
            <Route path="/d/:id">{({ id }) => <Source id={id} />}</Route>
            <Route path="/library">
              <Split main={<Library />} />
            </Route>
            <Route path="/conversations">
              <Conversations />
            </Route>
            <Route path="/settings">
              <Settings />
            </Route>
            <Route path="/">
              <Split main={<Conversation id={null} />} />
            </Route>
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </Suspense>
      </div>
      <Keys />
      <Toasts />
    </Caught>
  );
}

/** Past the rail: the question where there is one, else the room itself. */
function toMain(): void {
  const place = document.getElementById("ask") ?? document.getElementById("main");
  if (place?.id === "main") place.tabIndex = -1;
  place?.focus();
}

/** A page that broke says so, and that nothing is lost. */
function Broken() {
  const say = useWords();
  return (
    <main className="empty" role="alert">
      <p>{say("shell.lost")}</p>
      <button type="button" className="button main" onClick={() => location.reload()}>
        {say("shell.reload")}
      </button>
    </main>
  );
}
