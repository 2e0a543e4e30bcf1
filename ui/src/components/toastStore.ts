/** Short messages that disappear by themselves. */
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";

export interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

export interface ToastStore extends Store<Toast[]> {
  /** Show a message, perhaps with an action. Returns how to remove it early. */
  show: (text: string, action?: Toast["action"], seconds?: number) => () => void;
  /** Remove a message. */
  drop: (id: number) => void;
}

const SECONDS = 6;

/** Create a store without messages. */
export function createToastStore(): ToastStore {
  const store = createStore<Toast[]>([]);
  let count = 0;
  const drop = (id: number) => store.set((now) => now.filter((each) => each.id !== id));
  return {
    ...store,
    drop,
    show(text, action, seconds = SECONDS) {
      const id = ++count;
      // One at a time: several would cover what is being read. An action that can be undone stays beside the next one.
      const entry = action ? { id, text, action } : { id, text };
      store.set((now) => [...now.filter((each) => each.action).slice(-1), entry]);
      setTimeout(() => drop(id), seconds * 1000);
      return () => drop(id);
    },
  };
}

export const toastStore = createToastStore();
onPersonGone(() => toastStore.set([]));

/** Show a message in the page's toasts. */
export const showToast = toastStore.show;
