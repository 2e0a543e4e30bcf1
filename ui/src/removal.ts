/** Removing with a way back: gone from the page at once, from the server only when nobody has said "undo" in time. */
import { asProblem, type Problem, problemOf } from "./api/problem";
import { toast } from "./look/Toasts";
import { said } from "./look/Trouble";
import { type Store, store } from "./store";
import { words } from "./words";

const SECONDS = 6;
const GRACE = 300;

export interface Removal {
  /** What is on its way out, and shown no more. */
  gone: Store<ReadonlySet<string>>;
  /** Take these away, and say `text` with a way back. */
  remove: (ids: string[], text: string) => void;
  /** Leave one of them after all: it has come anew. */
  keep: (id: string) => void;
}

/** Removal of things that `path` names on the server. A tab that dies in between removes nothing. */
export function removal(path: (id: string) => string, onRemoved: () => void = () => undefined): Removal {
  const gone = store<ReadonlySet<string>>(new Set());
  const waiting = new Map<string[], ReturnType<typeof setTimeout>>();

  const back = (ids: string[]) => gone.set((now) => new Set([...now].filter((id) => !ids.includes(id))));

  const carryOut = async (removed: string[]) => {
    clearTimeout(waiting.get(removed));
    if (!waiting.delete(removed)) return;
    const ids = removed.filter((id) => gone.get().has(id));
    const answers = await Promise.all(ids.map((id) => deleted(path(id))));
    const kept = ids.filter((_, index) => answers[index] !== null);
    const problem = answers.find((each) => each !== null);
    if (problem) {
      back(kept);
      const { message, hint } = said(words(), problem);
      toast(`${message} ${hint}`.trim());
    }
    onRemoved();
  };

  window.addEventListener("pagehide", () => {
    for (const ids of [...waiting.keys()]) void carryOut(ids);
  });

  return {
    gone,
    keep: (id) => back([id]),
    remove(ids, text) {
      gone.set((now) => new Set([...now, ...ids]));
      waiting.set(
        ids,
        setTimeout(() => void carryOut(ids), SECONDS * 1000 + GRACE),
      );
      const undo = () => {
        clearTimeout(waiting.get(ids));
        if (waiting.delete(ids)) back(ids);
      };
      toast(text, { label: words()("library.undo"), run: undo }, SECONDS);
    },
  };
}

/** Delete one thing, even if the page is being left; what was not there any more is as good. */
async function deleted(path: string): Promise<Problem | null> {
  try {
    const response = await fetch(path, { method: "DELETE", keepalive: true });
    if (response.ok || response.status === 404) return null;
    return problemOf(response.status, await response.json().catch(() => null));
  } catch (error) {
    return asProblem(error);
  }
}
