/** Notice that the session has ended or changed elsewhere: in another tab, in another browser, or by an owner. */
import { waitForRetry } from "../api/backoff";
import { openStream, readEvents } from "../api/serverSentEvents";
import { onSessionDoubt } from "../api/sessionDoubt";
import { createCoalesced } from "../state/coalesce";
import { type AccountStore, accountStore } from "./accountStore";

const CHANNEL = "pincite.account";
const LOCK = "pincite.session";
const DELAY = 20;
const POLL_INTERVAL = 20_000;

/** Keep the store up to date while the page is open. Returns how to stop. */
export function watchSession(account: AccountStore = accountStore): () => void {
  // The failures of one moment are one question. Without an answer everything stays as it is.
  const checkSoon = createCoalesced(() => void account.check(), DELAY);
  const checkInTeam = () => {
    if (account.get().mode === "team") checkSoon();
  };
  const checkIfVisible = () => {
    if (document.visibilityState === "visible") checkInTeam();
  };
  const leaving = new AbortController();
  const { signal } = leaving;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    if (data === "left" && account.get().person) account.leave("left");
    else checkInTeam();
  };
  const stops = [onSessionDoubt(checkInTeam), account.onChange((change) => channel.postMessage(change))];
  document.addEventListener("visibilitychange", checkIfVisible, { signal });
  window.addEventListener("focus", checkInTeam, { signal });
  window.addEventListener("pageshow", checkInTeam, { signal });
  stops.push(followWhileSignedIn(account, checkIfVisible));
  return () => {
    for (const stop of stops) stop();
    leaving.abort();
    channel.close();
  };
}

/** Follow a stream of the server while somebody is signed in. Returns how to stop. */
function followWhileSignedIn(account: AccountStore, poll: () => void): () => void {
  let following: AbortController | null = null;
  let session = "";
  const follow = () => {
    const { mode, person, session: current } = account.get();
    const wanted = mode === "team" && person ? current : "";
    if (wanted === session) return;
    session = wanted;
    following?.abort();
    following = new AbortController();
    if (wanted) void holdStream(following.signal, poll);
  };
  follow();
  const stop = account.subscribe(follow);
  return () => {
    stop();
    following?.abort();
  };
}

/**
 * Hold a stream that the server ends with the session. One tab does it for all tabs of the browser, because browsers
 * open few connections to one server. Where tabs cannot agree on one, as without HTTPS, each asks from time to time.
 */
async function holdStream(signal: AbortSignal, poll: () => void): Promise<void> {
  if (!navigator.locks) {
    const timer = setInterval(poll, POLL_INTERVAL);
    signal.addEventListener("abort", () => clearInterval(timer));
    return;
  }
  await navigator.locks.request(LOCK, { signal }, () => followStream(signal)).catch(() => undefined);
}

/** Follow the stream until the signal aborts. When it ends, its reader has the session checked. */
async function followStream(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const events = readEvents(await openStream("/api/documents/events", { signal }));
      attempt = 0;
      // What it reports is for the library, which follows a stream of its own.
      while (!(await events.next()).done);
    } catch {
      // The server is away or the session has ended.
    }
    await waitForRetry(attempt, signal);
  }
}
