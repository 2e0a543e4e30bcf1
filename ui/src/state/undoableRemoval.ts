/** Removal with undo: items disappear from the page at once, and from the server when the time to undo is over. */
import { type Problem, parseProblem, toProblem } from "../api/problem";
import { doubtSession } from "../api/sessionDoubt";
import { describeError } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { getTranslate } from "../i18n";
import { onPersonGone } from "./personalData";
import { createStore, type Store } from "./store";

const UNDO_SECONDS = 6;
const GRACE = 300;

export interface Removal {
  /** The items that are hidden because they are being removed. */
  gone: Store<ReadonlySet<string>>;
  /** Remove items, and show `text` with a button to undo. */
  remove: (ids: string[], text: string) => void;
  /** Keep an item after all: it was added again. */
  keep: (id: string) => void;
}

const unfinished = new Set<() => Promise<unknown>>();

/** Carry out all removals that could still be undone, as before the person signs out. */
export async function carryOutRemovals(): Promise<void> {
  await Promise.all([...unfinished].map((carryOut) => carryOut()));
}

/** Create the removal of items at `path`. If the tab crashes in between, nothing is removed. */
export function createRemoval(path: (id: string) => string, onRemoved: () => void = () => undefined): Removal {
  const gone = createStore<ReadonlySet<string>>(new Set());
  const waiting = new Map<string[], ReturnType<typeof setTimeout>>();

  const back = (ids: string[]) => gone.set((now) => new Set([...now].filter((id) => !ids.includes(id))));

  const carryOut = async (removed: string[]) => {
    clearTimeout(waiting.get(removed));
    if (!waiting.delete(removed)) return;
    const ids = removed.filter((id) => gone.get().has(id));
    const answers = await Promise.all(ids.map((id) => sendDelete(path(id))));
    const kept = ids.filter((_, index) => answers[index] !== null);
    const problem = answers.find((each) => each !== null);
    if (problem) {
      back(kept);
      const { message, hint } = describeError(getTranslate(), problem);
      showToast(`${message} ${hint}`.trim());
    }
    onRemoved();
  };

  const carryOutAll = () => Promise.all([...waiting.keys()].map(carryOut));
  unfinished.add(carryOutAll);
  window.addEventListener("pagehide", () => void carryOutAll());
  onPersonGone(() => {
    for (const timer of waiting.values()) clearTimeout(timer);
    waiting.clear();
    gone.set(new Set());
  });

  return {
    gone,
    keep: (id) => back([id]),
    remove(ids, text) {
      gone.set((now) => new Set([...now, ...ids]));
      waiting.set(
        ids,
        setTimeout(() => void carryOut(ids), UNDO_SECONDS * 1000 + GRACE),
      );
      const undo = () => {
        clearTimeout(waiting.get(ids));
        if (waiting.delete(ids)) back(ids);
      };
      showToast(text, { label: getTranslate()("library.undo"), run: undo }, UNDO_SECONDS);
    },
  };
}

/** Delete an item, even while the page is being closed. An item that is gone already counts as deleted. */
async function sendDelete(path: string): Promise<Problem | null> {
  try {
    const response = await fetch(path, { method: "DELETE", keepalive: true });
    if (response.ok || response.status === 404) return null;
    if (response.status === 401) doubtSession();
    return parseProblem(response.status, await response.json().catch(() => null));
  } catch (error) {
    return toProblem(error);
  }
}
